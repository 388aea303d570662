/* A walk plan: results of the first reading that a second reading needs from its first record on,
 * to report every call immediately and in time order.
 *
 * Methods and threads have the same numbers in both readings. Strings and arrays are in the
 * profile's arena. */
#pragma once

#include "base/arena.h"
#include "build/rebuild.h"
#include "model/profile.h"

/* A thread by its number in the readings. */
typedef struct {
    uint64_t id;
    uint32_t index; /* into the profile's threads; UINT32_MAX if it has no records */
    gboolean exited;
    uint32_t n_earlier;      /* calls that began before the trace, outermost first */
    const uint32_t *earlier; /* their methods */
    uint64_t records;
    uint64_t last[AF_CLOCKS]; /* time of the last record, repaired, in ticks */
} af_walk_plan_thread;

struct af_walk_plan {
    af_ticks ticks;
    uint64_t scale[AF_CLOCKS]; /* ns per tick */
    uint64_t end_ticks;        /* end of the trace in wall time */
    uint64_t most_records;     /* of the input, if the memory limit ended the first reading;
                                  UINT64_MAX = all */
    uint32_t n_methods;
    const uint64_t *method_ids;
    const uint32_t *label_of; /* by method number: the profile's label; AF_NO_LABEL if no record
                                 names the method */
    const guint8 *forwards;   /* by method number: as in af_method */
    uint32_t n_threads;
    af_walk_plan_thread *threads; /* by thread number */
};

/* Makes the plan of a rebuilder after af_rebuild_trees(). The caller fills in the labels, and the
 * ids, indices and `exited` of the threads. Returns NULL if memory is refused. */
af_walk_plan *af_walk_plan_new(af_arena *arena, const af_rebuild *rebuild, const af_ticks *ticks,
                               uint32_t n_threads);
