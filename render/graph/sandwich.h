/* The sandwich of a method: one tree with all paths that lead to the method and its merged callees.
 *
 * Node 1 is the method. Nodes 2 ... turn - 1 are its callers, each a child of the method that it
 * called, so the outermost callers are leaves. The callees follow from node `turn` on. A call
 * inside another call of the same method is part of that call, so its time counts once. Both halves
 * show the inclusive time of the method's calls, so inclusive times are not sums of children as in
 * other trees, and callers have no self time. */
#pragma once

#include "render/graph/layout.h"

/* NULL if memory is refused. A tree that lacks the method gives one with node 0 only. Free with
 * af_tree_free(). */
af_tree *af_sandwich_new(const af_tree *tree, uint32_t label, uint32_t *turn);

/* Rows from the outermost caller down to the innermost callee; `layout->above` is the row of the
 * method. Rows of callers beyond `callers_max`, or without a frame of `labelled_c` hundredths of a
 * pixel, are left out. NULL if memory is refused. */
af_layout *af_sandwich_layout_new(const af_tree *sandwich, uint32_t turn,
                                  const af_layout_options *options, uint32_t callers_max,
                                  int32_t labelled_c);
