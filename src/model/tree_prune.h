/* Prunes trees that are too large.
 *
 * Nodes with the least inclusive time are omitted first, so a node is never omitted before its
 * callees. The omitted children of one parent become one entry, at the position of the first of
 * them. So the times of all remaining nodes are unchanged. */
#pragma once

#include "model/tree.h"

typedef struct af_ranking af_ranking;

/* Ranks all nodes of `trees`: most inclusive time in `clock` first, then in order. Borrows the
 * trees. NULL if memory is refused. */
af_ranking *af_ranking_new(const af_tree *const *trees, uint32_t n_trees, af_clock clock);
void af_ranking_free(af_ranking *ranking);

/* The entry for all omitted children of one parent. */
typedef struct {
    uint32_t depth;
    uint64_t nodes;           /* number of omitted nodes, with their callees */
    uint64_t calls;           /* of those whose parent stays */
    uint64_t self[AF_CLOCKS]; /* their total time, ns */
    uint64_t runnable;
} af_stand_in;

/* The entries of a pruned tree, in the order of its nodes and without the thread: entries below
 * `first` are nodes, the others stand_ins[entry - first]. */
typedef struct {
    uint32_t *entries;
    uint32_t n, first;
    af_stand_in *stand_ins;
    uint32_t n_stand_ins;
} af_tree_extract;

/* Prunes the trees to at most `n_entries` entries of all together, but at least one of each.
 * Returns what remains of each, valid until the next call; NULL if memory is refused. */
const af_tree_extract *const *af_ranking_prune(af_ranking *ranking, uint64_t n_entries);
