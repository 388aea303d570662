/* What the methods of a sink are called: those that any record names become the methods of the
 * profile, what is written alike gets one label, and the trees get these labels. */
#ifndef AF_BUILD_NAMING_H
#define AF_BUILD_NAMING_H

#include "build/sink.h"
#include "model/profile.h"

/* `trees`, by thread of the sink, have numbers of its methods as labels. A tree is replaced where
 * siblings become equal. Makes profile->guide if the options want the input kept. FALSE if the
 * machine refuses memory. */
gboolean af_naming_take(af_sink *sink, af_profile *profile, const af_open_options *options,
                        af_tree **trees, uint32_t n_trees);

#endif
