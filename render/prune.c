#include "render/prune.h"

#include <string.h>

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

/* ---- who stays first ---- */

typedef struct {
    uint64_t key;
    uint32_t tree, node;
} ranked;

struct af_ranking {
    const af_tree *const *trees;
    uint32_t n_trees;
    uint64_t n;
    ranked *nodes;       /* those that stay first come first */
    uint32_t **children; /* by tree and node: how many */
    uint32_t **gone;     /* the same: how many of them do not stay */
};

/* One pass of a radix sort, largest digit first. Stable. */
static void sort_by_digit(const ranked *from, ranked *to, uint64_t n, unsigned shift,
                          uint64_t *counts)
{
    memset(counts, 0, (DIGITS + 1) * sizeof *counts);
    for (uint64_t i = 0; i < n; i++) {
        counts[DIGITS - (from[i].key >> shift & (DIGITS - 1))]++;
    }
    for (unsigned d = 1; d <= DIGITS; d++) {
        counts[d] += counts[d - 1];
    }
    for (uint64_t i = 0; i < n; i++) {
        to[counts[DIGITS - 1 - (from[i].key >> shift & (DIGITS - 1))]++] = from[i];
    }
}

/* By the times of one clock, largest first; equal ones stay in their order. `nodes` and `spare`
 * trade places as often as needed; the result is in `nodes`. */
static void sort_by_clock(af_ranking *ranking, ranked **spare, uint64_t *counts, unsigned clock)
{
    uint64_t bits = 0;
    for (uint64_t i = 0; i < ranking->n; i++) {
        ranked *r = &ranking->nodes[i];
        r->key = ranking->trees[r->tree]->inclusive[clock][r->node];
        bits |= r->key;
    }
    for (unsigned shift = 0; shift < 64 && bits >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(ranking->nodes, *spare, ranking->n, shift, counts);
        ranked *const sorted = *spare;
        *spare = ranking->nodes;
        ranking->nodes = sorted;
    }
}

static gboolean rank_nodes(af_ranking *ranking, af_clock clock)
{
    const af_clock other = clock == AF_WALL ? AF_CPU : AF_WALL;
    ranking->nodes = g_try_new(ranked, ranking->n + 1);
    ranked *spare = g_try_new(ranked, ranking->n + 1);
    uint64_t *counts = g_try_new(uint64_t, DIGITS + 1);
    const gboolean done = ranking->nodes && spare && counts;
    uint64_t n = 0;
    for (uint32_t t = 0; done && t < ranking->n_trees; t++) {
        for (uint32_t i = 1; i < ranking->trees[t]->n; i++) {
            ranking->nodes[n++] = (ranked){0, t, i};
        }
    }
    if (done && n > 0) {
        if (ranking->trees[0]->inclusive[other]) {
            sort_by_clock(ranking, &spare, counts, other);
        }
        sort_by_clock(ranking, &spare, counts, clock);
    }
    g_free(spare);
    g_free(counts);
    return done;
}

static gboolean count_children(af_ranking *ranking)
{
    ranking->children = g_new0(uint32_t *, (gsize)ranking->n_trees + 1);
    ranking->gone = g_new0(uint32_t *, (gsize)ranking->n_trees + 1);
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const af_tree *tree = ranking->trees[t];
        ranking->children[t] = g_try_new0(uint32_t, tree->n);
        ranking->gone[t] = g_try_new0(uint32_t, tree->n);
        if (!ranking->children[t] || !ranking->gone[t]) {
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
    for (uint32_t t = 0; t < n_trees; t++) {
        ranking->n += trees[t]->n - 1;
    }
    if (!rank_nodes(ranking, clock) || !count_children(ranking)) {
        af_ranking_free(ranking);
        return NULL;
    }
    return ranking;
}

void af_ranking_free(af_ranking *ranking)
{
    if (ranking) {
        for (uint32_t t = 0; ranking->gone && t < ranking->n_trees; t++) {
            g_free(ranking->children[t]);
            g_free(ranking->gone[t]);
        }
        g_free(ranking->children);
        g_free(ranking->gone);
        g_free(ranking->nodes);
        g_free(ranking);
    }
}

/* ---- what stays ---- */

/* A node that alone would be stood for may as well stay. */
static void keep_single(const af_ranking *ranking, uint8_t **kept)
{
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const af_tree *tree = ranking->trees[t];
        for (uint32_t i = 1; i < tree->n; i++) {
            const uint32_t parent = tree->parent[i];
            if (!kept[t][i] && ranking->children[t][i] == 0 && ranking->gone[t][parent] == 1 &&
                (parent == 0 || kept[t][parent])) {
                kept[t][i] = 1;
            }
        }
    }
}

