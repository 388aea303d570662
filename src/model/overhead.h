/* Estimates the time that the tracer itself took; a lower bound.
 *
 * The header of a recording states the cost of reading the clocks once
 * (`clock-call-overhead-nsec`). The tracer reads them twice for each call, at its begin and at its
 * end. Each reading costs the code before it one part and the code after it the rest, so both
 * together cost the call one reading and its caller one:
 *
 *     the tracer's part of a node's self time = cost of a reading * (its calls + the calls it made)
 *
 * in each clock, and at most that self time. The time to write the records, and to run code that is
 * slower because it is traced, is unknown and not included. */
#ifndef AF_MODEL_OVERHEAD_H
#define AF_MODEL_OVERHEAD_H

#include "model/profile.h"

/* Whether the estimate is possible: the cost is known, the profile has calls and not samples, and
 * it is not compensated yet. If not, sets AF_ERROR_USAGE with the reason; `error` may be NULL. */
gboolean af_overhead_check(const af_profile *profile, GError **error);

/* Sets own[n] to the tracer's part of the self time of each node n in `clock`. */
void af_overhead_compute(const af_tree *tree, uint64_t reading_ns, af_clock clock, uint64_t *own);

/* The sum over a thread; 0 if memory is refused. */
uint64_t af_overhead_of_thread_ns(const af_profile *profile, uint32_t thread, af_clock clock);

#endif
