/* Statistics of several runs: exact small cases, and simulated noise. */
#include <math.h>
#include <stdlib.h>

#include "compare/permutation.h"
#include "compare/shift.h"
#include "suite.h"

#define METHODS  40
#define MOST_RUN 20

static uint64_t state;

/* Uniform in (0, 1], by splitmix64. */
static double draw(void)
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return ((double)((z ^ (z >> 31)) >> 11) + 1) / 9007199254740992.0;
}

static double draw_normal(void)
{
    return sqrt(-2 * log(draw())) * cos(6.283185307179586 * draw());
}

/* The smallest p of a table of 40 methods with 2 % noise, in which method 0 of
 * the second side differs by `change`; *own receives the p of that method. */
static double simulate(uint32_t n, uint32_t m, double change, double *own)
{
    uint64_t values[METHODS * MOST_RUN];
    uint32_t order[MOST_RUN];
    double p[METHODS], least = 1;
    for (uint32_t r = 0; r < METHODS; r++) {
        const double mean = 1e6 * (1 + r * 3);
        for (uint32_t i = 0; i < n + m; i++) {
            const double factor = r == 0 && i >= n ? 1 + change : 1;
            values[r * (n + m) + i] = (uint64_t)(mean * factor * (1 + 0.02 * draw_normal()));
        }
    }
    for (uint32_t i = 0; i < n + m; i++) {
        order[i] = i;
    }
    const af_permutation_table table = {values, METHODS, n, m, order};
    ck_assert(af_permutation_test(&table, p));
    for (uint32_t r = 0; r < METHODS; r++) {
        least = MIN(least, p[r]);
    }
    *own = p[0];
    return least;
}

/* 60 tables in every run, 1,000 where AFLAME_LONG is set. */
static unsigned count_tables(void)
{
    return g_getenv("AFLAME_LONG") != NULL ? 1000 : 60;
}

TEST(noise_alone_rarely_changes_a_table)
{
    const unsigned tables = count_tables();
    unsigned wrong = 0;
    double own;
    state = 1;
    for (unsigned i = 0; i < tables; i++) {
        wrong += simulate(10, 10, 0, &own) <= 0.05 ? 1 : 0;
    }
    /* 5 % of the tables, and what chance adds: 6.5 % of 1,000, 11.7 % of 60 */
    ck_assert_uint_le(wrong, tables == 1000 ? 65 : 7);
}

static unsigned count_found(uint32_t n, double change, unsigned tables)
{
    unsigned found = 0;
    double own;
    for (unsigned i = 0; i < tables; i++) {
        simulate(n, n, change, &own);
        found += own <= 0.05 ? 1 : 0;
    }
    return found;
}

TEST(a_change_is_found)
{
    const unsigned tables = count_tables();
    state = 2;
    ck_assert_uint_ge(count_found(6, 0.10, tables) * 100, tables * 95);
    ck_assert_uint_ge(count_found(10, 0.05, tables) * 100, tables * 95);
}

/* Two rows, 3 + 3 runs: only the observed labelling and its mirror image
 * separate them. */
TEST(a_small_table_is_enumerated)
{
    const uint64_t values[] = {10, 11, 12, 20, 21, 22, 100, 120, 110, 110, 100, 120};
    const uint32_t order[] = {0, 1, 2, 3, 4, 5};
    const af_permutation_table table = {values, 2, 3, 3, order};
    double p[2];
    ck_assert(af_permutation_test(&table, p));
    ck_assert_double_eq_tol(p[0], 0.1, 1e-12);
    ck_assert_double_eq_tol(p[1], 1, 1e-12);
}

TEST(swapped_sides_have_equal_p)
{
    uint64_t values[2][3 * 18];
    uint32_t order[2][18];
    double p[2][3];
    state = 3;
    for (uint32_t r = 0; r < 3; r++) {
        for (uint32_t i = 0; i < 18; i++) {
            const uint64_t value =
                (uint64_t)(1e6 * (1 + 0.05 * draw_normal() + (i > 9 ? 0.04 : 0)));
            values[0][r * 18 + i] = value;
            values[1][r * 18 + (i + 8) % 18] = value; /* the last 8 runs come first */
        }
    }
    for (uint32_t i = 0; i < 18; i++) { /* the same order of content */
        order[0][i] = i;
        order[1][i] = (i + 8) % 18;
    }
    const af_permutation_table one = {values[0], 3, 10, 8, order[0]};
    const af_permutation_table other = {values[1], 3, 8, 10, order[1]};
    ck_assert(af_permutation_test(&one, p[0]));
    ck_assert(af_permutation_test(&other, p[1]));
    for (unsigned r = 0; r < 3; r++) {
        ck_assert_double_eq(p[0][r], p[1][r]);
    }
}

TEST(runs_that_vary_nothing_have_a_p)
{
    const uint64_t values[] = {5, 5, 5, 5, 5, 5, 5, 5, 7, 7, 7, 7, 9, 9, 9, 9};
    const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const af_permutation_table table = {values, 2, 4, 4, order};
    double p[2];
    ck_assert(af_permutation_test(&table, p));
    ck_assert_double_eq_tol(p[0], 1, 1e-12);
    ck_assert_double_eq_tol(p[1], 2.0 / 70, 1e-12);
}

TEST(the_least_p_depends_on_the_runs)
{
    ck_assert_double_eq_tol(af_permutation_least_p(2, 2), 1.0 / 3, 1e-12);
    ck_assert_double_eq_tol(af_permutation_least_p(3, 3), 0.1, 1e-12);
    ck_assert_double_eq_tol(af_permutation_least_p(3, 4), 1.0 / 35, 1e-12);
    ck_assert_double_eq_tol(af_permutation_least_p(6, 6), 2.0 / 924, 1e-12);
    ck_assert(af_permutation_least_p(1, 1) == 1);
    ck_assert(af_permutation_least_p(1, 19) <= 0.05 && af_permutation_least_p(1, 18) > 0.05);
    ck_assert(af_permutation_least_p(2, 5) <= 0.05 && af_permutation_least_p(2, 4) > 0.05);
}

/* By hand: differences of {1, 2, 3, 4} and {11, 13, 15, 18} ascend from 7 to
 * 17; U <= 0 has the probability 1/70, U <= 1 has 2/70, above 2.5 %. */
TEST(the_shift_has_its_interval)
{
    const uint64_t before[] = {3, 1, 4, 2}, after[] = {18, 11, 15, 13};
    af_shift shift, swapped;
    ck_assert(af_shift_compute(before, 4, after, 4, &shift));
    ck_assert(af_shift_compute(after, 4, before, 4, &swapped));
    ck_assert_int_eq(shift.shift, 12);
    ck_assert_int_eq(shift.low, 7);
    ck_assert_int_eq(shift.high, 17);
    ck_assert_int_eq(swapped.shift, -shift.shift);
    ck_assert_int_eq(swapped.low, -shift.high);
    ck_assert_int_eq(swapped.high, -shift.low);
}

TEST(medians_round_up)
{
    uint64_t odd[] = {9, 1, 5}, even[] = {4, 1, 8, 7};
    ck_assert_uint_eq(af_shift_median(odd, 3), 5);
    ck_assert_uint_eq(af_shift_median(even, 4), 6);
    ck_assert_uint_eq(af_shift_median(even, 0), 0);
}
