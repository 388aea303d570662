#include "made_profile.h"
#include "read/protobuf.h"
#include "suite.h"

enum { TIME_NANOS = 9 };

/* The date in the file; 0 = none. */
static int64_t write_date(uint64_t start_us)
{
    const made_row rows[] = {{1, "x", {1000, 0}}, {0, NULL, {0, 0}}};
    const uint32_t thread = 0;
    g_autoptr(af_profile) profile = made_profile_new(1u << AF_WALL);
    made_thread_add(profile, 1, "main", "main", rows);
    profile->facts.recording.has_start = TRUE;
    profile->facts.recording.start = start_us;
    profile->facts.recording.start_tick_ns = 1000;
    const af_selection selection = {.clock = AF_WALL, .threads = &thread, .n_threads = 1};
    g_autoptr(GByteArray) bytes = made_export(&af_exporter_pprof, profile, &selection, NULL);
    ck_assert_ptr_nonnull(bytes);
    int64_t date = 0;
    for (af_protobuf p = af_protobuf_begin(bytes->data, bytes->len); af_protobuf_next(&p);) {
        date = p.field == TIME_NANOS ? (int64_t)p.number : date;
    }
    return date;
}

/* The field holds nanoseconds since 1970 in 63 bits. */
TEST(dates_outside_the_field_are_omitted)
{
    ck_assert_int_eq(write_date(UINT64_C(1600000000) * 1000000), INT64_C(1600000000000000000));
    ck_assert_int_eq(write_date(UINT64_C(9223372036) * 1000000), INT64_C(9223372036000000000));
    ck_assert_int_eq(write_date(UINT64_C(9223372037) * 1000000), 0);
    ck_assert_int_eq(write_date(UINT64_C(253402300799) * 1000000), 0);
    ck_assert_int_eq(write_date(5), 0);
}
