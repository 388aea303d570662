#include <stdlib.h>

#include "base/quantile.h"
#include "suite.h"

TEST(small_numbers_are_exact)
{
    af_quantile_sketch sketch = {0};
    for (uint64_t n = 0; n < 128; n++) {
        af_quantile_add(&sketch, n);
    }
    for (uint64_t n = 0; n < 128; n++) {
        ck_assert_uint_eq(af_quantile_at(&sketch, n), n);
    }
    ck_assert_uint_eq(sketch.n, 128);
    af_quantile_clear(&sketch);
}

/* For any size: at most 1/128 off, also at the extremes of 64 bits. */
TEST(large_numbers_are_close)
{
    for (uint64_t n = 128; n < UINT64_MAX / 3; n = n * 3 / 2 + 7) {
        af_quantile_sketch sketch = {0};
        af_quantile_add(&sketch, n);
        const uint64_t found = af_quantile_at(&sketch, 0);
        const uint64_t off = found > n ? found - n : n - found;
        ck_assert_msg(off <= n / 128, "%lu became %lu", (unsigned long)n, (unsigned long)found);
        af_quantile_clear(&sketch);
    }
    af_quantile_sketch sketch = {0};
    af_quantile_add(&sketch, UINT64_MAX);
    ck_assert_uint_ge(af_quantile_at(&sketch, 0), UINT64_MAX - UINT64_MAX / 128);
    ck_assert(!sketch.failed);
    af_quantile_clear(&sketch);
}

TEST(buckets_keep_the_order_of_numbers)
{
    af_quantile_sketch sketch = {0};
    for (uint64_t n = 100000; n > 0; n--) {
        af_quantile_add(&sketch, n * 1000);
    }
    uint64_t last = 0;
    for (uint64_t rank = 0; rank < 100000; rank += 999) {
        const uint64_t found = af_quantile_at(&sketch, rank), n = (rank + 1) * 1000;
        ck_assert_uint_ge(found, last);
        ck_assert_uint_le(found > n ? found - n : n - found, n / 64);
        last = found;
    }
    ck_assert_uint_eq(af_quantile_at(&sketch, 100000), 0);
    af_quantile_clear(&sketch);
}

TEST(quantiles_are_the_nearest_rank)
{
    static const struct {
        uint64_t n;
        unsigned percent;
        uint64_t rank;
    } cases[] = {{0, 50, 0},
                 {1, 50, 0},
                 {2, 50, 0},
                 {3, 50, 1},
                 {4, 50, 1},
                 {1, 95, 0},
                 {20, 95, 18},
                 {21, 95, 19},
                 {100, 95, 94},
                 {100, 100, 99},
                 {100, 0, 0},
                 {7, 100, 6},
                 {UINT64_MAX, 100, UINT64_MAX - 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert_uint_eq(af_quantile_rank(cases[i].n, cases[i].percent), cases[i].rank);
    }
}

TEST(the_median_has_two_digits)
{
    static const struct {
        uint64_t number, median;
    } rows[] = {{7, 7},           {99, 99},           {100, 100},
                {767557, 770000}, {1000000, 1000000}, {UINT64_C(4000123), 4000000}};
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        af_quantile_sketch sketch = {.n = 0};
        ck_assert_uint_eq(af_quantile_median(&sketch), 0);
        af_quantile_add(&sketch, 1);
        af_quantile_add(&sketch, rows[i].number);
        af_quantile_add(&sketch, rows[i].number);
        const uint64_t median = af_quantile_median(&sketch), off = rows[i].median / 50;
        ck_assert(median >= rows[i].median - off && median <= rows[i].median + off);
        ck_assert(median < 100 || median % 10 == 0);
        af_quantile_clear(&sketch);
    }
}
