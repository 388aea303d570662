#include "render/chart/chart_markers.h"
#include "suite.h"

enum { VSYNC, CRASH, HEAP, FPS, SERIES };

static const af_marker_series names[SERIES] = {
    {"vsync", AF_MARKER_INSTANT, AF_NO_PROCESS, 3, NULL},
    {"crash", AF_MARKER_INSTANT, 1, 2, NULL},
    {"heap", AF_MARKER_COUNTER, 0, 4, NULL},
    {"fps", AF_MARKER_COUNTER, AF_NO_PROCESS, 1, NULL},
};

static const af_profile_process processes[] = {{"7", NULL}, {"8", "shop"}};

/* Threads 0 and 2 of the profile that was read. */
static void make_profile(af_profile *profile, af_profile *read, af_thread threads[3],
                         const af_marker *marks, size_t n)
{
    *read = (af_profile){.n_threads = 3};
    threads[0] = (af_thread){.number = 0};
    threads[1] = (af_thread){.number = 2};
    *profile = (af_profile){.base = read,
                            .threads = threads,
                            .n_threads = 2,
                            .processes = processes,
                            .n_processes = 2,
                            .markers = {names, SERIES, marks, n, 0, 0}};
}

static const af_instant *instant_at(const af_chart_markers *markers, uint32_t track, size_t i)
{
    return af_array_at(&markers->instants[track], i);
}

static const af_value *value_at(const af_chart_markers *markers, uint32_t counter, size_t i)
{
    return af_array_at(&markers->counters[counter].values, i);
}

TEST(markers_are_assigned_to_their_tracks)
{
    static const af_marker marks[] = {
        {-5, 0, CRASH, UINT32_MAX}, {-4, 7000, HEAP, UINT32_MAX}, {10, 0, VSYNC, 2},
        {20, 0, VSYNC, 1},          {30, 9000, HEAP, UINT32_MAX}, {40, 0, CRASH, UINT32_MAX},
        {100, -500, HEAP, 0},       {101, 0, VSYNC, 0},           {102, 1, FPS, 0},
    };
    af_profile profile, read;
    af_thread threads[3];
    make_profile(&profile, &read, threads, marks, G_N_ELEMENTS(marks));
    g_autoptr(af_chart_markers) markers = af_chart_markers_new(&profile, NULL, 0, 0, 100);
    ck_assert_uint_eq(af_chart_markers_n_instants(markers, 0), 0);
    ck_assert_uint_eq(af_chart_markers_n_instants(markers, 1), 1);
    ck_assert_uint_eq(instant_at(markers, 1, 0)->time_ns, 10);
    ck_assert_uint_eq(af_chart_markers_n_instants(markers, 2), 1);
    ck_assert_uint_eq(instant_at(markers, 2, 0)->series, CRASH);
    ck_assert_uint_eq(markers->outside, 2);
    ck_assert_uint_eq(markers->n_counters, 2);
    const af_counter *heap = &markers->counters[0];
    ck_assert_uint_eq(heap->series, HEAP);
    ck_assert_uint_eq(heap->values.n, 3);
    ck_assert_uint_eq(heap->n, 2);
    ck_assert_uint_eq(value_at(markers, 0, 0)->time_ns, 0);
    ck_assert_int_eq(value_at(markers, 0, 0)->thousandths, 7000);
    ck_assert_int_eq(heap->most, 9000);
    ck_assert_int_eq(heap->least, -500);
    ck_assert_uint_eq(markers->counters[1].values.n, 0);
    ck_assert_uint_eq(markers->n_shown, 1); /* the other one never changes */
}

TEST(the_last_value_before_the_axis_counts)
{
    static const af_marker marks[] = {
        {1, 1000, HEAP, 0}, {2, 2000, HEAP, 0}, {50, 3000, HEAP, 0}, {50, 4000, HEAP, 0}};
    af_profile profile, read;
    af_thread threads[3];
    make_profile(&profile, &read, threads, marks, G_N_ELEMENTS(marks));
    g_autoptr(af_chart_markers) markers = af_chart_markers_new(&profile, NULL, 0, 10, 60);
    ck_assert_uint_eq(markers->counters[0].values.n, 3);
    ck_assert_uint_eq(value_at(markers, 0, 0)->time_ns, 10);
    ck_assert_int_eq(value_at(markers, 0, 0)->thousandths, 2000);
    ck_assert_int_eq(value_at(markers, 0, 2)->thousandths, 4000);
}

