/* Which threads are meant: "main", an id, a name, "/regex/" or "all". */
#ifndef AF_MODEL_SELECT_H
#define AF_MODEL_SELECT_H

#include "model/profile.h"

/* The indices of the threads that any of `selectors` (ends with NULL) names, in order of the
 * selectors, each once. Returns NULL with AF_ERROR_USAGE if one of them names none, with the
 * nearest name as a suggestion. The caller frees the array of uint32_t with g_array_unref(). */
GArray *af_select_threads(const af_profile *profile, const char *const *selectors, GError **error);

/* Makes AF_CLOCK_DEFAULT definite. AF_ERROR_USAGE if the profile lacks the clock. */
gboolean af_select_clock(const af_profile *profile, af_clock wanted, af_clock *clock,
                         GError **error);

#endif
