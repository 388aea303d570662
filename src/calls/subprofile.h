/* A subprofile: the call trees of some of the calls or samples of another profile. */
#pragma once

#include "model/profile.h"
#include "calls/call_walk.h"

typedef struct af_subprofile af_subprofile;

/* For calls with the threads and labels of `profile`. Returns NULL if memory is refused. */
af_subprofile *af_subprofile_new(const af_profile *profile);
void af_subprofile_free(af_subprofile *subprofile);

/* The observer that receives the calls; every call that is entered must be left. Borrows
 * `subprofile`. */
af_observer af_subprofile_observer(af_subprofile *subprofile);

/* For a profile of samples: adds a sample whose `methods` are labels. */
void af_subprofile_sample(af_subprofile *subprofile, const af_sample *sample);

/* Returns the new profile with all threads that have a call or sample. NULL with AF_ERROR_MEMORY,
 * or AF_ERROR_NOTHING if there was none. */
af_profile *af_subprofile_finish(af_subprofile *subprofile, GError **error);
