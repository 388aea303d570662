/* The mappings of af_open_options at work while a profile is made. */
#ifndef AF_API_NAMING_H
#define AF_API_NAMING_H

#include "build/profile_builder.h"

typedef struct af_naming af_naming;

/* Hooks the mappings into the sink. NULL if there are none. */
af_naming *af_naming_begin(af_sink *sink, const af_open_options *options);

/* Puts what came of it into the profile, which may be NULL, with its warnings, and ends the naming.
 * FALSE with AF_ERROR_MEMORY. `naming` may be NULL. */
gboolean af_naming_end(af_naming *naming, af_profile *profile, GError **error);

#endif
