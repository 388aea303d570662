#include "model/tree_prune.h"

#include <stdlib.h>
#include <string.h>

/* Buckets of times, each 1/64 wider than the previous one: a single counting sort gives most of the
 * order, and only the bucket at the limit is sorted by the exact times. */
enum { FRACTION_BITS = 6, BUCKETS = (64 - FRACTION_BITS + 1) << FRACTION_BITS };

typedef struct {
    uint32_t tree, node;
} ranked_node;

struct af_ranking {
    const af_tree *const *trees;
    uint32_t n_trees;
    af_clock clock;
    uint64_t n;
    ranked_node *nodes;       /* by bucket, longest times first */
    uint64_t *begin;          /* by bucket: its start in `nodes`; one more for the end */
    uint32_t **children;      /* by tree and node: number of children */
    uint32_t **gone;          /* likewise: number of omitted children */
    uint8_t **marks;          /* likewise: whether it remains */
    af_tree_extract **pruned; /* by tree; NULL = not yet */
};

/* Bucket 0 has the longest times. */
static unsigned find_bucket(uint64_t time_ns)
{
    unsigned bucket = (unsigned)time_ns;
    if (time_ns >> FRACTION_BITS != 0) {
        const unsigned shift = 63 - (unsigned)__builtin_clzll(time_ns) - FRACTION_BITS;
        bucket =
            ((shift + 1) << FRACTION_BITS) + (unsigned)(time_ns >> shift) - (1u << FRACTION_BITS);
    }
    return BUCKETS - 1 - bucket;
}

/* The times to rank by; trees that lack the clock are ranked by another one. */
static const uint64_t *times_of(const af_ranking *ranking, uint32_t tree)
{
    const af_tree *it = ranking->trees[tree];
    return af_tree_widths(it, af_tree_has(it, ranking->clock) ? ranking->clock : AF_WALL);
}

static gboolean rank_nodes(af_ranking *ranking)
{
    ranking->nodes = g_try_new(ranked_node, ranking->n + 1);
    ranking->begin = g_try_new0(uint64_t, BUCKETS + 2);
    if (!ranking->nodes || !ranking->begin) {
        return FALSE;
    }
    /* counted one index higher, so that filling the buckets moves every start to its final value */
    uint64_t *at = ranking->begin + 1;
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const uint64_t *times = times_of(ranking, t);
        for (uint32_t i = 1; i < ranking->trees[t]->n; i++) {
            at[find_bucket(times[i]) + 1]++;
        }
    }
    for (unsigned b = 0; b < BUCKETS; b++) {
        at[b + 1] += at[b];
    }
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const uint64_t *times = times_of(ranking, t);
        for (uint32_t i = 1; i < ranking->trees[t]->n; i++) {
            ranking->nodes[at[find_bucket(times[i])]++] = (ranked_node){t, i};
        }
    }
    return TRUE;
}

/* The order within a bucket. A parent precedes its children: its time is at least as long, and its
 * number is smaller. */
static int compare_ranked(const void *a, const void *b, void *user)
{
    const af_ranking *ranking = user;
    const ranked_node *x = a, *y = b;
    const uint64_t one = times_of(ranking, x->tree)[x->node];
    const uint64_t other = times_of(ranking, y->tree)[y->node];
    if (one != other) {
        return one > other ? -1 : 1;
    }
    if (x->tree != y->tree) {
        return x->tree < y->tree ? -1 : 1;
    }
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Many short times are often equal, and their order is then already correct. */
static void sort_range(af_ranking *ranking, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i + 1 < to; i++) {
        if (compare_ranked(&ranking->nodes[i], &ranking->nodes[i + 1], ranking) > 0) {
            qsort_r(ranking->nodes + from, to - from, sizeof *ranking->nodes, compare_ranked,
                    ranking);
            return;
        }
    }
}

