/* Chooses the method of a sandwich and the threads that call it. */
#pragma once

#include "model/profile.h"

/* Finds the label that `pattern` (model/pattern.h) matches, the one with the most inclusive time if
 * there are several; with NULL, the one with the most self time outside idle frames. Removes the
 * threads that never call it from `threads`; unless the user chose them, all others take part if
 * none remains. Fails with AF_ERROR_USAGE (an invalid pattern) or AF_ERROR_NOTHING. */
gboolean af_sandwich_choose(const af_profile *profile, const char *pattern, af_clock clock,
                            GArray *threads, gboolean chosen, uint32_t *method, GPtrArray *messages,
                            GError **error);
