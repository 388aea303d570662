/* What must hold of lists of calls, whatever steps were done: the calls of a method add up to its
 * nodes in the reshaped trees, and the profile of a single call is that call. */
#ifndef TESTS_SUPPORT_LISTED_CALLS_H
#define TESTS_SUPPORT_LISTED_CALLS_H

#include <aflame/aflame.h>

/* Lists the calls of a profile that was opened with `keep_input`, under the first and `every`
 * further one of some chains of steps. NULL if all holds, else what does not; the caller frees.
 * `*n_listed` grows by the calls that were listed. */
char *listed_calls_check(const af_profile *profile, unsigned every, uint64_t *n_listed);

#endif
