/* The calls within late frames as a profile, and those within good frames as another one. */
#pragma once

#include "calls/frame_list.h"

typedef enum { AF_GOOD_FRAMES, AF_LATE_FRAMES, AF_FRAME_SIDES } af_frame_side;

/* Makes both profiles of the main threads and RenderThreads, with the times of a mean frame: those
 * of all frames of the side, divided by their number. Errors as af_frame_list_new(), AF_ERROR_USAGE
 * without single calls, and AF_ERROR_NOTHING if there are no late frames or no good ones, or no
 * calls in them. */
gboolean af_frame_profiles_make(const af_profile *profile, const af_frame_list *list,
                                af_profile *made[AF_FRAME_SIDES], GError **error);
