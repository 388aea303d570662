/* What must hold of any profile, any steps: trees are trees, time is conserved or accounted for,
 * and every call is where the lineage says. */
#ifndef TESTS_CONSERVATION_H
#define TESTS_CONSERVATION_H

#include "transform/reshape.h"

/* Does the steps. NULL if all promises were kept (also if the steps are refused for a good reason),
 * else a sentence about the first that was not; static. */
const char *conservation_break(const af_profile *profile, const af_step *steps, size_t n);

#endif
