/* The mapping files of --mapping: opened once, used for every input. */
#ifndef AF_CLI_MAPPINGS_H
#define AF_CLI_MAPPINGS_H

#include "cli/message.h"

typedef struct af_mappings af_mappings;

/* `paths` ends with NULL and is borrowed; NULL = none. */
af_mappings *af_mappings_new(const char *const *paths, gboolean keep_synthetic);
void af_mappings_free(af_mappings *mappings);

/* Opens the files, the first time, and puts them into the options. Says what is wrong and returns
 * FALSE with *status set if one of them cannot be used. */
gboolean af_mappings_fill(af_mappings *mappings, af_open_options *options, af_exit *status);

/* One line for each mapping: what it did for the profile that was read from `name`. */
void af_mappings_report(const af_profile *profile, const char *name);

/* Where a trace at `path` has the names of a shrinker, or if `verbose`: what --mapping could do
 * about it. Says nothing if mappings were used. */
void af_mappings_offer(const af_profile *profile, const char *path, gboolean verbose);

#endif
