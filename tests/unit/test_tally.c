#include "base/tally.h"
#include "suite.h"

TEST(counts_by_id)
{
    af_tally tally;
    af_tally_init(&tally);
    ck_assert_uint_eq(af_tally_get(&tally, 7), 0);
    ck_assert(af_tally_add(&tally, 7, 1));
    ck_assert(af_tally_add(&tally, UINT64_MAX, INT64_MAX));
    ck_assert(af_tally_add(&tally, 0, 3));
    ck_assert(af_tally_add(&tally, 7, 4));
    ck_assert(af_tally_add(&tally, 0, -3));
    ck_assert_uint_eq(af_tally_get(&tally, 7), 5);
    ck_assert_uint_eq(af_tally_get(&tally, 0), 0);
    ck_assert_uint_eq(af_tally_get(&tally, UINT64_MAX), INT64_MAX);
    ck_assert_uint_eq(af_tally_get(&tally, 8), 0);
    ck_assert_uint_eq(af_tally_size(&tally), 3);
    ck_assert_uint_eq(af_tally_id(&tally, 1), UINT64_MAX);
    ck_assert_uint_eq(af_tally_count(&tally, 0), 5);
    af_tally_clear(&tally);
    ck_assert_uint_eq(af_tally_size(&tally), 0);
    ck_assert_uint_eq(af_tally_get(&tally, 7), 0);
    ck_assert(af_tally_add(&tally, 7, 2));
    ck_assert_uint_eq(af_tally_get(&tally, 7), 2);
    af_tally_clear(&tally);
}
