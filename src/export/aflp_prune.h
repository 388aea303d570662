/* A saved profile of limited size: trees without the call paths that took the least time.
 *
 * Time left out under one caller becomes a node of its own there, so that all other times stay
 * exact. Methods and labels that no node names any more are dropped. */
#pragma once

#include "export/aflp_tree.h"

/* The data that remains. All NULL: everything. */
typedef struct {
    af_tree **trees;    /* by thread saved; their labels are indices of `methods` or `labels` */
    uint32_t *methods;  /* the profile's number of each that stays, ascending */
    uint32_t *labels;   /* the same; NULL with trees by method */
    uint32_t *index_of; /* by method of the profile: its index in `methods` */
    uint32_t n_trees, n_methods, n_labels;
    uint64_t left_out; /* call paths */
} af_aflp_rest;

typedef struct {
    const af_profile *profile;
    const af_aflp_nodes *threads; /* the trees */
    uint32_t n_threads;
    gboolean by_method;
    struct af_ranking *ranking; /* of the same trees */
} af_aflp_whole;

/* At most `n_nodes` nodes, or one for each tree. The nodes for omitted time are named by the number
 * after the last method or label. FALSE if memory is refused; call af_aflp_rest_clear() in any
 * case. */
gboolean af_aflp_prune(const af_aflp_whole *whole, uint64_t n_nodes, af_aflp_rest *rest);
void af_aflp_rest_clear(af_aflp_rest *rest);
