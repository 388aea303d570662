#include "export/calls.h"
#include "made_profile.h"
#include "suite.h"

enum { THREADS = 5 };

typedef struct {
    gboolean entered;
    uint32_t label, depth;
    uint64_t ns;
} call_edge;

/* A file in which all threads make the same calls; their records alternate. */
typedef struct {
    const call_edge *edges;
    unsigned n, late; /* delay in ns from one thread to the next */
    uint32_t n_threads;
    unsigned readings;
} file;

/* Three calls, one nested and one after them. */
static const call_edge three[] = {
    {TRUE, 1, 0, 0},           {TRUE, 300, 1, 1000000007}, {FALSE, 300, 1, 2000000014},
    {FALSE, 1, 0, 3000000021}, {TRUE, 2, 0, 4000000028},   {FALSE, 2, 0, 5000000035}};

static gboolean walk_file(void *user, const guint8 *selected, const af_observer *observer,
                          GError **error)
{
    file *f = user;
    f->readings++;
    for (unsigned i = 0; i < f->n; i++) {
        const call_edge *e = &f->edges[i];
        for (uint32_t t = 0; t < f->n_threads; t++) {
            const af_call_event event = {.thread = t,
                                         .label = e->label,
                                         .depth = e->depth,
                                         .time_ns = {e->ns + t * f->late, e->ns / 2}};
            if ((selected == NULL || selected[t]) &&
                !(e->entered ? observer->enter : observer->leave)(observer->user, &event, NULL)) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

/* ---- observed events ---- */

static void append_event(GString *events, char what, const af_call_event *edge)
{
    g_string_append_printf(events, " %c%u/%u@%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, what,
                           edge->label, edge->depth, edge->time_ns[AF_WALL], edge->time_ns[AF_CPU]);
}

static gboolean on_begin(void *user, uint32_t thread, unsigned round, GError **error)
{
    g_string_append_printf(user, "[%u.%u", thread, round);
    return TRUE;
}

static bool on_enter(void *user, const af_call_event *edge, GError **error)
{
    append_event(user, '+', edge);
    return TRUE;
}

static bool on_leave(void *user, const af_call_event *edge, GError **error)
{
    append_event(user, '-', edge);
    return TRUE;
}

static gboolean on_end(void *user, uint32_t thread, unsigned round, GError **error)
{
    g_string_append(user, "]\n");
    return TRUE;
}

static GString *expect_threads(const uint32_t *threads, uint32_t n, unsigned rounds)
{
    GString *expected = g_string_new(NULL);
    const af_observer observer = {on_enter, on_leave, NULL, expected, NULL};
    for (uint32_t i = 0; i < n * rounds; i++) {
        const uint32_t thread = threads[i / rounds];
        guint8 selected[THREADS] = {0};
        file f = {three, G_N_ELEMENTS(three), 1, THREADS, 0};
        selected[thread] = 1;
        on_begin(expected, thread, i % rounds, NULL);
        walk_file(&f, selected, &observer, NULL);
        on_end(expected, thread, i % rounds, NULL);
    }
    return expected;
}

/* Threads with these declared call counts take this many readings. */
static void check_walk(const uint64_t *calls, const uint32_t *threads, uint32_t n, unsigned rounds,
                       unsigned readings)
{
    const made_row rows[] = {{0, NULL, {0, 0}}};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    for (uint32_t t = 0; t < THREADS; t++) {
        made_thread_add(profile, t + 1, "x", "x", rows)->calls = calls[t];
    }
    file f = {three, G_N_ELEMENTS(three), 1, THREADS, 0};
    const af_call_source source = {walk_file, &f};
    const af_selection selection = {.threads = threads, .n_threads = n, .calls = &source};
    g_autoptr(GString) events = g_string_new(NULL), expected = expect_threads(threads, n, rounds);
    const af_thread_observer observer = {rounds, on_begin, on_enter, on_leave, on_end, events};
    ck_assert(af_export_walk_threads(profile, &selection, &observer, NULL));
    ck_assert_str_eq(events->str, expected->str);
    ck_assert_uint_eq(f.readings, readings);
}

TEST(walks_thread_by_thread_in_few_readings)
{
    static const uint32_t all[] = {0, 1, 2, 3, 4}, some[] = {1, 3};
    static const uint64_t few[THREADS] = {3, 3, 3, 3, 3};
    const uint64_t m = UINT64_C(1) << 20; /* 4 of these fit */
    const uint64_t many[THREADS] = {m, m, 100 * m, m, 3 * m};
    const uint64_t huge[THREADS] = {5 * m, 5 * m, 5 * m, 5 * m, 5 * m};
    check_walk(few, all, 5, 1, 1);
    check_walk(few, some, 2, 1, 1);
    check_walk(few, some, 1, 1, 1);
    check_walk(few, some, 0, 1, 0);
    check_walk(many, all, 5, 1, 3);
    check_walk(many, some, 2, 1, 1);
    check_walk(huge, all, 5, 1, 5);
    check_walk(few, all, 5, 3, 1);
    check_walk(few, some, 1, 3, 3);
    check_walk(many, all, 5, 2, 4);
}

/* ---- samples and calls together ---- */

/* Both threads: a from 0 to 10, in it b from 2 to 5; a again from 30 to 40. */
static const call_edge nested[] = {{TRUE, 0, 0, 0},   {TRUE, 1, 1, 2},  {FALSE, 1, 1, 5},
                                   {FALSE, 0, 0, 10}, {TRUE, 0, 0, 30}, {FALSE, 0, 0, 40}};

/* The output within `most` bytes if the second thread was sampled; "" if the export is refused. */
static char *write_speedscope(uint64_t most, unsigned *readings)
{
    static const made_row rows[] = {{1, "a", {17, 0}}, {2, "b", {3, 0}}, {0, NULL, {0, 0}}};
    static const uint32_t threads[] = {0, 1};
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    for (unsigned t = 0; t < 2; t++) {
        af_thread *thread = made_thread_add(profile, t + 1, "x", t == 0 ? "calls" : "seen", rows);
        thread->records = 6;
        thread->max_depth = 2;
        thread->sampled = t == 1;
    }
    file f = {nested, G_N_ELEMENTS(nested), 0, 2, 0};
    const af_call_source source = {walk_file, &f};
    const af_selection selection = {
        .clock = AF_WALL, .threads = threads, .n_threads = 2, .most_bytes = most, .calls = &source};
    g_autoptr(GError) error = NULL;
    GByteArray *bytes = made_export(&af_exporter_speedscope, profile, &selection, &error);
    ck_assert(bytes != NULL || g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    *readings = f.readings;
    return bytes == NULL ? g_strdup("") : (char *)g_byte_array_free(bytes, FALSE);
}

/* The stacks are a, a b, a, none, a. The text is measured beforehand if it might be too long: six
 * records two deep take 48 bytes, these stacks 20. */
TEST(speedscope_gets_samples_in_time_order)
{
    static const struct {
        uint64_t most;
        unsigned readings;
    } limits[] = {{0, 3}, {48, 3}, {47, 4}, {20, 4}};
    unsigned readings;
    for (unsigned i = 0; i < G_N_ELEMENTS(limits); i++) {
        g_autofree char *text = write_speedscope(limits[i].most, &readings);
        ck_assert_ptr_nonnull(strstr(text, "\"evented\",\"name\":\"calls\""));
        ck_assert_ptr_nonnull(strstr(text, "\"sampled\",\"name\":\"seen\",\"unit\":\"nanoseconds\","
                                           "\"samples\":[\n[0],\n[0,1],\n[0],\n[],\n[0]],"
                                           "\"weights\":[\n2,\n3,\n5,\n20,\n10],"
                                           "\"startValue\":0,\"endValue\":40}"));
        ck_assert_uint_eq(readings, limits[i].readings);
    }
    g_autofree char *text = write_speedscope(19, &readings);
    ck_assert_str_eq(text, "");
}
