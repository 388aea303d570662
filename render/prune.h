/* A smaller tree where there is no room for the whole one.
 *
 * The nodes with the least inclusive time go first, so a node never goes before what it called.
 * What goes under one parent becomes one node in the place of the first that went: without a label,
 * its calls the number of nodes it stands for, its self time all their time. So the times of
 * all nodes that stay are what they were. */
#ifndef AF_RENDER_PRUNE_H
#define AF_RENDER_PRUNE_H

#include "model/tree.h"

typedef struct af_ranking af_ranking;

/* All nodes of `trees` in the order in which they stay: most inclusive time in `clock`, then in the
 * other one, then who came first. Borrows the trees. NULL if the machine refuses the memory. */
af_ranking *af_ranking_new(const af_tree *const *trees, uint32_t n_trees, af_clock clock);
void af_ranking_free(af_ranking *ranking);

/* Marks what stays, in bytes kept[tree][node], node 0 left alone, so that all trees together have
 * at most `n_entries` nodes, those that stand for others counted. At least one for each tree. */
void af_ranking_choose(af_ranking *ranking, uint64_t n_entries, uint8_t **kept);

/* `tree` with the nodes marked in `kept` alone; NULL if the machine refuses the memory. */
af_tree *af_prune_tree(const af_tree *tree, const uint8_t *kept);

#endif
