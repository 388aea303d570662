/* A call tree made from another one: frames go, move up, get other names, and siblings that became
 * equal merge.
 *
 * A plan says for each node of the old tree what becomes of its frame and of its self time. What
 * merging does to the columns:
 *   - calls, unwinds and self time of merged nodes are added;
 *   - min and max are those of the shortest and longest call among them. Where the time of single
 *     calls is no longer known, because time was taken out of some of several calls, both are 0
 *    ; a single call's time is always known;
 *   - siblings stand in the order of the first node that went into each. */
#ifndef AF_MODEL_TREE_REWRITE_H
#define AF_MODEL_TREE_REWRITE_H

#include "model/tree.h"

typedef struct {
    /* For each node: itself if its frame stays; another node below it in number that stays, which
     * gets its self time; AF_NO_NODE (or 0, the thread, which can have none) if its self time is
     * left out. into[0] is 0. */
    uint32_t *into;
    /* For each node that stays: its new parent, one that stays and has a smaller number. */
    uint32_t *parent;
    /* For each node that stays: its new label. */
    uint32_t *label;
    /* 1 where a node that stays loses its own self time all the same. */
    guint8 *emptied;
} af_plan;

/* A plan in which everything stays as it is. FALSE if the machine refuses the memory; free it with
 * af_plan_clear() in any case. */
gboolean af_plan_init(af_plan *plan, const af_tree *tree);
void af_plan_clear(af_plan *plan);

/* The new tree; NULL if the machine refuses the memory. `node_of`, which may be NULL, has room for
 * a number for each node of the old tree: the node its frame became, AF_NO_NODE if it went. */
af_tree *af_tree_regroup(const af_tree *tree, const af_plan *plan, uint32_t *node_of);

/* Whether siblings of `tree` would be equal with `label_of[label]` in the place of every label, so
 * that af_tree_relabel() has something to merge. Different labels may become the same only where
 * `shared`, by new label, of which there are `n_labels`, is not 0. May say TRUE if the machine
 * refuses memory. */
gboolean af_tree_has_twins(const af_tree *tree, const uint32_t *label_of, const guint8 *shared,
                           uint32_t n_labels);

/* Whether the times of single calls of the node are not known: its min and max are 0 and yet it
 * took time. */
static inline gboolean af_tree_is_unsure(const af_tree *tree, uint32_t node, unsigned clock)
{
    return tree->max[clock][node] == 0 && tree->inclusive[clock][node] > 0;
}

#endif
