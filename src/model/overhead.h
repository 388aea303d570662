/* What of a thread's time is the tracer's own: an estimate, and never more than is certain.
 *
 * The header of a recording says what it took to read the clocks once (`clock-call-overhead-nsec`).
 * A call has two records, one where it begins and one where it ends, and for each the clocks are
 * read. What of a reading passes before its moment counts for who was running before it, the rest
 * for who runs after it; at the begin of a call that is the caller and the call, at the end the
 * call and the caller. So the two readings together cost the call one and its caller one:
 *
 *     the tracer's part of a node's own time = cost of a reading * (its calls + the calls it made)
 *
 * in each clock, and never more than that time. Writing the records, and code that runs slower
 * because it is traced, come on top and are not known. */
#ifndef AF_MODEL_OVERHEAD_H
#define AF_MODEL_OVERHEAD_H

#include "model/profile.h"

/* Whether there is anything to reckon with: the cost is known, the calls are calls and not samples,
 * and nothing was taken out yet. If not, `error` says why (AF_ERROR_USAGE); it may be NULL. */
gboolean af_overhead_check(const af_profile *profile, GError **error);

/* For each node the tracer's part of its own time in `clock`. `own` has room for all nodes. */
void af_overhead_reckon(const af_tree *tree, uint64_t reading_ns, af_clock clock, uint64_t *own);

/* The sum of that over a thread; 0 if the machine refuses the memory. */
uint64_t af_overhead_of_thread_ns(const af_profile *profile, uint32_t thread, af_clock clock);

#endif
