/* Invariants of the single calls of a profile, whatever its input format: calls nest, are in order,
 * and add up to the trees in every column. */
#pragma once

#include <aflame/aflame.h>

/* Walks the calls of a profile opened with `keep_input`. Returns NULL if every invariant holds,
 * otherwise a message that the caller frees. `n_calls` receives the number of calls; it may be
 * NULL. */
char *added_calls_check(const af_profile *profile, uint64_t *n_calls);
