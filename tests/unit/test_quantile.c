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