void af_ranking_choose(af_ranking *ranking, uint64_t n_entries, uint8_t **kept)
{
    uint64_t n = 0;
    for (uint32_t t = 0; t < ranking->n_trees; t++) {
        const uint32_t size = ranking->trees[t]->n;
        memset(kept[t], 0, size);
        memcpy(ranking->gone[t], ranking->children[t], size * sizeof **ranking->gone);
        n += size > 1 ? 1 : 0;
    }
    for (uint64_t i = 0; i < ranking->n; i++) {
        const ranked *r = &ranking->nodes[i];
        uint32_t *gone = ranking->gone[r->tree];
        const uint32_t parent = ranking->trees[r->tree]->parent[r->node];
        /* its own entry, the one that stands for its children, and that of its siblings if it
         * was the last of them to go */
        n += 1 + (gone[r->node] > 0 ? 1 : 0) - (gone[parent] == 1 ? 1 : 0);
        if (n > n_entries) {
            break;
        }
        gone[parent]--;
        kept[r->tree][r->node] = 1;
    }
    keep_single(ranking, kept);
}

/* ---- the smaller tree ---- */

typedef struct {
    const af_tree *from;
    af_tree *to;
    uint32_t *now;       /* by node: its number in `to`, or that of what stands for it */
    uint32_t *stands_in; /* by node of `to`: what stands for those that went under it; 0 = none */
} pruning;

static void keep_node(pruning *p, uint32_t node, uint32_t at)
{
    const af_tree *from = p->from;
    af_tree *to = p->to;
    to->label[at] = from->label[node];
    to->calls[at] = from->calls[node];
    to->unwinds[at] = from->unwinds[node];
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (from->self[c]) {
            to->self[c][at] = from->self[c][node];
            to->inclusive[c][at] = from->inclusive[c][node];
            to->min[c][at] = from->min[c][node];
            to->max[c][at] = from->max[c][node];
        }
    }
}

/* A node that goes while its parent, `to`'s number `parent`, stays. */
static uint32_t drop_node(pruning *p, uint32_t node, uint32_t parent, uint32_t *n)
{
    af_tree *to = p->to;
    if (p->stands_in[parent] == 0) {
        p->stands_in[parent] = *n;
        to->parent[*n] = parent;
        to->depth[*n] = p->from->depth[node];
        to->label[(*n)++] = AF_NO_LABEL;
    }
    const uint32_t at = p->stands_in[parent];
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (to->self[c]) {
            to->self[c][at] += p->from->inclusive[c][node];
            to->inclusive[c][at] = to->self[c][at];
        }
    }
    return at;
}

static void copy_nodes(pruning *p, const uint8_t *kept)
{
    const af_tree *from = p->from;
    uint32_t n = 1;
    keep_node(p, 0, 0);
    p->to->parent[0] = AF_NO_NODE;
    p->now[0] = 0;
    for (uint32_t i = 1; i < from->n; i++) {
        const uint32_t parent = p->now[from->parent[i]];
        if (kept[i]) {
            p->now[i] = n;
            p->to->parent[n] = parent;
            p->to->depth[n] = from->depth[i];
            keep_node(p, i, n++);
            continue;
        }
        const gboolean is_top = from->parent[i] == 0 || kept[from->parent[i]];
        p->now[i] = is_top ? drop_node(p, i, parent, &n) : parent;
        p->to->calls[p->now[i]]++;
    }
    p->to->n = n;
}

af_tree *af_prune_tree(const af_tree *tree, const uint8_t *kept)
{
    unsigned clocks = 0;
    uint64_t n_kept = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        clocks |= tree->self[c] ? 1u << c : 0;
    }
    for (uint32_t i = 1; i < tree->n; i++) {
        n_kept += kept[i];
    }
    /* at most one more for the thread and for every node that stays */
    const uint32_t room = (uint32_t)MIN(tree->n, 2 * n_kept + 2);
    pruning p = {
        .from = tree,
        .to = af_tree_new(room, clocks),
        .now = g_try_new(uint32_t, tree->n),
        .stands_in = g_try_new0(uint32_t, room),
    };
    if (p.to && p.now && p.stands_in) {
        copy_nodes(&p, kept);
    } else {
        af_tree_free(p.to);
        p.to = NULL;
    }
    g_free(p.now);
    g_free(p.stands_in);
    return p.to;
}
