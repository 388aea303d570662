/* A time part: the calls or samples of a profile within a range of wall time. */
#pragma once

#include <aflame/calls.h>
#include "model/profile.h"

/* Makes a profile of a range. Times and errors are those of af_profile_extract_part(). Options must
 * be complete; their threads are ignored. */
af_profile *af_time_part_new(const af_profile *profile, int64_t from_ns, int64_t to_ns,
                             const af_call_walk_options *options, GError **error);
