#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "made_profile.h"
#include "suite.h"

/* The methods, whose indices are also those of their labels. */
enum { START, RUN, SLEEP, READ };

typedef struct {
    const char *name, *library, *nowhere;
} code;

static const code schedule = {"__schedule", "[kernel.kallsyms]", NULL};

static code methods[] = {
    [START] = {"__start_thread", "/lib64/libc.so", NULL},
    [RUN] = {"a.B.run", "/data/base.vdex", NULL},
    [SLEEP] = {"a.B.sleep", "[JIT app cache]", NULL},
    [READ] = {"__schedule", "[kernel.kallsyms]", NULL},
};

typedef struct {
    uint32_t thread;
    uint64_t time_ns;
    uint32_t path[4];
    size_t n;
} row;

static const row *file; /* ends with a row without frames */
static const char *producer = "simpleperf";

static gboolean walk_file(void *user,
                          gboolean (*consume)(void *, const af_recorded_sample *, GError **),
                          void *to, GError **error)
{
    for (const row *r = file; r->n > 0; r++) {
        const af_recorded_sample sample = {r->thread, r->path, r->path,   r->n,
                                           0,         {1, 0},  r->time_ns};
        if (!consume(to, &sample, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The file of some threads as a Gecko profile, starting at its threads. */
static char *write_rows(const row *rows, unsigned gaps)
{
    const made_row all[] = {{1, methods[START].name, {1, 0}},
                            {2, methods[RUN].name, {1, 0}},
                            {3, methods[SLEEP].name, {1, 0}},
                            {3, methods[READ].name, {1, 0}},
                            {0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    for (uint32_t t = 0; t < 3; t++) {
        made_thread_add(profile, 10 + t, t == 0 ? "main" : "worker", "x", all);
        profile->threads[t].process = AF_NO_PROCESS;
    }
    af_method list[G_N_ELEMENTS(methods)] = {0};
    for (unsigned m = 0; m < G_N_ELEMENTS(methods); m++) {
        ck_assert_str_eq(profile->labels[m].text, methods[m].name);
        list[m].library = methods[m].library;
        list[m].nowhere = methods[m].nowhere;
    }
    profile->methods = list;
    profile->n_methods = G_N_ELEMENTS(methods);
    profile->facts.format.producer = producer;
    static const uint32_t selected[] = {0, 1};
    const af_sample_source sampling = {walk_file, NULL};
    const af_selection selection = {.threads = selected,
                                    .n_threads = G_N_ELEMENTS(selected),
                                    .samples = &sampling,
                                    .remove_gaps = gaps};
    file = rows;
    g_autoptr(GByteArray) bytes = made_export(&af_exporter_gecko, profile, &selection, NULL);
    ck_assert_ptr_nonnull(bytes);
    return g_strdup(strstr((const char *)bytes->data, "\"threads\": "));
}

static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        n++;
    }
    return n;
}

static void check_has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no %s in %s", part, text);
}

TEST(writes_samples_in_time_order)
{
    static const row rows[] = {{0, 2000000, {START, RUN, SLEEP}, 3}, {1, 1500000, {START, RUN}, 2},
                               {0, 1000001, {START, RUN, READ}, 3},  {2, 1000000, {START}, 1},
                               {0, 2000000, {START, RUN}, 2},        {0, 0, {0}, 0}};
    g_autofree char *text = write_rows(rows, 3);
    check_has(text, "[{\"frameTable\": {\"data\": [[0, false, 0, null, null, null, null, 2, 0], "
                    "[1, false, 0, null, null, null, null, 3, 0], "
                    "[2, false, 0, null, null, null, null, 7, 0], "
                    "[3, false, 0, null, null, null, null, 5, 0]]");
    check_has(text, "\"name\": \"main\", \"pid\": 10, ");
    check_has(text, "{\"data\": [[3, 1.000001, 0], [2, 2, 0], [1, 2, 0]], \"schema\"");
    check_has(text, "\"stackTable\": {\"data\": [[null, 0, 0], [0, 1, 0], [1, 2, 0], [1, 3, 0]]");
    check_has(text, "\"stringTable\": [\"__start_thread (in /lib64/libc.so)\", "
                    "\"a.B.run (in /data/base.vdex)\", \"a.B.sleep (in [JIT app cache])\", "
                    "\"__schedule (in [kernel.kallsyms])\"], \"tid\": 10");
    check_has(text, "\"name\": \"worker\", \"pid\": 10, ");
    check_has(text, "{\"data\": [[1, 1.5, 0]], \"schema\"");
    ck_assert_uint_eq(count(text, "\"tid\""), 2); /* the selected ones */
}

/* "NAME | LIBRARY | ADDRESS", - is none => its text, and its category */
static char *show_frame(const char *input)
{
    static const row rows[] = {{0, 1, {START, READ}, 2}, {0, 0, {0}, 0}};
    g_auto(GStrv) parts = g_strsplit(input, " | ", 3);
    unsigned category;
    methods[READ].name = parts[0];
    methods[READ].library = strcmp(parts[1], "-") == 0 ? NULL : parts[1];
    methods[READ].nowhere = parts[2];
    g_autofree char *text = write_rows(rows, 3);
    methods[READ] = schedule;
    const char *begin = strstr(text, "libc.so)\", ") + strlen("libc.so)\", ");
    const char *data = strstr(text, "[1, false, 0, null, null, null, null, ");
    ck_assert_int_eq(sscanf(data, "[1, false, 0, null, null, null, null, %u, 0]]", &category), 1);
    return g_strdup_printf("%.*s %u", (int)(strstr(begin, "], \"tid\"") - begin), begin, category);
}

/* A stack is complete if it reaches one of two functions, matched by their whole names. */
static char *show_root(const char *name)
{
    static const row rows[] = {{0, 1, {START, RUN}, 2}, {0, 0, {0}, 0}};
    const char *before = methods[START].name;
    methods[START].name = name;
    g_autofree char *text = write_rows(rows, 3);
    methods[START].name = before;
    return g_strdup(count(text, "\"tid\"") > 0 ? "complete" : "broken");
}

TEST(frames_have_names_and_colours)
{
    cases_map("frames of Gecko profiles", show_frame);
    cases_map("first functions of threads", show_root);
}

/* The number of samples left of 12, of which 1 and 2, 4 to 6, and 9 to 12 are broken. */
static void check_left(unsigned gaps, unsigned left)
{
    static const row whole = {0, 0, {START, RUN}, 2}, broken = {0, 0, {RUN}, 1};
    static const gboolean is_whole[] = {0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0};
    row rows[G_N_ELEMENTS(is_whole) + 1] = {0};
    for (unsigned i = 0; i < G_N_ELEMENTS(is_whole); i++) {
        rows[i] = is_whole[i] ? whole : broken;
        rows[i].time_ns = (i + 1) * UINT64_C(1000000);
    }
    g_autofree char *text = write_rows(rows, gaps);
    const char *samples = strstr(text, "\"samples\""), *end = strstr(samples, "\"schema\"");
    g_autofree char *part = g_strndup(samples, (gsize)(end - samples));
    ck_assert_uint_eq(count(part, ", 0]"), left);
}

TEST(drops_short_runs_of_broken_stacks)
{
    check_left(0, 12);
    check_left(1, 12);
    check_left(2, 10);
    check_left(3, 7);
    check_left(4, 3);
    check_left(100, 3);
}

TEST(drops_a_thread_without_remaining_samples)
{
    static const row rows[] = {
        {0, 1, {RUN}, 1}, {0, 2, {RUN}, 1}, {1, 3, {START}, 1}, {0, 0, {0}, 0}};
    char *text = write_rows(rows, 2);
    ck_assert_uint_eq(count(text, "\"tid\""), 1);
    check_has(text, "\"threads\": [{\"frameTable\"");
    g_free(text);
    text = write_rows(rows, 1);
    ck_assert_uint_eq(count(text, "\"tid\""), 2);
    g_free(text);
}

/* Other recorders may not name the start of a thread. */
TEST(keeps_a_thread_of_another_recorder)
{
    static const row rows[] = {
        {0, 1, {RUN}, 1}, {0, 2, {RUN}, 1}, {1, 3, {START}, 1}, {1, 4, {RUN}, 1}, {0, 0, {0}, 0}};
    producer = "perf";
    g_autofree char *text = write_rows(rows, 2);
    producer = "simpleperf";
    ck_assert_uint_eq(count(text, "\"tid\""), 2);
}
