#include "calls/sample_timeline.h"
#include "suite.h"

enum { MAIN, WORK, IO };

typedef struct {
    GString *text;
    unsigned left; /* number of edges after which the observer stops; 0 = never */
} listener;

static gboolean tell(listener *l, char sign, const af_sample_edge *m, GError **error)
{
    static const char *const names[] = {"main", "work", "io"};
    g_string_append_printf(l->text, "%u %c%s %u w%u n%u\n", m->thread, sign, names[m->label],
                           (unsigned)m->time_ns, (unsigned)m->weight[AF_WALL],
                           (unsigned)m->samples);
    if (l->left > 0 && --l->left == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_OUTPUT, "enough");
        return FALSE;
    }
    return TRUE;
}

static gboolean enter(void *user, const af_sample_edge *m, GError **error)
{
    return tell(user, '+', m, error);
}

static gboolean leave(void *user, const af_sample_edge *m, GError **error)
{
    return tell(user, '-', m, error);
}

static void add(af_sample_timeline *timeline, uint32_t thread, uint64_t time_ns, uint64_t weight,
                size_t n, const uint32_t *labels)
{
    const af_sample sample = {
        .thread = thread, .methods = labels, .n = n, .weight = {weight, 0}, .time_ns = time_ns};
    ck_assert(af_sample_timeline_add(timeline, &sample, NULL));
}

#define ADD(timeline, thread, time_ns, weight, ...)                                                \
    add(timeline, thread, time_ns, weight, G_N_ELEMENTS(((const uint32_t[]){__VA_ARGS__})),        \
        (const uint32_t[]){__VA_ARGS__})

static char *listen(af_sample_timeline *timeline, uint64_t end_ns)
{
    listener l = {g_string_new(NULL), 0};
    const af_sample_edge_observer observer = {enter, leave, &l};
    ck_assert(af_sample_timeline_walk(timeline, end_ns, &observer, NULL));
    af_sample_timeline_free(timeline);
    return g_string_free(l.text, FALSE);
}

static void check_events(af_sample_timeline *timeline, uint64_t end_ns, const char *expected)
{
    g_autofree char *text = listen(timeline, end_ns);
    ck_assert_str_eq(text, expected);
}

TEST(common_frames_are_merged)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    ADD(m, 0, 100, 5, MAIN, WORK);
    ADD(m, 0, 110, 6, MAIN, WORK, IO);
    ADD(m, 0, 120, 7, MAIN, IO);
    ck_assert_uint_eq(af_sample_timeline_interval_ns(m), 10);
    ck_assert_uint_eq(af_sample_timeline_n(m), 3);
    check_events(m, UINT64_MAX,
                 "0 +main 100 w0 n0\n"
                 "0 +work 100 w0 n0\n"
                 "0 +io 110 w5 n1\n"
                 "0 -io 120 w11 n2\n"
                 "0 -work 120 w11 n2\n"
                 "0 +io 120 w11 n2\n"
                 "0 -io 130 w18 n3\n"
                 "0 -main 130 w18 n3\n");
}

TEST(a_gap_has_no_frames)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    ADD(m, 0, 0, 1, MAIN);
    ADD(m, 0, 10, 1, MAIN);
    ADD(m, 0, 50, 1, MAIN); /* four intervals away: continues */
    ADD(m, 0, 91, 1, MAIN); /* more */
    ADD(m, 0, 101, 1, MAIN);
    ADD(m, 0, 111, 1, MAIN);
    ck_assert_uint_eq(af_sample_timeline_interval_ns(m), 10);
    check_events(m, UINT64_MAX,
                 "0 +main 0 w0 n0\n"
                 "0 -main 60 w3 n3\n"
                 "0 +main 91 w3 n3\n"
                 "0 -main 121 w6 n6\n");
}

TEST(a_sample_with_a_duration_lasts_that_long)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_AT_LEAST);
    ADD(m, 0, 0, 10, WORK);
    ADD(m, 0, 10, 70, IO);
    ADD(m, 0, 90, 10, WORK);
    ADD(m, 0, 100, 500, WORK);
    check_events(m, 300,
                 "0 +work 0 w0 n0\n"
                 "0 -work 10 w10 n1\n"
                 "0 +io 10 w10 n1\n"
                 "0 -io 80 w80 n2\n"
                 "0 +work 90 w80 n2\n"
                 "0 -work 300 w590 n4\n");
}

/* A sample never lasts longer than declared, however near the next one is. */
TEST(durations_are_exact_if_all_samples_have_one)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_EXACTLY);
    ADD(m, 0, 0, 10, MAIN, WORK);
    ADD(m, 0, 10, 5, MAIN, IO);
    ADD(m, 0, 20, 1000, MAIN);
    ADD(m, 0, 30, 1000, MAIN, IO);
    check_events(m, 300,
                 "0 +main 0 w0 n0\n"
                 "0 +work 0 w0 n0\n"
                 "0 -work 10 w10 n1\n"
                 "0 +io 10 w10 n1\n"
                 "0 -io 15 w15 n2\n"
                 "0 -main 15 w15 n2\n"
                 "0 +main 20 w15 n2\n"
                 "0 +io 30 w1015 n3\n"
                 "0 -io 300 w2015 n4\n"
                 "0 -main 300 w2015 n4\n");
}

TEST(samples_of_several_threads_in_any_order)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    ADD(m, 1, 30, 1, MAIN);
    ADD(m, 0, 20, 1, MAIN);
    ADD(m, 1, 40, 1, MAIN);
    ADD(m, 1, 10, 1, MAIN);
    ADD(m, 0, 20, 1, WORK);
    ADD(m, 1, 20, 1, MAIN);
    check_events(m, 45,
                 "0 +main 20 w0 n0\n"
                 "0 -main 20 w1 n1\n"
                 "0 +work 20 w1 n1\n"
                 "0 -work 30 w2 n2\n"
                 "1 +main 10 w0 n0\n"
                 "1 -main 45 w4 n4\n");
}

/* One thread with one sample: no interval and no duration. */
TEST(one_sample_has_no_duration)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    ADD(m, 0, UINT64_MAX, UINT64_MAX, MAIN);
    ck_assert_uint_eq(af_sample_timeline_interval_ns(m), 0);
    g_autofree char *text = listen(m, UINT64_MAX);
    ck_assert(g_str_has_prefix(text, "0 +main"));
    check_events(af_sample_timeline_new(AF_LASTS_UNKNOWN), UINT64_MAX, "");
}

TEST(intervals_have_two_digits)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    ADD(m, 0, 1000, 1, MAIN);
    ADD(m, 0, 1000 + 765432, 1, MAIN);
    ck_assert_uint_eq(af_sample_timeline_interval_ns(m), 770000);
    af_sample_timeline_free(m);
}

TEST(an_observer_may_stop)
{
    af_sample_timeline *m = af_sample_timeline_new(AF_LASTS_UNKNOWN);
    listener l = {g_string_new(NULL), 2};
    const af_sample_edge_observer observer = {enter, leave, &l};
    g_autoptr(GError) error = NULL;
    ADD(m, 0, 0, 1, MAIN, WORK, IO);
    ck_assert(!af_sample_timeline_walk(m, UINT64_MAX, &observer, &error));
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_OUTPUT));
    ck_assert_str_eq(l.text->str, "0 +main 0 w0 n0\n0 +work 0 w0 n0\n");
    g_string_free(l.text, TRUE);
    af_sample_timeline_free(m);
}
