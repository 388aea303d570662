#include <string.h>

#include "build/rhythm.h"
#include "../support/part.h"
#include "suite.h"

/* A long step, different for each `i`, in no particular order. */
static uint64_t make_step(uint32_t i, uint32_t different)
{
    return 1000000 + (uint64_t)(i * 7919u % different) * 3;
}

/* The steps from `begin` to `end`, in `parts` rhythms that are merged. */
static uint64_t count_in_parts(uint32_t n, uint32_t different, unsigned parts, gboolean *rough)
{
    g_autofree af_rhythm *all = g_new0(af_rhythm, 1);
    for (unsigned part = 0; part < parts; part++) {
        g_autofree af_rhythm *one = g_new0(af_rhythm, 1);
        for (uint32_t i = n / parts * part; i < n / parts * (part + 1); i++) {
            af_rhythm_add_step(one, make_step(i, different));
        }
        af_rhythm_add(all, one);
        af_rhythm_clear(one);
    }
    const uint64_t interval = af_rhythm_interval(all);
    ck_assert(!all->failed);
    *rough = all->rough_steps != NULL;
    ck_assert((all->long_steps == NULL) == *rough);
    af_rhythm_clear(all);
    return interval;
}

TEST(the_tenth_percentile_is_exact)
{
    gboolean rough;
    ck_assert_uint_eq(count_in_parts(1000, 1000, 1, &rough), 1000000 + 100 * 3);
    ck_assert(!rough);
    g_autofree af_rhythm *rhythm = g_new0(af_rhythm, 1);
    ck_assert_uint_eq(af_rhythm_interval(rhythm), 0);
    for (unsigned i = 0; i < 9; i++) {
        af_rhythm_add_step(rhythm, 50000);
    }
    af_rhythm_add_step(rhythm, 12);
    ck_assert_uint_eq(af_rhythm_interval(rhythm), 50000);
    af_rhythm_add_step(rhythm, 12);
    ck_assert_uint_eq(af_rhythm_interval(rhythm), 12);
    af_rhythm_clear(rhythm);
}

/* At the limit, above it, and above it only in the merged parts. */
TEST(merged_parts_equal_the_whole)
{
    const uint32_t most = AF_MOST_LONG_STEPS;
    const uint32_t different[] = {most / 2, most, most + 1, 2 * most};
    for (unsigned d = 0; d < G_N_ELEMENTS(different); d++) {
        const uint32_t n = 4 * 7 * most / 14;
        gboolean rough;
        const uint64_t whole = count_in_parts(n, different[d], 1, &rough);
        const uint64_t exact = 1000000 + (uint64_t)different[d] / 10 * 3;
        ck_assert_int_eq(rough, different[d] > most);
        if (rough) {
            ck_assert_uint_le(whole, exact);
            ck_assert_uint_ge(whole, exact - exact / 128);
        } else {
            ck_assert_uint_eq(whole, exact);
        }
        for (unsigned parts = 2; parts <= 8; parts *= 2) {
            ck_assert_uint_eq(count_in_parts(n, different[d], parts, &rough), whole);
            ck_assert_int_eq(rough, different[d] > most);
        }
    }
}

/* For every size of step the result is at most half a percent too small. */
TEST(rough_steps_are_close)
{
    for (uint64_t step = AF_SHORT_STEPS; step < UINT64_MAX / 3; step = step * 2 + step / 3) {
        g_autofree af_rhythm *rhythm = g_new0(af_rhythm, 1);
        for (uint32_t i = 0; i <= AF_MOST_LONG_STEPS; i++) {
            af_rhythm_add_step(rhythm, UINT64_MAX - i);
        }
        for (uint32_t i = 0; i < AF_MOST_LONG_STEPS; i++) {
            af_rhythm_add_step(rhythm, step);
        }
        const uint64_t found = af_rhythm_interval(rhythm);
        ck_assert_uint_le(found, step);
        ck_assert_uint_le(step - found, step >> AF_ROUGH_BITS);
        af_rhythm_clear(rhythm);
    }
}

/* Adds traces of groups of all kinds, near the threshold between samplers and calls. */
static unsigned add_group(af_rhythm *rhythm, GRand *rand, unsigned large, unsigned mixed)
{
    const unsigned records = (unsigned)g_rand_int_range(rand, 0, 100) < large ? 6 : 1;
    unsigned group = 0;
    for (unsigned i = 0; i < records; i++) {
        group = af_group_add(group, i % 2 == 0 ? AF_EXIT : AF_ENTER);
    }
    if (records > 1 && (unsigned)g_rand_int_range(rand, 0, 1000) < mixed) {
        group |= AF_GROUP_ENTRY_EXIT;
    } else {
        group &= ~(unsigned)AF_GROUP_ENTRY_EXIT;
    }
    af_rhythm_add_group(rhythm, group);
    return records;
}

/* Short recordings of a sampler have few groups; their other properties decide. */
TEST(five_groups_are_enough)
{
    for (unsigned groups = 4; groups <= 6; groups++) {
        for (unsigned exits_after_entry = 0; exits_after_entry < 2; exits_after_entry++) {
            g_autofree af_rhythm *rhythm = g_new0(af_rhythm, 1);
            for (unsigned g = 0; g < groups; g++) {
                af_rhythm_add_group(
                    rhythm,
                    AF_GROUP_RECORD | AF_GROUP_LARGE |
                        (g == 1 && exits_after_entry != 0 ? AF_GROUP_ENTRY_EXIT : AF_GROUP_ENTRY));
            }
            af_rhythm_look_ahead(rhythm, 3 * groups);
            ck_assert_int_eq(af_rhythm_is_sampled(rhythm, 3 * groups),
                             groups >= 5 && exits_after_entry == 0);
            ck_assert(!af_rhythm_is_sampled(rhythm, 3 * groups - 1));
            af_rhythm_clear(rhythm);
        }
    }
}

/* An early verdict is the same as the one at the end, and there is one if calls are recorded. */
TEST(an_early_verdict_matches_the_final_one)
{
    unsigned sampled = 0, early = 0;
    for (guint32 seed = test_part_first(); seed < 400; seed += test_part()) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        const unsigned large = (unsigned)g_rand_int_range(rand, 0, 101);
        const unsigned mixed = (unsigned)g_rand_int_range(rand, 0, 20);
        const unsigned n = (unsigned)g_rand_int_range(rand, 1, 3000);
        g_autofree af_rhythm *whole = g_new0(af_rhythm, 1), *ahead = g_new0(af_rhythm, 1);
        unsigned records = 0;
        for (unsigned i = 0; i < n; i++) {
            records += add_group(whole, rand, large, mixed);
        }
        g_rand_set_seed(rand, seed);
        g_rand_int_range(rand, 0, 101);
        g_rand_int_range(rand, 0, 20);
        g_rand_int_range(rand, 1, 3000);
        unsigned decided_at = n;
        for (unsigned i = 0; i < n; i++) {
            add_group(ahead, rand, large, mixed);
            af_rhythm_look_ahead(ahead, records);
            decided_at = ahead->ruled_out ? MIN(decided_at, i) : decided_at;
        }
        const gboolean is_sampled = af_rhythm_is_sampled(whole, records);
        ck_assert_int_eq(af_rhythm_is_sampled(ahead, records), is_sampled);
        ck_assert(!is_sampled || decided_at == n);
        sampled += is_sampled;
        early += decided_at < n / 2;
        af_rhythm_clear(whole);
        af_rhythm_clear(ahead);
    }
    ck_assert_uint_ge(sampled, 30 / test_part());
    ck_assert_uint_ge(early, 10 / test_part());
}
