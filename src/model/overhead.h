/* Estimates the tracer's own time; a lower bound.
 *
 * The header of a recording declares the cost of reading the clocks once
 * (`clock-call-overhead-nsec`). The tracer reads them twice for each call, at its begin and at its
 * end. Each reading costs the code before it one part and the code after it the rest, so together
 * they cost the call one reading and its caller one:
 *
 *     the tracer's part of a node's self time = cost of a reading * (its calls + the calls it made)
 *
 * in each clock, limited to that self time. The time to write the records, and the slowdown of
 * traced code, are unknown and not included. */
#pragma once

#include "model/profile.h"

/* Whether the estimate is possible: the cost is known, the profile has calls rather than samples,
 * and it is not compensated yet. If not, sets AF_ERROR_USAGE with the reason; `error` may be
 * NULL. */
gboolean af_overhead_check(const af_profile *profile, GError **error);

/* Sets own[n] to the tracer's part of the self time of each node n in `clock`. */
void af_overhead_compute(const af_tree *tree, uint64_t reading_ns, af_clock clock, uint64_t *own);

/* The sum over a thread; 0 if memory is refused. */
uint64_t af_overhead_of_thread_ns(const af_profile *profile, uint32_t thread, af_clock clock);
