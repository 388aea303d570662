#include "compare/causes.h"

#include <string.h>

#include "compare/verdict_table.h"

/* How often to look for another cause before giving up. */
#define ATTEMPTS 200

/* The waits for other threads that are considered. */
#define MOST_WAITS 8

/* A thread: the unexplained change of each path. */
typedef struct {
    const af_diff_tree *tree;
    uint64_t *change; /* grown + shrunk */
    uint32_t *end;    /* the first node after the subtree */
} remainder;

static gboolean begin_thread(remainder *r, const af_diff_tree *tree)
{
    r->tree = tree;
    r->change = g_try_new(uint64_t, tree->n);
    r->end = g_try_new(uint32_t, tree->n);
    if (r->change == NULL || r->end == NULL) {
        return FALSE;
    }
    for (uint32_t n = 0; n < tree->n; n++) {
        r->change[n] = tree->grown[n] + tree->shrunk[n];
        r->end[n] = n + 1;
    }
    for (uint32_t n = tree->n - 1; n > 0; n--) {
        const uint32_t parent = tree->parent[n];
        r->end[parent] = MAX(r->end[parent], r->end[n]);
    }
    return TRUE;
}

/* Whether a path is a cause by itself: it is new or gone, called more or less often, or its self
 * time accounts for at least half of its unexplained change. */
static gboolean is_cause(const remainder *r, uint32_t node, af_clock clock)
{
    const af_diff_tree *t = r->tree;
    const uint64_t before = t->self[AF_BEFORE][clock][node], after = t->self[AF_AFTER][clock][node];
    return node != 0 && (t->present[AF_BEFORE][node] != t->present[AF_AFTER][node] ||
                         t->calls[AF_BEFORE][node] != t->calls[AF_AFTER][node] ||
                         MAX(before, after) - MIN(before, after) >= r->change[node] / 2);
}

/* Follows the largest changes down to the first cause. */
static uint32_t descend(const remainder *r, af_clock clock, uint64_t least)
{
    uint32_t node = 0;
    while (!is_cause(r, node, clock)) {
        uint32_t largest = 0;
        for (uint32_t c = node + 1; c < r->end[node]; c = r->end[c]) {
            if (largest == 0 || r->change[c] > r->change[largest]) {
                largest = c;
            }
        }
        if (largest == 0 || r->change[largest] < least) {
            break;
        }
        node = largest;
    }
    return node;
}

static void take_out(remainder *r, uint32_t node)
{
    const uint64_t change = r->change[node];
    for (uint32_t n = node; n != UINT32_MAX; n = r->tree->parent[n]) {
        r->change[n] -= change;
    }
    memset(r->change + node, 0, (r->end[node] - node) * sizeof *r->change);
}

static uint32_t find_largest(const remainder *threads, uint32_t n)
{
    uint32_t largest = 0;
    for (uint32_t t = 1; t < n; t++) {
        if (threads[t].change[0] > threads[largest].change[0]) {
            largest = t;
        }
    }
    return largest;
}

/* The causes that were found. Waits for other threads are often consequences of other causes. */
typedef struct {
    af_diff_cause work[AF_DIFF_CAUSES], waits[MOST_WAITS];
    unsigned n_work, n_waits;
} findings;

/* A path whose method did not change beyond noise would contradict the table. */
static gboolean is_change(const af_diff_tree *tree, uint32_t node, const uint8_t *status_of_label)
{
    const af_diff_status status = (af_diff_status)tree->status[node];
    return status > AF_DIFF_NOISE && status != AF_DIFF_MOVED &&
           status_of_label[tree->label[node]] > AF_DIFF_NOISE;
}

static void search(const af_diff *diff, remainder *threads, const uint8_t *status_of_label,
                   findings *found)
{
    for (unsigned i = 0; i < ATTEMPTS && found->n_work < AF_DIFF_CAUSES; i++) {
        const uint32_t t = find_largest(threads, diff->n_threads);
        const af_diff_tree *tree = threads[t].tree;
        const uint32_t node = descend(&threads[t], diff->clock, diff->min_delta);
        if (node == 0 || threads[t].change[node] < diff->min_delta) {
            break;
        }
        const af_diff_cause cause = {t, node, af_diff_path_delta(tree, node)};
        const gboolean waits = af_verdict_waits(diff, tree->label[node]);
        if (is_change(tree, node, status_of_label) && !waits) {
            found->work[found->n_work++] = cause;
        } else if (is_change(tree, node, status_of_label) && found->n_waits < MOST_WAITS) {
            found->waits[found->n_waits++] = cause;
        }
        take_out(&threads[t], node);
    }
}

/* Whether causes explain at least half of the change of a wait: a thread waits longer if others work
 * longer, and shorter if it works longer itself. */
static gboolean is_consequence(const findings *found, const af_diff_cause *wait)
{
    uint64_t explained = 0;
    for (unsigned i = 0; i < found->n_work; i++) {
        const af_diff_cause *cause = &found->work[i];
        const gboolean same_sign = (cause->delta > 0) == (wait->delta > 0);
        if ((cause->thread != wait->thread) == same_sign) {
            explained += af_diff_size(cause->delta);
        }
    }
    return explained >= af_diff_size(wait->delta) / 2;
}

static void sort_causes(af_diff_cause *causes, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        for (unsigned k = i;
             k > 0 && af_diff_size(causes[k - 1].delta) < af_diff_size(causes[k].delta); k--) {
            const af_diff_cause swapped = causes[k - 1];
            causes[k - 1] = causes[k];
            causes[k] = swapped;
        }
    }
}

/* The largest causes; waits only if nothing explains them. */
static void choose_causes(af_diff *diff, const findings *found)
{
    af_diff_cause all[AF_DIFF_CAUSES + MOST_WAITS];
    unsigned n = 0;
    for (unsigned i = 0; i < found->n_work; i++) {
        all[n++] = found->work[i];
    }
    for (unsigned i = 0; i < found->n_waits; i++) {
        if (!is_consequence(found, &found->waits[i])) {
            all[n++] = found->waits[i];
        }
    }
    sort_causes(all, n);
    diff->n_causes = MIN(n, AF_DIFF_CAUSES);
    memcpy(diff->causes, all, diff->n_causes * sizeof *all);
}

gboolean af_causes_find(af_diff *diff)
{
    g_autofree remainder *threads = g_try_new0(remainder, (size_t)diff->n_threads + 1);
    g_autofree uint8_t *status_of_label = af_diff_list_statuses(diff);
    gboolean ok = threads != NULL && status_of_label != NULL;
    for (uint32_t t = 0; ok && t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        ok = begin_thread(&threads[t], tree);
        /* Moved paths are not causes: the path that is gone offsets the new one. */
        for (uint32_t n = 1; ok && n < tree->n; n++) {
            if (tree->status[n] == AF_DIFF_MOVED) {
                take_out(&threads[t], n);
            }
        }
    }
    if (ok && diff->n_threads > 0) {
        findings found = {.n_work = 0};
        search(diff, threads, status_of_label, &found);
        choose_causes(diff, &found);
    }
    for (uint32_t t = 0; threads != NULL && t < diff->n_threads; t++) {
        g_free(threads[t].change);
        g_free(threads[t].end);
    }
    return ok;
}
