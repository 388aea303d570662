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

static uint64_t get_wait(const af_tree *tree, uint32_t node, gboolean callers_above)
{
    return callers_above ? af_tree_wait_ns(tree, node) : af_tree_self_ns(tree, node, AF_WAIT);
}

/* Where callers stand above, all of a root's time is that of its method. */
static void add_thread(af_busy *busy, const af_profile *profile, uint32_t thread, af_clock clock,
                       const uint8_t *idle)
{
    const af_tree *tree = profile->threads[thread].tree;
    uint64_t sum_ns = 0, wait_ns = 0;
    const gboolean above = profile->callers_above;
    const gboolean waits = clock == AF_WALL && af_tree_has(tree, AF_WAIT);
    const uint64_t *times = af_tree_times(tree, clock);
    for (uint32_t i = 1; af_tree_has(tree, clock) && i < tree->n; i++) {
        if (above && tree->depth[i] != 1) {
            continue;
        }
        const uint64_t time_ns = above ? times[i] : af_tree_self_ns(tree, i, clock);
        if (idle[tree->label[i]]) {
            busy->has_idle |= time_ns > 0;
            continue;
        }
        sum_ns += time_ns;
        wait_ns += waits ? get_wait(tree, i, above) : 0;
    }
    busy->time_ns[thread] = sum_ns;
    busy->wait_ns[thread] = MIN(wait_ns, sum_ns);
    busy->total_ns += sum_ns;
    busy->undivided |= clock == AF_WALL && !waits && sum_ns > 0;
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
