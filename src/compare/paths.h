/* Paths: a tree of names that grows while trees are added to it. Equal paths are one node. */
#pragma once

#include "base/array.h"
#include "model/tree.h"

/* Node 0 is the root. parent[n] < n. Children of a node are in the order in which they came. */
typedef struct {
    uint32_t n;
    af_array parent, name;              /* of uint32_t */
    af_array first_child, next_sibling; /* of uint32_t; 0 = none */
} af_paths;

/* FALSE if memory is refused. */
gboolean af_paths_init(af_paths *paths);
void af_paths_clear(af_paths *paths);

static inline const uint32_t *af_paths_parents(const af_paths *paths)
{
    return paths->parent.items;
}

static inline const uint32_t *af_paths_names(const af_paths *paths)
{
    return paths->name.items;
}

/* A tree to add: `parent` and `label` of n nodes, parent[i] < i; node 0 becomes the root. */
typedef struct {
    uint32_t n;
    const uint32_t *parent, *label;
    const uint32_t *name_of; /* by label */
    uint32_t n_names;        /* all names are below */
} af_paths_source;

/* Adds a tree; node_of[i] receives the node of each of its nodes. Nodes of the first tree keep
 * their numbers, unless two children of one node have one name. Takes linear time, without hashing.
 * FALSE if memory is refused. */
gboolean af_paths_add(af_paths *paths, const af_paths_source *source, uint32_t *node_of);

/* Numbers nodes in preorder, siblings by weight (by node), the largest first, then as they came:
 * order[i] is the i-th node. FALSE if memory is refused. */
gboolean af_paths_order(const af_paths *paths, const uint64_t *weights, uint32_t *order);
