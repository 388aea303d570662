#include "build/rhythm.h"

#include <stdlib.h>

#define LEAST_GROUPS 5u

#define ROUGH_STEPS (64u << AF_ROUGH_BITS)

void af_rhythm_clear(af_rhythm *rhythm)
{
    if (rhythm->long_steps != NULL) {
        af_tally_clear(rhythm->long_steps);
    }
    g_clear_pointer(&rhythm->long_steps, g_free);
    g_clear_pointer(&rhythm->rough_steps, g_free);
}

static unsigned find_highest_bit(uint64_t ticks)
{
    return 63 - (unsigned)__builtin_clzll(ticks);
}

static unsigned find_rough(uint64_t ticks)
{
    const unsigned highest = find_highest_bit(ticks);
    const uint64_t next = ticks >> (highest - AF_ROUGH_BITS) & ((1u << AF_ROUGH_BITS) - 1);
    return highest << AF_ROUGH_BITS | (unsigned)next;
}

/* The smallest step counted this way. */
static uint64_t begin_of_rough(unsigned rough)
{
    const unsigned highest = rough >> AF_ROUGH_BITS;
    const uint64_t bits = 1u << AF_ROUGH_BITS | (rough & ((1u << AF_ROUGH_BITS) - 1));
    return bits << (highest - AF_ROUGH_BITS);
}

static void make_rough(af_rhythm *rhythm)
{
    rhythm->rough_steps = g_try_malloc0_n(ROUGH_STEPS, sizeof *rhythm->rough_steps);
    if (rhythm->rough_steps == NULL) {
        rhythm->failed = TRUE;
        return;
    }
    const af_tally *steps = rhythm->long_steps;
    for (uint32_t i = 0; steps != NULL && i < af_tally_size(steps); i++) {
        rhythm->rough_steps[find_rough(af_tally_id(steps, i))] += af_tally_count(steps, i);
    }
    if (steps != NULL) {
        af_tally_clear(rhythm->long_steps);
        g_clear_pointer(&rhythm->long_steps, g_free);
    }
}

static void add_long_step(af_rhythm *rhythm, uint64_t ticks, uint64_t n)
{
    if (rhythm->rough_steps != NULL) {
        rhythm->rough_steps[find_rough(ticks)] += n;
        return;
    }
    if (rhythm->long_steps == NULL) {
        rhythm->long_steps = g_new(af_tally, 1);
        af_tally_init(rhythm->long_steps);
    }
    rhythm->failed |= !af_tally_add(rhythm->long_steps, ticks, (int64_t)n);
    if (af_tally_size(rhythm->long_steps) > AF_MOST_LONG_STEPS) {
        make_rough(rhythm);
    }
}

void af_rhythm_add_long_step(af_rhythm *rhythm, uint64_t ticks)
{
    if (!rhythm->ruled_out && !rhythm->failed) {
        add_long_step(rhythm, ticks, 1);
    }
}

void af_rhythm_add(af_rhythm *rhythm, const af_rhythm *other)
{
    rhythm->groups += other->groups;
    rhythm->large_groups += other->large_groups;
    rhythm->enter_exit_groups += other->enter_exit_groups;
    rhythm->ruled_out |= other->ruled_out;
    for (unsigned i = 0; i < AF_SHORT_STEPS; i++) {
        rhythm->short_steps[i] += other->short_steps[i];
    }
    rhythm->failed |= other->failed;
    if (other->rough_steps != NULL && rhythm->rough_steps == NULL) {
        make_rough(rhythm);
    }
    for (unsigned i = 0; !rhythm->failed && other->rough_steps != NULL && i < ROUGH_STEPS; i++) {
        rhythm->rough_steps[i] += other->rough_steps[i];
    }
    for (uint32_t i = 0;
         !rhythm->failed && other->long_steps != NULL && i < af_tally_size(other->long_steps);
         i++) {
        add_long_step(rhythm, af_tally_id(other->long_steps, i),
                      af_tally_count(other->long_steps, i));
    }
}

