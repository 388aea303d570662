/* Deep recursion as one frame.
 *
 * A method that calls itself more than a hundred levels deep would fill the first screens with bars
 * of the same name and hide its callees. In the trees made here, such a run of calls is one node,
 * "Main.rec × 5,842", with the self time of all its levels; the callees of all levels are above it.
 * Its label has no methods, and its frame is slim. */
#pragma once

#include "base/array.h"
#include "model/profile.h"
#include "render/scene.h"

/* The least number of levels of such a run, in a tree with more rows than AF_FIRST_ROWS. */
#define AF_RECURSION_MIN 100u

typedef struct {
    af_profile profile; /* as the original, but for its threads and labels */
    uint32_t n_trees;   /* number of trees that differ from the original */
    uint32_t deepest;   /* the most levels of a run, and its label in the original */
    uint32_t label;
    af_array labels;  /* of af_label: those of the profile */
    af_tree **trees;  /* by thread; NULL = that of the original */
    GHashTable *runs; /* label and levels -> label */
} af_recursion;

/* Sets `*recursion` to NULL if no tree has such a run. FALSE if memory is refused. The new labels
 * live as long as `scene`, everything else as long as the original and `*recursion`. */
gboolean af_recursion_compact(const af_profile *profile, af_scene *scene, af_recursion **recursion);
void af_recursion_free(af_recursion *recursion);

/* The length of the longest path of calls of a method to itself, and its label in `*label`; 0 if
 * memory is refused. */
uint32_t af_recursion_depth(const af_tree *tree, uint32_t *label);