static gboolean count_children(af_ranking *ranking)
{
    ranking->children = g_try_new0(uint32_t *, (gsize)ranking->n_trees + 1);
    ranking->gone = g_try_new0(uint32_t *, (gsize)ranking->n_trees + 1);
    ranking->marks = g_try_new0(uint8_t *, (gsize)ranking->n_trees + 1);
    ranking->pruned = g_try_new0(af_tree_extract *, (gsize)ranking->n_trees + 1);
    if (!ranking->children || !ranking->gone || !ranking->marks || !ranking->pruned) {
        return FALSE;
    }
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const af_tree *tree = ranking->trees[t];
        ranking->children[t] = g_try_new0(uint32_t, tree->n);
        ranking->gone[t] = g_try_new0(uint32_t, tree->n);
        ranking->marks[t] = g_try_new0(uint8_t, tree->n);
        if (!ranking->children[t] || !ranking->gone[t] || !ranking->marks[t]) {
            return FALSE;
        }
        for (uint32_t i = 1; i < tree->n; i++) {
            ranking->children[t][tree->parent[i]]++;
        }
    }
    return TRUE;
}

af_ranking *af_ranking_new(const af_tree *const *trees, uint32_t n_trees, af_clock clock)
{
    af_ranking *ranking = g_new0(af_ranking, 1);
    ranking->trees = trees;
    ranking->n_trees = n_trees;
    ranking->clock = clock;
    for (uint32_t t = 0; t < n_trees; t++) {
        ranking->n += trees[t]->n - 1;
    }
    if (!rank_nodes(ranking) || !count_children(ranking)) {
        af_ranking_free(ranking);
        return NULL;
    }
    return ranking;
}

static void free_extract(af_tree_extract *pruned)
{
    if (pruned) {
        g_free(pruned->entries);
        g_free(pruned->stand_ins);
        g_free(pruned);
    }
}

void af_ranking_free(af_ranking *ranking)
{
    if (ranking) {
        const gboolean any =
            ranking->children && ranking->gone && ranking->marks && ranking->pruned;
        for (uint32_t t = 0; any && t < ranking->n_trees; t++) {
            g_free(ranking->children[t]);
            g_free(ranking->gone[t]);
            g_free(ranking->marks[t]);
            free_extract(ranking->pruned[t]);
        }
        g_free(ranking->children);
        g_free(ranking->gone);
        g_free(ranking->marks);
        g_free(ranking->pruned);
        g_free(ranking->nodes);
        g_free(ranking->begin);
        g_free(ranking);
    }
}

/* Keeps a node that would be the only one that a stand-in replaces. */
static void keep_single(const af_ranking *ranking)
{
    uint8_t **marks = ranking->marks;
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const af_tree *tree = ranking->trees[t];
        for (uint32_t i = 1; i < tree->n; i++) {
            const uint32_t parent = tree->parent[i];
            if (!marks[t][i] && ranking->children[t][i] == 0 && ranking->gone[t][parent] == 1 &&
                (parent == 0 || marks[t][parent])) {
                marks[t][i] = 1;
            }
        }
    }
}

/* Keeps nodes[from .. to) until there are `n_entries`; *n counts them. Returns the end of the kept
 * nodes. */
static uint64_t keep_range(const af_ranking *ranking, uint64_t from, uint64_t to,
                           uint64_t n_entries, uint64_t *n)
{
    for (uint64_t i = from; i < to; i++) {
        const ranked_node p = ranking->nodes[i];
        uint32_t *gone = ranking->gone[p.tree];
        const uint32_t parent = ranking->trees[p.tree]->parent[p.node];
        /* its own entry, the stand-in for its children, minus that of its siblings if it was the
         * last of them */
        const uint64_t now = *n + 1 + (gone[p.node] > 0 ? 1 : 0) - (gone[parent] == 1 ? 1 : 0);
        if (now > n_entries) {
            return i;
        }
        *n = now;
        gone[parent]--;
        ranking->marks[p.tree][p.node] = 1;
    }
    return to;
}

