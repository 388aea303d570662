/* An index of the children of a tree's nodes by label, for code that follows paths down a tree. */
#pragma once

#include "base/idtable.h"
#include "model/tree.h"

typedef af_idtable af_children;

/* Returns FALSE if memory is refused. */
gboolean af_children_init(af_children *children, const af_tree *tree);

static inline void af_children_clear(af_children *children)
{
    af_idtable_clear(children);
}

/* Returns the child with the label, or AF_NO_NODE. */
uint32_t af_children_find(const af_children *children, uint32_t node, uint32_t label);
