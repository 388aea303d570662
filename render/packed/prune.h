/* Less of a tree where there is no room for the whole one.
 *
 * The nodes with the least inclusive time go first, so a node never goes before what it called.
 * What goes under one parent becomes one entry in the place of the first that went. So the times
 * of all nodes that stay are what they were. */
#ifndef AF_RENDER_PACKED_PRUNE_H
#define AF_RENDER_PACKED_PRUNE_H

#include "model/tree.h"

typedef struct af_ranking af_ranking;

/* All nodes of `trees` in the order in which they stay: most inclusive time in `clock`, then who
 * came first. Borrows the trees. NULL if the machine refuses the memory. */
af_ranking *af_ranking_new(const af_tree *const *trees, uint32_t n_trees, af_clock clock);
void af_ranking_free(af_ranking *ranking);

/* Marks what stays, in bytes kept[tree][node], node 0 left alone, so that all trees together have
 * at most `n_entries` nodes, those that stand for others counted. At least one for each tree. */
void af_ranking_choose(af_ranking *ranking, uint64_t n_entries, uint8_t **kept);

/* The entry for all that went under one parent. */
typedef struct {
    uint32_t depth;
    uint64_t nodes;           /* how many it stands for */
    uint64_t self[AF_CLOCKS]; /* all their time, ns */
} af_stand_in;

/* What is left of a tree, in the order of its nodes, the thread's left out: entries below `first`
 * are nodes, the others stand_ins[entry - first]. */
typedef struct {
    uint32_t *entries;
    uint32_t n, first;
    af_stand_in *stand_ins;
    uint32_t n_stand_ins;
} af_pruned;

/* The nodes of `tree` marked in `kept`; NULL if the machine refuses the memory. */
af_pruned *af_prune_tree(const af_tree *tree, const uint8_t *kept);
void af_pruned_free(af_pruned *pruned);

#endif
