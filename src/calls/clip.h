/* A clip: passes on what lies in a range of wall time and cuts what reaches beyond.
 *
 * The range holds its begin and not its end, unless it ends with the trace. A call that is open at
 * an edge is entered or left there, marked `cut`; its CPU time at the edge is interpolated between
 * the records of its thread on both sides, rounded down. So two ranges that meet share out every
 * call between them and lose nothing. A call that ends where the range begins, with no time in it,
 * is not in the range. */
#ifndef AF_CALLS_CLIP_H
#define AF_CALLS_CLIP_H

#include "calls/call_walk.h"
#include "model/profile.h"

typedef struct af_clip af_clip;

/* For edges of threads below `n_threads`. NULL if the machine refuses memory. */
af_clip *af_clip_new(const af_time_range *span, uint32_t n_threads, const af_observer *inner);
void af_clip_free(af_clip *clip);

/* What is to be told everything; borrows the clip. */
af_observer af_clip_observer(af_clip *clip);

#endif
