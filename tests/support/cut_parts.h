/* What must hold of the parts of a trace: they add up to the whole. */
#ifndef TESTS_SUPPORT_CUT_PARTS_H
#define TESTS_SUPPORT_CUT_PARTS_H

#include <aflame/aflame.h>

/* Cuts a profile that was opened with `keep_input` at `n` times since the begin of the trace,
 * ascending and each inside it, and adds up the parts. NULL if all holds, else what does not; the
 * caller frees. */
char *cut_parts_check(const af_profile *profile, const uint64_t *at_ns, size_t n);

#endif
