/* Naming: turns the methods of a sink into methods and labels of a profile.
 *
 * Methods that occur in records become methods of the profile, methods with the same text share a
 * label, and labels replace method numbers in the trees. */
#pragma once

#include "build/sink.h"
#include "model/profile.h"

/* Relabels `trees`, by thread of the sink, whose labels are the sink's method numbers. Replaces a
 * tree if siblings become equal. Makes profile->walk_plan if the options keep the input. Returns
 * FALSE if memory is refused. */
gboolean af_naming_take(af_sink *sink, af_profile *profile, const af_open_options *options,
                        af_tree **trees, uint32_t n_trees);

/* Replaces the labels of `trees`, which are numbers of methods, by `label_of` those numbers.
 * Replaces a tree if siblings become equal. A profile that keeps its methods keeps them by
 * `method_of` the number; NULL = the numbers are the profile's own. Returns FALSE if memory is
 * refused. */
gboolean af_naming_relabel(const af_profile *profile, const uint32_t *label_of,
                           const uint32_t *method_of, af_tree **trees, uint32_t n_trees);
