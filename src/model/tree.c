#include "model/tree.h"

#include <string.h>

#include "base/pages.h"

/* Trees up to this many bytes lie in ordinary memory. */
#define SMALL_TREE ((size_t)64 * 1024)

/* The columns one behind the other, the wide ones first so that all are aligned. */
static void place_columns(af_tree *tree, unsigned clocks)
{
    uint64_t *wide = tree->block;
    tree->calls = wide;
    tree->unwinds = wide + tree->n;
    wide += (size_t)tree->n * 2;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if ((clocks >> c & 1) != 0) {
            tree->self[c] = wide;
            tree->inclusive[c] = wide + tree->n;
            tree->min[c] = wide + (size_t)tree->n * 2;
            tree->max[c] = wide + (size_t)tree->n * 3;
            wide += (size_t)tree->n * 4;
        }
    }
    uint32_t *narrow = (uint32_t *)(void *)wide;
    tree->parent = narrow;
    tree->label = narrow + tree->n;
    tree->depth = narrow + (size_t)tree->n * 2;
}

af_tree *af_tree_new(uint32_t n, unsigned clocks)
{
    g_return_val_if_fail(n > 0, NULL);
    const size_t n_clocks = (clocks & 1) + (clocks >> 1 & 1);
    af_tree *tree = g_new0(af_tree, 1);
    tree->n = n;
    tree->block_size = (size_t)n * (sizeof(uint64_t) * (2 + 4 * n_clocks) + sizeof(uint32_t) * 3);
    tree->block = tree->block_size <= SMALL_TREE ? g_try_malloc0(tree->block_size)
                                                 : af_pages_alloc(tree->block_size);
    if (tree->block == NULL) {
        g_free(tree);
        return NULL;
    }
    place_columns(tree, clocks);
    tree->parent[0] = AF_NO_NODE;
    tree->label[0] = AF_NO_LABEL;
    return tree;
}

void af_tree_free(af_tree *tree)
{
    if (tree == NULL) {
        return;
    }
    if (tree->block_size <= SMALL_TREE) {
        g_free(tree->block);
    } else {
        af_pages_free(tree->block, tree->block_size);
    }
    g_free(tree);
}

void af_tree_sum(af_tree *tree)
{
    tree->depth[0] = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        tree->depth[n] = tree->depth[tree->parent[n]] + 1;
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (tree->self[c] == NULL) {
            continue;
        }
        memcpy(tree->inclusive[c], tree->self[c], tree->n * sizeof(uint64_t));
        for (uint32_t n = tree->n - 1; n > 0; n--) {
            tree->inclusive[c][tree->parent[n]] += tree->inclusive[c][n];
        }
    }
}

static const char *check_shape(const af_tree *tree)
{
    if (tree->n == 0 || tree->parent[0] != AF_NO_NODE || tree->label[0] != AF_NO_LABEL ||
        tree->depth[0] != 0) {
        return "node 0 is not the thread";
    }
    for (uint32_t n = 1; n < tree->n; n++) {
        if (tree->parent[n] >= n) {
            return "a parent's number is not below its child's";
        }
        if (tree->depth[n] != tree->depth[tree->parent[n]] + 1) {
            return "a depth is not one more than the parent's";
        }
        /* the node before is the parent, or lies at or below the sibling before */
        uint32_t before = n - 1;
        while (before != tree->parent[n] && tree->depth[before] >= tree->depth[n]) {
            before = tree->parent[before];
        }
        if (before != tree->parent[n]) {
            return "the nodes below a node do not follow it";
        }
        if (tree->calls[n] == 0 || tree->unwinds[n] > tree->calls[n]) {
            return "a node has no call or more unwinds than calls";
        }
    }
    return NULL;
}

const char *af_tree_check(const af_tree *tree)
{
    const char *wrong = check_shape(tree);
    for (unsigned c = 0; c < AF_CLOCKS && wrong == NULL; c++) {
        if (tree->self[c] == NULL) {
            continue;
        }
        if (tree->self[c][0] != 0) {
            return "the thread has self time";
        }
        uint64_t *sums = g_new0(uint64_t, tree->n);
        for (uint32_t n = tree->n; n-- > 0 && wrong == NULL;) {
            sums[n] += tree->self[c][n];
            if (sums[n] != tree->inclusive[c][n] || sums[n] < tree->self[c][n]) {
                wrong = "inclusive is not self and the children's inclusive";
            } else if (n > 0) {
                sums[tree->parent[n]] += sums[n];
            }
            if (tree->min[c][n] > tree->max[c][n] || tree->max[c][n] > tree->inclusive[c][n]) {
                wrong = "the shortest, longest and all calls are out of order";
            }
        }
        g_free(sums);
    }
    return wrong;
}