/* Undoes keep_range(). */
static void drop_range(const af_ranking *ranking, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        const ranked_node p = ranking->nodes[i];
        ranking->gone[p.tree][ranking->trees[p.tree]->parent[p.node]]++;
        ranking->marks[p.tree][p.node] = 0;
    }
}

static void choose(af_ranking *ranking, uint64_t n_entries)
{
    uint64_t n = 0;
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const uint32_t size = ranking->trees[t]->n;
        memset(ranking->marks[t], 0, size);
        memcpy(ranking->gone[t], ranking->children[t], size * sizeof **ranking->gone);
        n += size > 1 ? 1 : 0;
    }
    for (unsigned b = 0; b < BUCKETS; b++) {
        const uint64_t from = ranking->begin[b], to = ranking->begin[b + 1];
        const uint64_t before = n;
        const uint64_t end = keep_range(ranking, from, to, n_entries, &n);
        if (end < to) {
            /* the number of entries does not depend on the order, but their choice does */
            drop_range(ranking, from, end);
            n = before;
            sort_range(ranking, from, to);
            keep_range(ranking, from, to, n_entries, &n);
            break;
        }
    }
    keep_single(ranking);
}

/* `under` is by node: the stand-in among its children, or of an omitted node its own, counted from
 * 1; 0 = none. */
static void list_entries(af_tree_extract *to, const af_tree *tree, const uint8_t *marks,
                         uint32_t *under)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t parent = tree->parent[i];
        if (marks[i]) {
            to->entries[to->n++] = i;
            continue;
        }
        if (parent == 0 || marks[parent]) {
            /* Omits `node`, whose parent remains. Returns the stand-in, counted from 1. */
            uint32_t stand_in = under[parent];
            if (stand_in == 0) {
                to->entries[to->n++] = to->first + to->n_stand_ins;
                to->stand_ins[to->n_stand_ins++] = (af_stand_in){.depth = tree->depth[i]};
                stand_in = to->n_stand_ins;
            }
            to->stand_ins[stand_in - 1].calls += tree->calls[i];
            for (unsigned c = 0; c < AF_CLOCKS; c++) {
                if (tree->self[c]) {
                    to->stand_ins[stand_in - 1].self[c] += tree->inclusive[c][i];
                }
            }
            const uint64_t *runnable = af_tree_runnable(tree);
            to->stand_ins[stand_in - 1].runnable += runnable != NULL ? runnable[i] : 0;
            under[parent] = stand_in;
        }
        under[i] = under[parent];
        to->stand_ins[under[i] - 1].nodes++;
    }
}

/* NULL if memory is refused. */
static af_tree_extract *extract(const af_ranking *ranking, uint32_t number)
{
    const af_tree *tree = ranking->trees[number];
    const uint8_t *marks = ranking->marks[number];
    uint64_t n_marked = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        n_marked += marks[i];
    }
    /* at most one stand-in for the thread and for every remaining node */
    const uint64_t capacity = MIN((uint64_t)tree->n, n_marked + 1);
    g_autofree uint32_t *under = g_try_new0(uint32_t, tree->n);
    af_tree_extract *pruned = g_new0(af_tree_extract, 1);
    pruned->first = tree->n;
    pruned->entries = g_try_new(uint32_t, MIN((uint64_t)tree->n, n_marked + capacity) + 1);
    pruned->stand_ins = g_try_new(af_stand_in, capacity);
    if (under && pruned->entries && pruned->stand_ins) {
        list_entries(pruned, tree, marks, under);
    } else {
        g_clear_pointer(&pruned, free_extract);
    }
    return pruned;
}

const af_tree_extract *const *af_ranking_prune(af_ranking *ranking, uint64_t n_entries)
{
    gboolean ok = TRUE;
    choose(ranking, n_entries);
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        free_extract(ranking->pruned[t]);
        ranking->pruned[t] = ok ? extract(ranking, t) : NULL;
        ok = ranking->pruned[t] != NULL;
    }
    return ok ? (const af_tree_extract *const *)ranking->pruned : NULL;
}
