/* Selection of threads, labels and clocks.
 *
 * A thread selector is "main", an id, a name, "all", or a pattern as in model/pattern.h: "/re/",
 * "=exact" or a glob. Plain text selects the threads with this name or, if there are none, those
 * whose name contains it, ignoring case. "!" before a selector selects all other threads. */
#pragma once

#include "model/profile.h"

/* Returns the indexes of the threads that match any of `selectors` (NULL-terminated), in order of
 * the selectors, without duplicates. NULL with AF_ERROR_USAGE and the closest name if a selector
 * matches no thread. Free the array of uint32_t with g_array_unref(). */
GArray *af_select_threads(const af_profile *profile, const char *const *selectors, GError **error);

/* The same in ascending order; NULL selects all threads. */
GArray *af_select_threads_sorted(const af_profile *profile, const char *const *selectors,
                                 GError **error);

/* The same as a byte for each thread, 1 if it is selected. Free with g_free(). */
guint8 *af_select_thread_flags(const af_profile *profile, const char *const *selectors,
                               GError **error);

/* Fails with AF_ERROR_NOTHING if none of the picked threads has any time left after the steps.
 * Always succeeds for a profile without steps. */
gboolean af_select_check_left(const af_profile *profile, const GArray *picked, GError **error);

/* Returns the clocks that any of the picked threads has, as bits 1 << clock, with AF_WAIT; those of
 * the profile if no thread is picked. */
unsigned af_select_clocks(const af_profile *profile, const GArray *picked);

/* Removes picked threads that lack the clock. Sets `n_without`, which may be NULL, to their number.
 * Fails with AF_ERROR_USAGE if none remains. */
gboolean af_select_clocked(const af_profile *profile, af_clock clock, GArray *picked,
                           uint32_t *n_without, GError **error);

/* Adds a message about `n` removed threads to `messages` (char *), which may be NULL. */
void af_select_report_without(uint32_t n, af_clock clock, GPtrArray *messages);

/* Returns a byte for each label of the profile: 1 if the pattern matches it. Free with g_free().
 * NULL with AF_ERROR_USAGE if the pattern is invalid; with AF_ERROR_NOTHING and the closest name if
 * it matches no label. */
guint8 *af_select_labels(const af_profile *profile, const char *pattern, GError **error);

/* Resolves AF_CLOCK_DEFAULT. Fails with AF_ERROR_USAGE if the profile lacks the clock. */
gboolean af_select_clock(const af_profile *profile, af_clock wanted, af_clock *clock,
                         GError **error);
