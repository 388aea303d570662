/* A profile with any names: its bytes describe threads, methods and calls, which go through the
 * sink. */
#pragma once

#include "feed.h"
#include "model/profile.h"

/* At most `most_events` records. Free with af_profile_free(). */
af_profile *fuzz_make_profile(fuzz_feed *feed, unsigned most_events);
