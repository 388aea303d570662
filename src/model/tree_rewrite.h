/* Rewrites a call tree: removes frames, moves them up, relabels them, and merges equal siblings.
 *
 * A plan states for each node of the old tree what happens to its frame and to its self time.
 * Merging affects the columns as follows:
 *   - calls, unwinds and self time of merged nodes are added;
 *   - min and max become those of the shortest and longest call among them. Both are 0 if the
 *     durations of single calls are no longer known, because time was removed from some of several
 *     calls; the duration of a node's only call is always known;
 *   - equal siblings of which only some wait for work (model/waits.h) remain two nodes;
 *   - siblings are ordered by the first node that was merged into each. */
#pragma once

#include "base/array.h"
#include "model/tree.h"

typedef struct {
    /* For each node: itself if its frame remains; otherwise the remaining node with a smaller
     * number that gets its self time; AF_NO_NODE or 0 (the thread) drops the self time. into[0] is
     * 0. */
    uint32_t *into;
    /* For each remaining node: its new parent, a remaining node with a smaller number. */
    uint32_t *parent;
    /* For each remaining node: its new label. */
    uint32_t *label;
    /* 1 if a node remains but loses its self time. */
    guint8 *emptied;
} af_plan;

/* A plan that changes nothing. Returns FALSE if memory is refused; call af_plan_clear() in any
 * case. */
gboolean af_plan_init(af_plan *plan, const af_tree *tree);
void af_plan_clear(af_plan *plan);

/* Returns the new tree; NULL if memory is refused. `node_of`, which may be NULL, receives the new
 * number of each old node; AF_NO_NODE if its frame was removed. */
af_tree *af_tree_regroup(const af_tree *tree, const af_plan *plan, uint32_t *node_of);

/* Copies what a node has by itself, in the columns that both trees have: all but its parent and what
 * af_tree_sum() computes. */
void af_tree_copy_node(af_tree *to, uint32_t at, const af_tree *from, uint32_t node);

/* The numbers in preorder of nodes listed in any order in which parents come before their children;
 * siblings stay in that order. `nodes` are structs that begin with the uint32_t index of their
 * parent; node 0 has none. NULL if memory is refused. Free with g_free(). */
uint32_t *af_tree_number_nodes(const af_array *nodes);

/* Whether replacing every label by `label_of[label]` makes siblings equal, so that
 * af_tree_relabel() has to merge them. `shared`, one byte for each new label, must be 1 for labels
 * that replace several. Returns TRUE if memory is refused. */
gboolean af_tree_has_twins(const af_tree *tree, const uint32_t *label_of, const guint8 *shared);

/* Whether the durations of the node's single calls are unknown: min and max are 0 although the node
 * has time. */
static inline gboolean af_tree_lacks_call_times(const af_tree *tree, uint32_t node, unsigned clock)
{
    return tree->max[clock][node] == 0 && tree->inclusive[clock][node] > 0;
}
