/* The stack rebuilder: events in, call trees out.
 *
 * For each thread it keeps the stack of open calls and adds every call to the tree of all calls,
 * merged by method along the path (labels come later, when all names are known). The rules:
 *   - an exit on an empty stack belongs to a call that was open since before the trace began: it
 *     adopts everything its thread did at the outermost level until then;
 *   - an exit that names a call deeper in the stack closes those above it as well;
 *   - an exit that names no open call is counted and ignored;
 *   - calls open at the end are closed at the end of the trace in wall time (exited threads: at
 *     their last record), at the thread's last time in cpu time. The trace ends at the elapsed time
 *     that the file states or, if the recording ended early, at the last record of any thread.
 * Time between two records of a thread is self time of the innermost open call.
 *
 * Long inputs are cut in ranges that are rebuilt side by side. Each range but the first has a lane
 * of its own, a rebuilder that knows nothing of the stacks before: an exit below its first level
 * is noted and a new, unknown level begins. Joined to the rebuilder of everything before, in
 * order, the unknown levels become the calls that were open there. A lane that meets what it
 * cannot decide (exits that do not match, clocks that step back) gives up, and the range is
 * rebuilt once more behind everything before. The result is the same for any number of lanes. */
#ifndef AF_BUILD_REBUILD_H
#define AF_BUILD_REBUILD_H

#include "build/event.h"
#include "model/tree.h"
#include "model/warning.h"

typedef struct af_rebuild af_rebuild;

/* Counts of one thread. Times in ticks, repaired, not rebased. */
typedef struct {
    uint64_t records, calls;
    uint64_t first[AF_CLOCKS], last[AF_CLOCKS];
    uint64_t open_at_end, exits_on_empty, missing_exits, unmatched_exits, unwinds;
    uint32_t max_depth;
} af_thread_counts;

/* Counts of the whole trace. */
typedef struct {
    uint64_t records, odd_actions, backward_steps, wraps, lifted_threads;
    gboolean time_ordered; /* in file order no record is more than 1 s before the one ahead */
    gboolean sampled;
    uint64_t interval_ticks;   /* 0 = not known */
    gboolean thousandfold;     /* wall times were 1000 times too small and were multiplied */
    uint64_t end_ticks;        /* end of the trace in wall time, before that */
    uint64_t unrecorded_ticks; /* from there to the end that the file states, of a recording that
                                  ended early; in no tree */
    uint64_t scale[AF_CLOCKS]; /* ns in a tick, after it */
} af_trace_counts;

/* `warnings` is the caller's and receives what is found. */
af_rebuild *af_rebuild_new(const af_ticks *ticks, af_warnings *warnings);
void af_rebuild_free(af_rebuild *rebuild);

/* A lane for a later range of the same trace. */
af_rebuild *af_rebuild_new_chunk(const af_ticks *ticks, af_warnings *warnings);

/* How long the trace took, where it was not known at the beginning; before the end. */
/* The buffer was full or the file is truncated: nothing is known about the time after the last
 * record. Before af_rebuild_finish(). */
void af_rebuild_end_early(af_rebuild *rebuild);

void af_rebuild_set_elapsed(af_rebuild *rebuild, const af_ticks *ticks);

/* Takes `n` events in file order. The first lies at `place` in the input and each next one
 * `stride` bytes behind. Every thread number must be below `n_threads`. */
void af_rebuild_events(af_rebuild *rebuild, const af_event *events, size_t n, uint32_t n_threads,
                       uint64_t place, uint32_t stride);

/* Takes a sample, of an input that is weighed. Its thread number must be below `n_threads`. */
void af_rebuild_sample(af_rebuild *rebuild, const af_sample *sample, uint32_t n_threads);

/* All weights were that many times too large. */
void af_rebuild_divide_weights(af_rebuild *rebuild, uint64_t by);

/* Whether a lane has given up, or memory was refused; no more events are taken then. */
gboolean af_rebuild_gave_up(const af_rebuild *rebuild);

/* Takes no event that makes the trees of the profile larger than so many bytes, nor any after it;
 * 0 = no limit. Depends on the events only, and not on how they were split into chunks. Not for a
 * chunk. */
void af_rebuild_limit(af_rebuild *rebuild, uint64_t most_bytes);
gboolean af_rebuild_is_full(const af_rebuild *rebuild);

/* How many distinct paths there are so far. */
size_t af_rebuild_n_paths(const af_rebuild *rebuild);

/* Adds the lane of the next range. `thread_of` and `method_of` translate its numbers; all threads
 * are below `n_threads`. Returns FALSE, having changed nothing, if the events of that range must
 * be given to `rebuild` themselves. */
gboolean af_rebuild_join(af_rebuild *rebuild, const af_rebuild *lane, const uint32_t *thread_of,
                         const uint32_t *method_of, uint32_t n_threads);

/* Closes what is open; `exited[thread]` says of each thread whether it is known to have ended.
 * Returns FALSE if the machine refused memory at any time. */
gboolean af_rebuild_finish(af_rebuild *rebuild, const gboolean *exited, uint32_t n_threads);

/* After the end: counts, and whether only exits without a call name the method. */
const af_thread_counts *af_rebuild_thread(const af_rebuild *rebuild, uint32_t thread);
const af_trace_counts *af_rebuild_trace(const af_rebuild *rebuild);
gboolean af_rebuild_missed(const af_rebuild *rebuild, uint32_t method);

/* After the end: the methods of the calls that were open before the trace began, from the outermost
 * inwards. There are as many as exits on an empty stack. */
void af_rebuild_earlier(const af_rebuild *rebuild, uint32_t thread, uint32_t *methods);

/* After the end: the tree of each thread, its labels being method numbers, in nanoseconds.
 * `trees` has room for `n_threads`; `jobs` threads work on them, 0 = one for each processor. FALSE
 * if the machine refuses the memory. May be called once. */
gboolean af_rebuild_trees(af_rebuild *rebuild, af_tree **trees, uint32_t n_threads, unsigned jobs);

#endif
