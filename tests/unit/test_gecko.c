#include <string.h>

#include "made_profile.h"
#include "suite.h"

/* The methods, whose indices are also those of their labels. */
enum { START, RUN, SLEEP, READ, NATIVE };

static struct {
    const char *name, *library, *nowhere;
} methods[] = {
    [START] = {"__start_thread", "/lib64/libc.so", NULL},
    [RUN] = {"a.B.run", "/data/base.vdex", NULL},
    [SLEEP] = {"a.B.sleep", "[JIT app cache]", NULL},
    [READ] = {"__schedule", "[kernel.kallsyms]", NULL},
    [NATIVE] = {"x\"y", NULL, NULL},
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
    const made_row all[] = {{1, methods[START].name, {1, 0}},  {2, methods[RUN].name, {1, 0}},
                            {3, methods[SLEEP].name, {1, 0}},  {3, methods[READ].name, {1, 0}},
                            {1, methods[NATIVE].name, {1, 0}}, {0, NULL, {0, 0}}};
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

/* The Firefox Profiler ends a library at the first bracket, and takes 0x for an address. */
TEST(names_cannot_be_misread)
{
    static const row rows[] = {{0, 1, {START, READ}, 2}, {0, 0, {0}, 0}};
    methods[READ].name = "0x12 (y)";
    methods[READ].library = "/data/a (2)/b).so";
    g_autofree char *text = write_rows(rows, 3);
    check_has(text, "\"at 0x12 (y) (in /data/a (2_/b_.so)\"");
    methods[READ].name = "__schedule";
    methods[READ].library = "[kernel.kallsyms]";
}

/* The names that Android uses, not ours. */
TEST(frames_without_a_symbol_are_named_by_address)
{
    static const row rows[] = {{0, 1, {START, READ}, 2}, {0, 0, {0}, 0}};
    methods[READ].name = "[unknown]";
    methods[READ].library = "unknown";
    methods[READ].nowhere = "7f0012";
    g_autofree char *text = write_rows(rows, 3);
    check_has(text, "\"unknown[+7f0012] (in unknown)\"]");
    check_has(text, "[1, false, 0, null, null, null, null, 0, 0]]");
    methods[READ].name = "__schedule";
    methods[READ].library = "[kernel.kallsyms]";
    methods[READ].nowhere = NULL;
}

TEST(escapes_names)
{
    static const row rows[] = {{0, 1, {NATIVE}, 1}, {0, 0, {0}, 0}};
    g_autofree char *text = write_rows(rows, 0);
    check_has(text, "\"stringTable\": [\"x\\\"y (in unknown)\"]");
    check_has(text, "[[0, 0.000001, 0]]");
}

/* The colour of a frame follows the location of its code, as the generator derives it from the end
 * of the name; only one kernel function counts by its own name. */
TEST(colours_follow_the_location_of_the_code)
{
    static const struct {
        const char *name, *library;
        unsigned category;
    } kinds[] = {
        {"f", "[kernel.kallsyms]", 1},
        {"f", "/vendor/wifi.ko", 1},
        {"__schedule", "/v/wifi.ko", 5},
        {"__schedule", "/l.so", 2},
        {"f", "/lib64/libc.so", 2},
        {"f", "/a.apk!/lib/l.so", 2},
        {"f", "/base.vdex", 3},
        {"f", "/base.apk", 3},
        {"f", "/core-oj.jar", 3},
        {"f", "/boot.oat", 4},
        {"f", "/base.odex", 4},
        {"f", "[JIT app cache]", 7},
        {"f", "[JIT cache]", 0},
        {"f", "[vdso]", 0},
        {"f", "/system/bin/app_process64", 0},
        {"f.so", "/bin/x", 0},
        {"f", "/x.so.1", 0},
        {"f", "[kernel.kallsyms]_text", 0},
    };
    static const row rows[] = {{0, 1, {START, READ}, 2}, {0, 0, {0}, 0}};
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        methods[READ].name = kinds[i].name;
        methods[READ].library = kinds[i].library;
        g_autofree char *text = write_rows(rows, 3);
        g_autofree char *frame =
            g_strdup_printf("[1, false, 0, null, null, null, null, %u, 0]]", kinds[i].category);
        check_has(text, frame);
    }
    methods[READ].name = "__schedule";
    methods[READ].library = "[kernel.kallsyms]";
}

/* A stack is complete if it reaches one of two functions, matched by their whole names. */
TEST(recognises_the_first_function_of_threads)
{
    static const struct {
        const char *name;
        unsigned left;
    } kinds[] = {
        {"__libc_init", 1}, {"__start_thread", 1}, {"__start_thread2", 0}, {"x__libc_init", 0}};
    static const row rows[] = {{0, 1, {START, RUN}, 2}, {0, 0, {0}, 0}};
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        methods[START].name = kinds[i].name;
        g_autofree char *text = write_rows(rows, 3);
        ck_assert_uint_eq(count(text, "\"tid\""), kinds[i].left);
    }
    methods[START].name = "__start_thread";
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