/* Measured on 42 real files: sampled ones have 7 or more records in a group and never an entry
 * followed by an exit within one; instrumented ones with coarse clocks have 5 records, but at least
 * a third of their groups contain both. */
#define LEAST_IN_GROUP          3u
#define MOST_PERCENT_ENTER_EXIT 1u

gboolean af_rhythm_is_sampled(const af_rhythm *rhythm, uint64_t records)
{
    return !rhythm->ruled_out && rhythm->groups >= LEAST_GROUPS &&
           records >= LEAST_IN_GROUP * rhythm->groups &&
           2 * rhythm->large_groups >= rhythm->groups &&
           100 * rhythm->enter_exit_groups <= MOST_PERCENT_ENTER_EXIT * rhythm->groups;
}

/* Counts only grow, so a condition that fails with the most records the trace can have fails in the
 * end. A small group has one record, and there are at least as many large groups as small ones. */
void af_rhythm_look_ahead(af_rhythm *rhythm, uint64_t most_records)
{
    const uint64_t most_groups = most_records / LEAST_IN_GROUP;
    rhythm->ruled_out |=
        rhythm->groups >= LEAST_GROUPS &&
        (rhythm->groups > most_groups || rhythm->groups - rhythm->large_groups > most_groups / 2 ||
         rhythm->enter_exit_groups > most_groups * MOST_PERCENT_ENTER_EXIT / 100);
}

typedef struct {
    uint64_t ticks, count;
} counted_step;

static int compare_steps(const void *a, const void *b)
{
    const uint64_t x = ((const counted_step *)a)->ticks, y = ((const counted_step *)b)->ticks;
    return x < y ? -1 : x > y;
}

/* Returns the long step with index `skip` in ascending order. */
static uint64_t find_long_step(af_rhythm *rhythm, uint64_t skip)
{
    const af_tally *long_steps = rhythm->long_steps;
    const uint32_t n = af_tally_size(long_steps);
    g_autofree counted_step *steps = g_try_malloc_n(n, sizeof *steps);
    uint64_t found = 0;
    rhythm->failed |= steps == NULL;
    for (uint32_t i = 0; steps != NULL && i < n; i++) {
        steps[i] = (counted_step){af_tally_id(long_steps, i), af_tally_count(long_steps, i)};
    }
    if (steps != NULL) {
        qsort(steps, n, sizeof *steps, compare_steps);
    }
    for (uint32_t i = 0; steps != NULL && found == 0 && i < n; i++) {
        if (skip < steps[i].count) {
            found = steps[i].ticks;
        } else {
            skip -= steps[i].count;
        }
    }
    return found;
}

static uint64_t find_rough_step(const uint64_t *steps, uint64_t skip)
{
    unsigned i = 0;
    while (i + 1 < ROUGH_STEPS && skip >= steps[i]) {
        skip -= steps[i++];
    }
    return begin_of_rough(i);
}

uint64_t af_rhythm_interval(af_rhythm *rhythm)
{
    const af_tally *long_steps = rhythm->long_steps;
    uint64_t n = 0;
    for (unsigned i = 1; i < AF_SHORT_STEPS; i++) {
        n += rhythm->short_steps[i];
    }
    for (uint32_t i = 0; long_steps != NULL && i < af_tally_size(long_steps); i++) {
        n += af_tally_count(long_steps, i);
    }
    for (unsigned i = 0; rhythm->rough_steps != NULL && i < ROUGH_STEPS; i++) {
        n += rhythm->rough_steps[i];
    }
    uint64_t skip = n / 10;
    for (uint64_t ticks = 1; ticks < AF_SHORT_STEPS; ticks++) {
        if (skip < rhythm->short_steps[ticks]) {
            return ticks;
        }
        skip -= rhythm->short_steps[ticks];
    }
    if (rhythm->rough_steps != NULL) {
        return find_rough_step(rhythm->rough_steps, skip);
    }
    return long_steps == NULL ? 0 : find_long_step(rhythm, skip);
}
