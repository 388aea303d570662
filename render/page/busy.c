#include "render/page/busy.h"

#include "model/waits.h"

typedef struct {
    const af_profile *profile;
    const uint8_t *of_labels; /* af_waits_of_labels() */
    af_clock clock;
} search;

/* Sums of the widths of a tree's nodes, without and with idle ones. */
typedef struct {
    uint64_t ns[2];
} idle_sums;

/* Where callers stand above, all of a root's time is that of its method. */
static idle_sums sum_widths(const search *s, const af_tree *tree, const uint8_t *kinds,
                            af_clock clock)
{
    const af_profile *profile = s->profile;
    idle_sums sums = {{0, 0}};
    const uint64_t *widths = !af_tree_has(tree, clock) ? NULL
                             : profile->callers_above  ? af_tree_widths(tree, clock)
                                                       : af_tree_self_widths(tree, clock);
    for (uint32_t i = 1; widths && i < tree->n; i++) {
        if (!profile->callers_above || tree->depth[i] == 1) {
            const af_category category = profile->labels[tree->label[i]].category;
            sums.ns[af_waits_are_idle(kinds[i], category)] += widths[i];
        }
    }
    return sums;
}

static gboolean add_thread(af_busy *busy, const search *s, uint32_t thread)
{
    const af_tree *tree = s->profile->threads[thread].tree;
    const gboolean waits = s->clock == AF_WALL && af_tree_has(tree, AF_WAIT);
    af_waits_of_nodes nodes;
    if (!af_waits_begin(&nodes, tree, s->of_labels)) {
        return FALSE;
    }
    const idle_sums times = sum_widths(s, tree, nodes.kind, s->clock);
    busy->time_ns[thread] = times.ns[FALSE];
    busy->has_idle |= times.ns[TRUE] > 0;
    if (waits) {
        busy->wait_ns[thread] =
            MIN(sum_widths(s, tree, nodes.kind, AF_WAIT).ns[FALSE], times.ns[FALSE]);
    }
    af_waits_end(&nodes);
    busy->total_ns += times.ns[FALSE];
    busy->undivided |= s->clock == AF_WALL && !waits && times.ns[FALSE] > 0;
    return TRUE;
}

af_busy *af_busy_new(const af_profile *profile, af_clock clock)
{
    af_busy *busy = g_try_new0(af_busy, 1);
    uint8_t *of_labels = af_waits_of_labels(profile);
    if (busy) {
        busy->time_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
        busy->wait_ns = g_try_new0(uint64_t, (gsize)profile->n_threads + 1);
    }
    gboolean ok = of_labels && busy && busy->time_ns && busy->wait_ns;
    const search s = {profile, of_labels, clock};
    for (uint32_t t = 0; ok && t < profile->n_threads; t++) {
        ok = add_thread(busy, &s, t);
    }
    g_free(of_labels);
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
        g_free(busy);
    }
}

uint64_t af_busy_rank_ns(const af_busy *busy, const af_profile *profile, uint32_t thread,
                         af_clock clock)
{
    return busy->total_ns > 0 ? busy->time_ns[thread] : af_thread_time_ns(profile, thread, clock);
}
