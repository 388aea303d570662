/* Trees out of calls: what makes a profile of some of the calls of another one. */
#ifndef AF_MODEL_REGROW_H
#define AF_MODEL_REGROW_H

#include "model/profile.h"
#include "model/replay.h"

typedef struct af_regrow af_regrow;

/* For calls of threads and labels of `profile`. NULL if the machine refuses memory. */
af_regrow *af_regrow_new(const af_profile *profile);
void af_regrow_free(af_regrow *regrow);

/* What is to be told the calls; every call that is entered must be left. Borrows `regrow`. */
af_observer af_regrow_observer(af_regrow *regrow);

/* The same for a profile of samples: one of them, its methods labels. */
void af_regrow_sample(af_regrow *regrow, const af_sample *sample);

/* A profile made from the one above, with the threads that had a call or sample. NULL with AF_ERROR_MEMORY,
 * or AF_ERROR_NOTHING if there was none. */
af_profile *af_regrow_finish(af_regrow *regrow, GError **error);

#endif
