/* Walks the single calls of a profile, whole and in parts: they must add up to its trees. */
#pragma once

#include "fuzz.h"
#include "model/profile.h"
#include "calls/call_walk.h"

/* Sends all calls of the profile to the observer; may be called any number of times. */
typedef gboolean (*fuzz_tell)(void *user, const af_observer *observer);

void fuzz_check_again(const af_profile *profile, fuzz_tell tell, void *user);
