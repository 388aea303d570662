#include "render/page/busy.h"

#include "model/category.h"

/* Labels are looked up for every node: a byte each stays in the cache. */
static uint8_t *find_idle_labels(const af_profile *profile)
{
    uint8_t *idle = g_try_malloc0((gsize)profile->n_labels + 1);
    for (uint32_t i = 0; idle && i < profile->n_labels; i++) {
        idle[i] = profile->labels[i].category == AF_CATEGORY_IDLE;
    }
    return idle;
}

/* Sums of the widths of a tree's nodes, without and with idle labels. */
typedef struct {
    uint64_t ns[2];
} idle_sums;

static idle_sums sum_self(const af_tree *tree, af_clock clock, const uint8_t *idle)
{
    idle_sums sums = {{0, 0}};
    const uint64_t *self = af_tree_self_widths(tree, clock);
    for (uint32_t i = 1; self && i < tree->n; i++) {
        sums.ns[idle[tree->label[i]]] += self[i];
    }
    return sums;
}

/* Where callers stand above, all of a root's time is that of its method. */
static idle_sums sum_roots(const af_tree *tree, af_clock clock, const uint8_t *idle)
{
    idle_sums sums = {{0, 0}};
    const uint64_t *times = af_tree_widths(tree, clock);
    for (uint32_t i = 1; times && i < tree->n; i++) {
        if (tree->depth[i] == 1) {
            sums.ns[idle[tree->label[i]]] += times[i];
        }
    }
    return sums;
}

static idle_sums sum_times(const af_profile *profile, const af_tree *tree, af_clock clock,
                           const uint8_t *idle)
{
    if (!af_tree_has(tree, clock)) {
        return (idle_sums){{0, 0}};
    }
    return profile->callers_above ? sum_roots(tree, clock, idle) : sum_self(tree, clock, idle);
}

static void add_thread(af_busy *busy, const af_profile *profile, uint32_t thread, af_clock clock,
                       const uint8_t *idle)
{
    const af_tree *tree = profile->threads[thread].tree;
    const gboolean waits = clock == AF_WALL && af_tree_has(tree, AF_WAIT);
    const idle_sums times = sum_times(profile, tree, clock, idle);
    busy->time_ns[thread] = times.ns[FALSE];
    busy->has_idle |= times.ns[TRUE] > 0;
    if (waits) {
        busy->wait_ns[thread] =
            MIN(sum_times(profile, tree, AF_WAIT, idle).ns[FALSE], times.ns[FALSE]);
    }
    busy->total_ns += times.ns[FALSE];
    busy->undivided |= clock == AF_WALL && !waits && times.ns[FALSE] > 0;
}

af_busy *af_busy_new(const af_profile *profile, af_clock clock)
{
    af_busy *busy = g_try_new0(af_busy, 1);
    uint8_t *idle = find_idle_labels(profile);
    if (busy) {
        busy->time_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
        busy->wait_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
    }
    if (!idle || !busy || !busy->time_ns || !busy->wait_ns) {
        g_free(idle);
        af_busy_free(busy);
        return NULL;
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        add_thread(busy, profile, t, clock, idle);
    }
    g_free(idle);
    return busy;
}

void af_busy_free(af_busy *busy)
{
    if (busy) {
        g_free(busy->time_ns);
        g_free(busy->wait_ns);
        g_free(busy);
    }
}

uint64_t af_busy_rank_ns(const af_busy *busy, const af_profile *profile, uint32_t thread,
                         af_clock clock)
{
    return busy->total_ns > 0 ? busy->time_ns[thread] : af_thread_time_ns(profile, thread, clock);
}
