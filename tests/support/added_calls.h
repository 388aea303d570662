/* What must hold of the calls of a profile, one by one, whatever it was read from: they are nested,
 * in order, and add up to the trees in every column. */
#ifndef TESTS_SUPPORT_ADDED_CALLS_H
#define TESTS_SUPPORT_ADDED_CALLS_H

#include <aflame/aflame.h>

/* Walks the calls of a profile that was opened with `keep_input`. NULL if all holds, else what does
 * not; the caller frees. `n_calls`, which may be NULL, receives how many there were. */
char *added_calls_check(const af_profile *profile, uint64_t *n_calls);

#endif
