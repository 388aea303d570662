/* An index of the children of a tree's nodes by label, for code that follows paths down a tree. */
#pragma once

#include "base/hash.h"
#include "model/tree.h"

typedef struct {
    const af_tree *tree; /* borrowed */
    const af_hash_secret *secret;
    uint32_t *slots; /* node + 1, by parent and label; 0 = free */
    uint32_t mask;
} af_children;

/* Returns FALSE if memory is refused. */
gboolean af_children_init(af_children *children, const af_tree *tree);
void af_children_clear(af_children *children);

/* Returns the child with the label, or AF_NO_NODE. */
uint32_t af_children_find(const af_children *children, uint32_t node, uint32_t label);
