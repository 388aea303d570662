#include "model/busy.h"

#include "model/waits.h"

typedef struct {
    const af_profile *profile;
    af_clock clock;
} search;

enum { RUNS, BLOCKS, IDLES, KINDS };

/* Sums of the widths of a tree's nodes by kind. */
typedef struct {
    uint64_t ns[KINDS];
} kind_sums;

/* Where callers stand above, all of a root's time is that of its method. */
static kind_sums sum_widths(const search *s, const af_tree *tree, af_clock clock)
{
    const af_profile *profile = s->profile;
    kind_sums sums = {{0}};
    const uint64_t *widths = !af_tree_has(tree, clock) ? NULL
                             : profile->callers_above  ? af_tree_widths(tree, clock)
                                                       : af_tree_self_widths(tree, clock);
    for (uint32_t i = 1; widths && i < tree->n; i++) {
        if (!profile->callers_above || tree->depth[i] == 1) {
            const af_category category = af_waits_category(profile, tree, i);
            const unsigned kind = category == AF_CATEGORY_IDLE      ? IDLES
                                  : category == AF_CATEGORY_BLOCKED ? BLOCKS
                                                                    : RUNS;
            sums.ns[kind] += widths[i];
        }
    }
    return sums;
}

static void add_thread(af_busy *busy, const search *s, uint32_t thread)
{
    const af_tree *tree = s->profile->threads[thread].tree;
    const gboolean waits = s->clock == AF_WALL && af_tree_has(tree, AF_WAIT);
    const kind_sums times = sum_widths(s, tree, s->clock);
    const uint64_t time_ns = times.ns[RUNS] + times.ns[BLOCKS];
    busy->time_ns[thread] = time_ns;
    busy->idle_ns[thread] = times.ns[IDLES];
    if (waits) {
        const kind_sums waiting = sum_widths(s, tree, AF_WAIT);
        busy->wait_ns[thread] = MIN(waiting.ns[RUNS] + waiting.ns[BLOCKS], time_ns);
    } else if (s->clock == AF_WALL) {
        busy->wait_ns[thread] = times.ns[BLOCKS];
    }
    busy->total_ns += time_ns;
    busy->total_idle_ns += times.ns[IDLES];
    busy->undivided |= s->clock == AF_WALL && !waits && times.ns[RUNS] > 0;
}

af_busy *af_busy_new(const af_profile *profile, af_clock clock)
{
    af_busy *busy = g_try_new0(af_busy, 1);
    if (busy) {
        busy->time_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
        busy->wait_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
        busy->idle_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
    }
    const gboolean ok = busy && busy->time_ns && busy->wait_ns && busy->idle_ns;
    const search s = {profile, clock};
    for (uint32_t t = 0; ok && t < profile->n_threads; t++) {
        add_thread(busy, &s, t);
    }
    if (!ok) {
        af_busy_free(busy);
        return NULL;
    }
    return busy;
}

void af_busy_free(af_busy *busy)
{
    if (busy) {
        g_free(busy->time_ns);
        g_free(busy->wait_ns);
        g_free(busy->idle_ns);
        g_free(busy);
    }
}

uint64_t af_busy_rank_ns(const af_busy *busy, const af_profile *profile, uint32_t thread,
                         af_clock clock)
{
    return busy->total_ns > 0 ? busy->time_ns[thread] : af_thread_time_ns(profile, thread, clock);
}
