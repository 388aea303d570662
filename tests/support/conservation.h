/* Invariants of any profile under any steps: trees are valid, time is conserved or accounted for,
 * and every call is at the node that the lineage names. */
#pragma once

#include "transform/reshape.h"

/* Applies the steps. Returns NULL if every invariant holds, also if the steps are refused for a
 * good reason; otherwise a static message about the first violation. */
const char *conservation_break(const af_profile *profile, const af_step *steps, size_t n);