/* ---- merging equal siblings ---- */

/* Children by (parent, label): row + 1, 0 = free. */
typedef struct {
    uint32_t *slots;
    uint32_t mask;
} child_index;

static uint32_t find_or_put(const child_index *index, const uint32_t *parent, const uint32_t *label,
                            uint32_t node)
{
    uint64_t h = ((uint64_t)parent[node] << 32 | label[node]) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(h >> 32) & index->mask;
    for (; index->slots[at] != 0; at = (at + 1) & index->mask) {
        const uint32_t other = index->slots[at] - 1;
        if (parent[other] == parent[node] && label[other] == label[node]) {
            return other;
        }
    }
    index->slots[at] = node + 1;
    return node;
}

/* For each node the one it becomes part of: itself, or an earlier one with the same path. `parent`
 * and `label` receive the new path of each node. Returns how many are left. */
static uint32_t find_merged(const af_tree *tree, const uint32_t *label_of, const child_index *index,
                            uint32_t *into, uint32_t *parent, uint32_t *label)
{
    uint32_t left = 1;
    into[0] = 0;
    parent[0] = AF_NO_NODE;
    label[0] = AF_NO_LABEL;
    for (uint32_t n = 1; n < tree->n; n++) {
        parent[n] = into[tree->parent[n]];
        label[n] = label_of[tree->label[n]];
        into[n] = find_or_put(index, parent, label, n);
        left += into[n] == n;
    }
    return left;
}

/* Numbers of the nodes that are left, in walk order; 0 for the others. */
static void number_merged(uint32_t n_nodes, const uint32_t *into, const uint32_t *parent,
                          uint32_t *sizes, uint32_t *number, uint32_t *next)
{
    for (uint32_t n = 0; n < n_nodes; n++) {
        sizes[n] = into[n] == n;
    }
    for (uint32_t n = n_nodes - 1; n > 0; n--) {
        if (into[n] == n) {
            sizes[parent[n]] += sizes[n];
        }
    }
    number[0] = 0;
    next[0] = 1;
    for (uint32_t n = 1; n < n_nodes; n++) {
        if (into[n] == n) {
            number[n] = next[parent[n]];
            next[parent[n]] += sizes[n];
            next[n] = number[n] + 1;
        }
    }
}

static void add_node(af_tree *to, uint32_t at, const af_tree *from, uint32_t n)
{
    const gboolean first = to->calls[at] == 0;
    to->calls[at] += from->calls[n];
    to->unwinds[at] += from->unwinds[n];
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (from->self[c] != NULL) {
            to->self[c][at] += from->self[c][n];
            to->min[c][at] = first ? from->min[c][n] : MIN(to->min[c][at], from->min[c][n]);
            to->max[c][at] = MAX(to->max[c][at], from->max[c][n]);
        }
    }
}

static af_tree *copy_merged(const af_tree *tree, uint32_t left, const uint32_t *into,
                            const uint32_t *parent, const uint32_t *label, const uint32_t *number)
{
    unsigned clocks = 0;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        clocks |= (unsigned)(tree->self[c] != NULL) << c;
    }
    af_tree *merged = af_tree_new(left, clocks);
    for (uint32_t n = 1; merged != NULL && n < tree->n; n++) {
        const uint32_t at = number[into[n]];
        if (into[n] == n) {
            merged->parent[at] = number[parent[n]];
            merged->label[at] = label[n];
        }
        add_node(merged, at, tree, n);
    }
    if (merged != NULL) {
        af_tree_sum(merged);
    }
    return merged;
}

af_tree *af_tree_relabel(const af_tree *tree, const uint32_t *label_of)
{
    uint64_t n_slots = 16;
    while (n_slots < (uint64_t)tree->n * 2) {
        n_slots *= 2;
    }
    child_index index = {.slots = g_try_malloc0_n(n_slots, sizeof(uint32_t)),
                         .mask = (uint32_t)(n_slots - 1)};
    uint32_t *room = g_try_malloc0_n((size_t)tree->n * 6, sizeof *room);
    af_tree *merged = NULL;
    if (index.slots != NULL && room != NULL) {
        uint32_t *into = room, *parent = into + tree->n, *label = parent + tree->n;
        uint32_t *sizes = label + tree->n, *number = sizes + tree->n, *next = number + tree->n;
        const uint32_t left = find_merged(tree, label_of, &index, into, parent, label);
        number_merged(tree->n, into, parent, sizes, number, next);
        merged = copy_merged(tree, left, into, parent, label, number);
    }
    g_free(index.slots);
    g_free(room);
    return merged;
}
