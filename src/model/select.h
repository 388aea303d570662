/* Which threads are meant: "main", an id, a name, "all", or a pattern as in model/pattern.h:
 * "/re/", "=exact", a glob. Plain text is a whole name, and only where no thread has it a part of
 * one, in any case. "!" before any of them means all other threads. */
#ifndef AF_MODEL_SELECT_H
#define AF_MODEL_SELECT_H

#include "model/profile.h"

/* The indices of the threads that any of `selectors` (ends with NULL) names, in order of the
 * selectors, each once. Returns NULL with AF_ERROR_USAGE if one of them names none, with the
 * nearest name as a suggestion. The caller frees the array of uint32_t with g_array_unref(). */
GArray *af_select_threads(const af_profile *profile, const char *const *selectors, GError **error);

/* Whether anything is left to show of the picked threads after steps were done on the profile; a
 * profile as it was read is always shown. AF_ERROR_NOTHING if not. */
gboolean af_select_check_left(const af_profile *profile, const GArray *picked, GError **error);

/* The clocks that any of the picked threads has, bits 1 << clock with AF_WAIT; of none picked those
 * of the profile. */
unsigned af_select_clocks(const af_profile *profile, const GArray *picked);

/* Takes out those of the picked threads that lack the clock: of it there is nothing to show of
 * them. `n_without`, which may be NULL, receives how many. AF_ERROR_USAGE if none is left. */
gboolean af_select_clocked(const af_profile *profile, af_clock clock, GArray *picked,
                           uint32_t *n_without, GError **error);

/* Adds what to tell of so many threads that were taken out to `notes` (char *), which may be NULL.
 */
void af_select_report_without(uint32_t n, af_clock clock, GPtrArray *notes);

/* Which labels of the profile the pattern matches: a byte for each, 1 or 0; free with g_free().
 * NULL with AF_ERROR_USAGE if it is no pattern, with AF_ERROR_NOTHING and the nearest name as a
 * suggestion if it matches none of them. */
guint8 *af_select_labels(const af_profile *profile, const char *pattern, GError **error);

/* Makes AF_CLOCK_DEFAULT definite. AF_ERROR_USAGE if the profile lacks the clock. */
gboolean af_select_clock(const af_profile *profile, af_clock wanted, af_clock *clock,
                         GError **error);

#endif
