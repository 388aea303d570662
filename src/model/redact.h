/* Redaction: replaces all names of a profile by pseudonyms, except those of the platform.
 *
 * It changes the profile and those that it was derived from, so it comes after all steps and before
 * anything is written. Categories and shades of labels stay. Texts that may contain names
 * (key=value lines, messages of steps, paths) are removed. */
#pragma once

#include "model/profile.h"
#include "model/pseudonym.h"

/* `input` is the name of the input, whose pseudonym becomes the name of the recording. FALSE if
 * memory is refused: the profile must not be used then. */
gboolean af_profile_redact_names(af_profile *profile, const char *input,
                                 const af_pseudonym_key *key);
