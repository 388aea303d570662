/* How busy threads are: their time outside idle frames. Pictures and reports choose threads
 * by this time: by total wall time, every parked thread would come before those that work. */
#pragma once

#include "model/profile.h"

typedef struct {
    uint64_t *time_ns; /* by thread: self time of all frames that are not idle */
    uint64_t
        *wait_ns; /* the part of wall times that was waiting; of a thread without CPU times, the
                           self time of its blocked frames */
    uint64_t *idle_ns; /* self time of idle frames */
    uint64_t total_ns; /* sum of time_ns; 0 = nothing but idle frames */
    uint64_t total_idle_ns;
    gboolean undivided; /* some of the wall time is of threads without CPU times */
} af_busy;

/* NULL if memory is refused. */
af_busy *af_busy_new(const af_profile *profile, af_clock clock);
void af_busy_free(af_busy *busy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_busy, af_busy_free)

/* The time by which threads are ordered: their busy time, or their total time if all are idle. */
uint64_t af_busy_rank_ns(const af_busy *busy, const af_profile *profile, uint32_t thread,
                         af_clock clock);
