/* A clip: passes on the part of a call walk that is in a range of wall time.
 *
 * The range includes its start and excludes its end, unless it ends with the trace. A call that is
 * open at an end of the range is entered or left there and marked `cut`. Its CPU time there is
 * interpolated between the records of its thread on both sides, rounded down. So two adjacent
 * ranges split every call without loss. A call that ends exactly at the start of the range is
 * outside. */
#pragma once

#include "calls/call_walk.h"
#include "model/profile.h"

typedef struct af_clip af_clip;

/* For edges of threads below `n_threads`. Copies `span` and `inner`. NULL if memory is refused. */
af_clip *af_clip_new(const af_time_range *span, uint32_t n_threads, const af_observer *inner);
void af_clip_free(af_clip *clip);

/* The same with several ranges for each thread, in order of time and without overlaps. Each has an
 * observer of its own, without `state`. Borrows all of them. */
typedef struct {
    af_time_range range;
    const af_observer *inner;
} af_clip_part;

af_clip *af_clip_new_parts(const af_clip_part *const *parts_of, const size_t *n_of,
                           uint32_t n_threads);

/* The observer that receives the whole walk; borrows the clip. */
af_observer af_clip_observer(af_clip *clip);
