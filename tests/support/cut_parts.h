/* Invariant of the parts of a trace: they add up to the whole. */
#pragma once

#include <aflame/aflame.h>

/* Cuts a profile opened with `keep_input` at `n` times since the start of the trace, ascending and
 * inside the trace, and adds up the parts. Returns NULL if they match the whole, otherwise a
 * message that the caller frees. */
char *cut_parts_check(const af_profile *profile, const uint64_t *at_ns, size_t n);
