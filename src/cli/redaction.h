/* Implements --redact: pseudonyms with a key from a file or one made for this run. */
#pragma once

#include "cli/inputs.h"

/* Whether all options are compatible with --redact. Prints the first that is not; an incompatible
 * option of the project file is dropped instead. */
gboolean af_redaction_check(af_options *options);

/* Redacts the profile under --redact. Prints the error and returns FALSE with *status set on
 * failure. */
gboolean af_redaction_apply(const af_options *options, const af_input *input, af_profile *profile,
                            af_exit *status);
