/* Trees out of calls: what makes a profile of some of the calls of another one. */
#ifndef AF_CALLS_SUBPROFILE_H
#define AF_CALLS_SUBPROFILE_H

#include "model/profile.h"
#include "calls/call_walk.h"

typedef struct af_subprofile af_subprofile;

/* For calls of threads and labels of `profile`. NULL if the machine refuses memory. */
af_subprofile *af_subprofile_new(const af_profile *profile);
void af_subprofile_free(af_subprofile *regrow);

/* What is to be told the calls; every call that is entered must be left. Borrows `regrow`. */
af_observer af_subprofile_observer(af_subprofile *regrow);

/* The same for a profile of samples: one of them, its methods labels. */
void af_subprofile_sample(af_subprofile *regrow, const af_sample *sample);

/* A profile made from the one above, with the threads that had a call or sample. NULL with
 * AF_ERROR_MEMORY, or AF_ERROR_NOTHING if there was none. */
af_profile *af_subprofile_finish(af_subprofile *regrow, GError **error);

#endif
