/* Invariants of call lists under any steps: the calls of a method add up to its nodes in the
 * reshaped trees, and the profile of a single call contains exactly that call. */
#pragma once

#include <aflame/aflame.h>

/* Lists the calls of a profile opened with `keep_input`, under every `every`-th of a set of
 * step chains, from number `first` on. Returns NULL if every invariant holds, otherwise a message
 * that the caller frees. Adds the number of listed calls to `*n_listed`. */
char *listed_calls_check(const af_profile *profile, unsigned first, unsigned every,
                         uint64_t *n_listed);

/* The same under one chain of steps. */
char *listed_calls_check_steps(const af_profile *profile, const af_step *steps, size_t n,
                               uint64_t *n_listed);
