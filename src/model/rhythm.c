#include "model/rhythm.h"

#include <stdlib.h>

/* Distinct long steps that are kept. Sampling intervals cluster, so this is never reached in
 * practice; it bounds the memory that a hostile file can take. */
#define MOST_LONG_STEPS 200000u

#define LEAST_GROUPS 20u

void af_rhythm_clear(af_rhythm *rhythm)
{
    g_clear_pointer(&rhythm->long_steps, g_hash_table_unref);
}

static void add_long_step(af_rhythm *rhythm, uint64_t ticks, uint64_t n)
{
    if (rhythm->long_steps == NULL) {
        rhythm->long_steps = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    }
    uint64_t *count = g_hash_table_lookup(rhythm->long_steps, &ticks);
    if (count == NULL) {
        if (g_hash_table_size(rhythm->long_steps) >= MOST_LONG_STEPS) {
            return;
        }
        count = g_new0(uint64_t, 1);
        g_hash_table_insert(rhythm->long_steps, g_memdup2(&ticks, sizeof ticks), count);
    }
    *count += n;
}

void af_rhythm_add_long_step(af_rhythm *rhythm, uint64_t ticks)
{
    if (!rhythm->ruled_out) {
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
    if (other->long_steps != NULL) {
        GHashTableIter iter;
        gpointer ticks, n;
        g_hash_table_iter_init(&iter, other->long_steps);
        while (g_hash_table_iter_next(&iter, &ticks, &n)) {
            add_long_step(rhythm, *(uint64_t *)ticks, *(uint64_t *)n);
        }
    }
}

/* Measured on 42 real files: sampled ones have 7 records or more in a group and never an entry
 * followed by an exit in one; instrumented ones with coarse clocks have 5, but a third of their
 * groups or more hold both. */
gboolean af_rhythm_is_sampled(const af_rhythm *rhythm, uint64_t records)
{
    return !rhythm->ruled_out && rhythm->groups >= LEAST_GROUPS &&
           records >= 3 * rhythm->groups && 2 * rhythm->large_groups >= rhythm->groups &&
           100 * rhythm->enter_exit_groups <= rhythm->groups;
}

static int compare_steps(const void *a, const void *b)
{
    const uint64_t x = **(uint64_t *const *)a, y = **(uint64_t *const *)b;
    return x < y ? -1 : x > y;
}

static uint64_t find_long_step(const af_rhythm *rhythm, uint64_t skip)
{
    if (rhythm->long_steps == NULL) {
        return 0;
    }
    guint n;
    gpointer *steps = g_hash_table_get_keys_as_array(rhythm->long_steps, &n);
    qsort(steps, n, sizeof *steps, compare_steps);
    uint64_t found = 0;
    for (guint i = 0; i < n; i++) {
        const uint64_t count = *(uint64_t *)g_hash_table_lookup(rhythm->long_steps, steps[i]);
        if (skip < count) {
            found = *(uint64_t *)steps[i];
            break;
        }
        skip -= count;
    }
    g_free(steps);
    return found;
}

uint64_t af_rhythm_interval(const af_rhythm *rhythm)
{
    uint64_t n = 0;
    for (unsigned i = 1; i < AF_SHORT_STEPS; i++) {
        n += rhythm->short_steps[i];
    }
    if (rhythm->long_steps != NULL) {
        GHashTableIter iter;
        gpointer count;
        g_hash_table_iter_init(&iter, rhythm->long_steps);
        while (g_hash_table_iter_next(&iter, NULL, &count)) {
            n += *(uint64_t *)count;
        }
    }
    uint64_t skip = n / 10;
    for (uint64_t ticks = 1; ticks < AF_SHORT_STEPS; ticks++) {
        if (skip < rhythm->short_steps[ticks]) {
            return ticks;
        }
        skip -= rhythm->short_steps[ticks];
    }
    return find_long_step(rhythm, skip);
}
