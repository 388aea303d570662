/* Walks over the calls of any profile with a readable input.
 *
 * The walk reads the input again, renumbers threads as in the given profile, skips unwanted
 * threads, and clips calls to the profile's part of the trace. */
#pragma once

#include <aflame/calls.h>
#include "calls/call_walk.h"

/* The reason why single calls of the profile on a clock are unavailable; the caller frees it. NULL
 * if they are available. */
char *af_profile_lacks_calls(const af_profile *profile, af_clock clock);

/* Fails with AF_ERROR_USAGE if single calls on wall time are unavailable. The message is `what`, such
 * as "a graph of frames needs", and the reason. */
gboolean af_profile_check_calls(const af_profile *profile, const char *what, GError **error);

/* The profile before siblings were sorted, which does not affect single calls and samples. NULL if
 * another step was applied. */
const af_profile *af_profile_unsorted(const af_profile *profile);

/* Sets number_of[t], for each thread t of the profile that was read, to its index in `profile`;
 * AF_NOT_WALKED if it is missing there or its byte in `wanted` is 0 (NULL = all are wanted). */
void af_profile_walk_number_threads(const af_profile *profile, const guint8 *wanted,
                                    uint32_t *number_of);

/* Reports the calls of `profile` to `observer`. Options must be complete. An observer that needs only
 * calls of labels whose byte in `labels` is 1 and calls directly inside them is faster; others may be
 * reported too. NULL = all. Errors as af_call_walk_finish(). */
gboolean af_profile_walk(const af_profile *profile, const af_observer *observer,
                         const guint8 *labels, const af_call_walk_options *options, GError **error);

/* The same for threads whose byte in `wanted` is not 0; NULL = all. */
gboolean af_profile_walk_threads(const af_profile *profile, const guint8 *wanted,
                                 const af_observer *observer, const af_call_walk_options *options,
                                 GError **error);
