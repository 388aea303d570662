/* Naming: turns the methods of a sink into methods and labels of a profile.
 *
 * Methods that occur in records become methods of the profile, methods with the same text share a
 * label, and labels replace method numbers in the trees. */
#ifndef AF_BUILD_NAMING_H
#define AF_BUILD_NAMING_H

#include "build/sink.h"
#include "model/profile.h"

/* `trees`, by thread of the sink, have its method numbers as labels. A tree in which siblings
 * become equal is replaced. Makes profile->walk_plan if the options keep the input. FALSE if memory
 * is refused. */
gboolean af_naming_take(af_sink *sink, af_profile *profile, const af_open_options *options,
                        af_tree **trees, uint32_t n_trees);

/* `trees`, which name methods of the profile, get the labels `label_of` these. A tree is replaced
 * where siblings become equal. FALSE if memory is refused. */
gboolean af_naming_relabel(const af_profile *profile, const uint32_t *label_of, af_tree **trees,
                           uint32_t n_trees);

#endif
