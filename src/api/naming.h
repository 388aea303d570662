/* Applies the mappings of af_open_options while a profile is built. */
#pragma once

#include "build/profile_builder.h"

typedef struct af_naming af_naming;

/* Hooks the mappings into the sink. Returns NULL if the options have none. */
af_naming *af_naming_begin(af_sink *sink, const af_open_options *options);

/* Adds the results and warnings to the profile and frees the naming; both may be NULL. FALSE with
 * AF_ERROR_MEMORY. */
gboolean af_naming_end(af_naming *naming, af_profile *profile, GError **error);
