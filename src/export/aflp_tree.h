/* Writes the trees of a saved profile; see base/aflp.h. */
#pragma once

#include "base/array.h"
#include "model/profile.h"

/* A tree and what its nodes are called. */
typedef struct {
    const af_tree *tree;
    const uint32_t *names; /* numbers of labels or of methods */
    const af_label
        *labels; /* `names` are labels, and their methods are meant; NULL = as they are */
} af_aflp_nodes;

static inline uint32_t af_aflp_name(const af_aflp_nodes *nodes, uint32_t node)
{
    const uint32_t name = nodes->names[node];
    return nodes->labels != NULL ? nodes->labels[name].method : name;
}

/* Appends the content of AF_AFLP_TREE. Memory that is refused marks the array as failed. */
void af_aflp_tree_write(af_array *bytes, const af_aflp_nodes *nodes);
