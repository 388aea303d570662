/* The step of a coarse CPU clock.
 *
 * Some kernels advance the CPU time of a thread only at intervals, such as 30 µs or 10 ms. Then short
 * calls have no CPU time or too much, CPU time can exceed wall time, and waiting is only right for
 * sums of many calls. */
#pragma once

#include "model/profile.h"

/* Returns the smallest positive CPU time of a node if many nodes have about this time, which is then
 * the step of the clock; 0 if the clock is fine, or if it cannot be known: without CPU times, and for
 * samples, which come at intervals of their own. */
uint64_t af_cpu_step_ns(const af_profile *profile);