TEST(counters_of_other_processes_follow)
{
    static const af_marker_series series[] = {
        {"other", AF_MARKER_COUNTER, 0, 9, NULL},
        {"constant", AF_MARKER_COUNTER, 1, 2, NULL},
        {"global", AF_MARKER_COUNTER, AF_NO_PROCESS, 2, NULL},
        {"own", AF_MARKER_COUNTER, 1, 2, NULL},
    };
    static const af_marker marks[] = {
        {1, 1000, 0, UINT32_MAX}, {1, 1000, 1, UINT32_MAX}, {1, 1000, 2, UINT32_MAX},
        {1, 1000, 3, UINT32_MAX}, {2, 2000, 0, UINT32_MAX}, {2, 1000, 1, UINT32_MAX},
        {2, 2000, 2, UINT32_MAX}, {2, 2000, 3, UINT32_MAX},
    };
    static const uint32_t drawn[] = {0};
    const char *const order[] = {"global", "own", "other", "constant"};
    af_profile profile, read;
    af_thread threads[3];
    make_profile(&profile, &read, threads, marks, G_N_ELEMENTS(marks));
    profile.markers.series = series;
    threads[0].process = 1;
    g_autoptr(af_chart_markers) markers = af_chart_markers_new(&profile, drawn, 1, 0, 100);
    ck_assert_uint_eq(markers->n_shown, 2);
    for (uint32_t i = 0; i < markers->n_counters; i++) {
        ck_assert_str_eq(series[markers->counters[i].series].name, order[i]);
    }
}

/* No data is lost: instants are counted, the maximum and the last value survive. */
TEST(merged_instants_are_counted)
{
    enum { N = 20000 };
    g_autofree af_marker *marks = g_new0(af_marker, 2 * N);
    for (unsigned i = 0; i < N; i++) {
        marks[2 * i] = (af_marker){i * 10, 0, i % 2, 0};
        marks[2 * i + 1] = (af_marker){i * 10, i == 777 ? 5000 : 1000 + i % 7, HEAP, 0};
    }
    af_profile profile, read;
    af_thread threads[3];
    make_profile(&profile, &read, threads, marks, 2 * (size_t)N);
    g_autoptr(af_chart_markers) markers = af_chart_markers_new(&profile, NULL, 0, 0, N * 10);
    ck_assert_uint_eq(markers->n, 2 * N);
    af_chart_markers_thin(markers, 2 * N);
    ck_assert_uint_eq(markers->grain_ns, 0);
    af_chart_markers_thin(markers, 1000);
    ck_assert_uint_le(markers->n, 1000);
    ck_assert_uint_gt(markers->grain_ns, 0);
    uint64_t n = 0, before_ns = 0;
    for (uint32_t i = 0; i < af_chart_markers_n_instants(markers, 0); i++) {
        const af_instant *instant = instant_at(markers, 0, i);
        ck_assert(instant->time_ns <= instant->end_ns && instant->time_ns >= before_ns);
        before_ns = instant->end_ns;
        n += instant->n;
    }
    ck_assert_uint_eq(n, N);
    const af_array *values = &markers->counters[0].values;
    int64_t most = 0;
    for (size_t i = 0; i < values->n; i++) {
        most = MAX(most, AF_ARRAY_AT(values, af_value, i).thousandths);
    }
    ck_assert_int_eq(most, 5000);
    ck_assert_int_eq(AF_ARRAY_AT(values, af_value, values->n - 1).thousandths,
                     marks[2 * N - 1].thousandths);
}

TEST(the_busiest_counters_are_drawn)
{
    enum { N = AF_COUNTERS_DRAWN + 3 };
    af_marker_series many[N];
    for (unsigned i = 0; i < N; i++) {
        many[i] = (af_marker_series){"c", AF_MARKER_COUNTER, AF_NO_PROCESS, i + 1, NULL};
    }
    const af_profile profile = {.markers = {many, N, NULL, 0, 0, 0}};
    g_autoptr(af_chart_markers) markers = af_chart_markers_new(&profile, NULL, 0, 0, 1);
    ck_assert_uint_eq(markers->n_counters, AF_COUNTERS_DRAWN);
    ck_assert_uint_eq(markers->left_out, 3);
    ck_assert_uint_eq(markers->counters[0].series, 3);
    af_chart_markers_thin(markers, 0);
}

TEST(values_and_processes_are_spelled_out)
{
    static const struct {
        int64_t thousandths;
        const char *text_expected;
    } rows[] = {{0, "0"},       {1000, "1"},     {1234567, "1,234.567"},
                {-500, "-0.5"}, {100000, "100"}, {INT64_MIN, "-9,223,372,036,854,775.808"}};
    char text[AF_VALUE_SIZE];
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        ck_assert_str_eq(af_value_format(text, rows[i].thousandths), rows[i].text_expected);
    }
    af_profile profile, read;
    af_thread threads[3];
    make_profile(&profile, &read, threads, NULL, 0);
    g_autofree char *heap = af_chart_markers_process(&profile, HEAP),
                    *crash = af_chart_markers_process(&profile, CRASH);
    ck_assert_str_eq(heap, "process 7");
    ck_assert_str_eq(crash, "shop");
    ck_assert_ptr_null(af_chart_markers_process(&profile, VSYNC));
}
