/* The way of a call from the input to who wants it: told by the reading, under the numbers of the
 * profile that was read; numbered as in the profile that is walked, if its thread is wanted; cut to
 * the profile's part of the trace. */
#ifndef AF_CALLS_PROFILE_WALK_H
#define AF_CALLS_PROFILE_WALK_H

#include <aflame/calls.h>
#include "calls/call_walk.h"

/* The caller's options as far as it knows them, the rest by default. */
af_call_walk_options af_profile_walk_complete(const af_call_walk_options *options);

#define AF_NOT_WALKED UINT32_MAX

/* By thread of the profile that was read: the thread of `profile` that it is; AF_NOT_WALKED if it
 * is none, or none of which the byte in `wanted` is not 0 (NULL = all are wanted). */
void af_profile_walk_number_threads(const af_profile *profile, const guint8 *wanted,
                                    uint32_t *number_of);

/* Tells `observer` the calls of `profile`. Options are complete. Errors as af_profile_walk_calls().
 */
gboolean af_profile_walk(const af_profile *profile, const af_observer *observer,
                         const af_call_walk_options *options, GError **error);

/* The same for the threads of which the byte in `wanted` is not 0; NULL = all. */
gboolean af_profile_walk_threads(const af_profile *profile, const guint8 *wanted,
                                 const af_observer *observer, const af_call_walk_options *options,
                                 GError **error);

/* af_profile_walk() for who needs to hear only of calls of the labels with a 1 and of calls right
 * inside them; for speed, and more may be told. */
gboolean af_profile_walk_only(const af_profile *profile, const af_observer *observer,
                              const guint8 *labels, const af_call_walk_options *options,
                              GError **error);

#endif
