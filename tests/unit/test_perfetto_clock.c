/* Clocks of Perfetto traces: snapshots relate them, times are converted with those read so far. */
#include "build/profile_builder.h"
#include "read/perfetto/perfetto.h"

#include <string.h>

#include "made_message.h"
#include "suite.h"

enum { REALTIME = 1, MONOTONIC = 3, RAW = 5, BOOTTIME = 6, OWN = 64 };

static af_sink *sink;
static af_perfetto_clocks *clocks;

static void begin(void)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    sink = af_sink_new(&options);
    clocks = af_perfetto_clocks_new(sink);
}

static void end(void)
{
    af_perfetto_clocks_free(clocks);
    af_sink_free(sink);
}

typedef struct {
    uint64_t clock, value, unit;
    gboolean incremental;
} reading;

/* `primary` 0 = not stated. */
static void snap(uint32_t sequence, uint64_t primary, const reading *readings, unsigned n)
{
    g_autoptr(GByteArray) snapshot = g_byte_array_new(), one = g_byte_array_new();
    for (unsigned i = 0; i < n; i++) {
        made_number(one, 1, readings[i].clock);
        made_number(one, 2, readings[i].value);
        made_number(one, 3, readings[i].incremental != FALSE);
        made_number(one, 4, readings[i].unit);
        made_message(snapshot, 1, one);
    }
    if (primary != 0) {
        made_number(snapshot, 2, primary);
    }
    const af_protobuf field = {.bytes = snapshot->data, .length = snapshot->len};
    af_perfetto_clocks_take_snapshot(clocks, &field, sequence);
}

static void snap_two(uint64_t clock, uint64_t value, uint64_t other, uint64_t other_value)
{
    const reading readings[] = {{clock, value, 0, FALSE}, {other, other_value, 0, FALSE}};
    snap(1, 0, readings, 2);
}

static int64_t convert(uint64_t key, int64_t time)
{
    int64_t ns = -1;
    return af_perfetto_clocks_convert(clocks, key, time, &ns) ? ns : -1;
}

TEST(the_snapshot_before_a_time_counts)
{
    begin();
    snap_two(BOOTTIME, 1000, MONOTONIC, 100);
    snap_two(BOOTTIME, 2000, MONOTONIC, 1090);
    ck_assert_int_eq(convert(MONOTONIC, 50), 950); /* before the first: the first */
    ck_assert_int_eq(convert(MONOTONIC, 100), 1000);
    ck_assert_int_eq(convert(MONOTONIC, 1089), 1989);
    ck_assert_int_eq(convert(MONOTONIC, 1090), 2000);
    ck_assert_int_eq(convert(MONOTONIC, 5000), 5910);
    ck_assert_int_eq(convert(MONOTONIC, 100), 1000); /* after a later one */
    ck_assert_int_eq(convert(BOOTTIME, 77), 77);
    end();
}

TEST(clocks_are_related_through_others)
{
    begin();
    snap_two(BOOTTIME, 1000, MONOTONIC, 100);
    snap_two(MONOTONIC, 150, RAW, 7);
    ck_assert_int_eq(convert(RAW, 8), 1051);
    ck_assert_int_eq(convert(9, 8), -1);
    snap_two(RAW, 10, 9, 1);
    ck_assert_int_eq(convert(9, 2), 1054);
    end();
}

TEST(a_clock_that_went_back_is_no_source)
{
    begin();
    snap_two(BOOTTIME, 1000, REALTIME, 500);
    ck_assert_int_eq(convert(REALTIME, 501), 1001);
    snap_two(BOOTTIME, 2000, REALTIME, 400);
    ck_assert_int_eq(convert(REALTIME, 501), -1);
    end();
}

TEST(the_first_declared_clock_is_that_of_the_trace)
{
    const reading readings[] = {{BOOTTIME, 1000, 0, FALSE}, {MONOTONIC, 100, 0, FALSE}};
    begin();
    ck_assert_uint_eq(af_perfetto_clocks_default(clocks), 0);
    snap(1, MONOTONIC, readings, 2);
    ck_assert_uint_eq(af_perfetto_clocks_default(clocks), MONOTONIC);
    ck_assert_str_eq(af_perfetto_clocks_name(clocks), "MONOTONIC");
    ck_assert_int_eq(convert(BOOTTIME, 1005), 105);
    snap(1, BOOTTIME, readings, 2); /* too late: only the default changes */
    ck_assert_uint_eq(af_perfetto_clocks_default(clocks), BOOTTIME);
    ck_assert_int_eq(convert(BOOTTIME, 1005), 105);
    end();
}

TEST(clocks_of_a_sequence_count_steps)
{
    const reading readings[] = {{BOOTTIME, 1000, 0, FALSE}, {OWN, 5, 100, TRUE}};
    begin();
    snap(3, 0, readings, 2);
    const uint64_t key = af_perfetto_clock_key(OWN, 3);
    ck_assert_uint_ne(key, af_perfetto_clock_key(OWN, 4));
    ck_assert_uint_eq(af_perfetto_clock_key(BOOTTIME, 3), af_perfetto_clock_key(BOOTTIME, 4));
    ck_assert_int_eq(convert(key, af_perfetto_clocks_step(clocks, key, 2)), 1200);
    ck_assert_int_eq(convert(key, af_perfetto_clocks_step(clocks, key, 3)), 1500);
    snap(3, 0, readings, 2); /* sets the running value */
    ck_assert_int_eq(convert(key, af_perfetto_clocks_step(clocks, key, 1)), 1100);
    /* a clock of no known unit is taken as it is */
    ck_assert_int_eq(af_perfetto_clocks_step(clocks, 99, 7), 7);
    end();
}

TEST(invalid_snapshots_are_ignored)
{
    const reading other_unit[] = {{BOOTTIME, 5000, 0, FALSE}, {MONOTONIC, 1, 1000, FALSE}};
    const reading twice[] = {{BOOTTIME, 5000, 0, FALSE}, {BOOTTIME, 1, 0, FALSE}};
    const reading counted[] = {{BOOTTIME, 5000, 0, FALSE}, {RAW, 1, 0, TRUE}};
    const reading huge[] = {{BOOTTIME, UINT64_MAX, 0, FALSE}, {RAW, 1, 0, FALSE}};
    begin();
    snap_two(BOOTTIME, 1000, MONOTONIC, 100);
    snap(1, 0, other_unit, 2);
    snap(1, 0, twice, 2);
    snap(1, 0, counted, 2);
    snap(1, 0, huge, 2);
    ck_assert_int_eq(convert(MONOTONIC, 200), 1100);
    ck_assert_int_eq(convert(RAW, 1), -1);
    end();
}
