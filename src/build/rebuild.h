/* The stack rebuilder turns events into call trees.
 *
 * It keeps the stack of open calls of each thread and adds every call to the thread's tree, merged
 * by method along the path. Labels replace methods later, when all names are known. The rules:
 *   - an exit on an empty stack ends a call that began before the trace: the call adopts everything
 *     that its thread has done at the outermost level so far;
 *   - an exit that names a call deeper in the stack also closes the calls above it;
 *   - an exit that names no open call is counted and ignored;
 *   - calls open at the end are closed at the end of the trace in wall time (exited threads: at
 *     their last record), at the thread's last time in cpu time. The trace ends at the elapsed time
 *     that the file states or, if the recording ended early, at the last record of any thread.
 * The time between two records of a thread is self time of the innermost open call.
 *
 * Long inputs are cut into chunks that are rebuilt in parallel. Each chunk but the first has its
 * own rebuilder, which knows nothing of the stacks before it: an exit below its first level is
 * recorded, and a new, unknown level begins. Joining the chunks in order replaces the unknown
 * levels by the calls that were open at the start of the chunk. A chunk gives up when it meets
 * something that it cannot decide alone (unmatched exits, clocks that step back); its events then
 * go to the rebuilder of everything before it. The result does not depend on the number of chunks.
 */
#pragma once

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
    gboolean
        time_ordered; /* no record is more than 1 s earlier than the previous one in the file */
    gboolean sampled;
    uint64_t interval_ticks;   /* 0 = not known */
    gboolean thousandfold;     /* wall times were 1000 times too small and were multiplied */
    uint64_t end_ticks;        /* end of the trace in wall time, before that correction */
    uint64_t unrecorded_ticks; /* from there to the end that the file states, if the recording
                                  ended early; in no tree */
    uint64_t scale[AF_CLOCKS]; /* ns in a tick, after that correction */
} af_trace_counts;

/* Borrows `warnings` and adds to them. */
af_rebuild *af_rebuild_new(const af_ticks *ticks, af_warnings *warnings);
void af_rebuild_free(af_rebuild *rebuild);

/* The rebuilder of a later chunk of the same trace. */
af_rebuild *af_rebuild_new_chunk(const af_ticks *ticks, af_warnings *warnings);

/* Call it before af_rebuild_finish() if the buffer was full or the file is truncated: nothing is
 * known about the time after the last record. */
void af_rebuild_end_early(af_rebuild *rebuild);

/* Sets the duration of the trace if it was unknown at the beginning. Call it before
 * af_rebuild_finish(). */
void af_rebuild_set_elapsed(af_rebuild *rebuild, const af_ticks *ticks);

/* Adds `n` events in file order. The first is at `offset` in the input, each next one `stride`
 * bytes later. All thread numbers must be below `n_threads`. */
void af_rebuild_events(af_rebuild *rebuild, const af_event *events, size_t n, uint32_t n_threads,
                       uint64_t offset, uint32_t stride);

/* Adds time in which a thread was runnable to its innermost open call: a part of the time up to its
 * next event, in ticks of the wall clock. Only in the rebuilder of everything. A thread that was
 * never named here gets no column for it. */
void af_rebuild_runnable(af_rebuild *rebuild, uint32_t thread, uint64_t ticks);

/* Finds or adds the row of a method in a stack of samples. `caller` is its caller's row, or
 * AF_NO_ROW for an outermost method. Returns AF_NO_ROW if memory is refused or at its limit. */
uint32_t af_rebuild_stack(af_rebuild *rebuild, uint32_t thread, uint32_t caller, uint32_t method,
                          uint32_t n_threads);

/* Adds a sample of an input that has samples only. Its thread number must be below `n_threads`. */
void af_rebuild_sample(af_rebuild *rebuild, const af_sample *sample, uint32_t n_threads);

/* Divides all weights. */
void af_rebuild_divide_weights(af_rebuild *rebuild, uint64_t by);

/* Whether a chunk has given up or memory was refused; further events are ignored then. */
gboolean af_rebuild_gave_up(const af_rebuild *rebuild);

/* Sets the most bytes that the trees of the profile may take, 0 = no limit: the first event that
 * needs more and all later ones are ignored. The cut depends on the events only, not on their
 * distribution to chunks. Not for the rebuilder of a later chunk. */
void af_rebuild_limit(af_rebuild *rebuild, uint64_t most_bytes);
gboolean af_rebuild_is_full(const af_rebuild *rebuild);

/* The number of distinct paths so far. */
size_t af_rebuild_n_paths(const af_rebuild *rebuild);

/* Adds the next chunk and releases its rows: only af_rebuild_free() may follow. `thread_of` and
 * `method_of` translate its numbers; all threads are below `n_threads`. If the chunk has given up,
 * returns FALSE and changes nothing: its events must be passed to af_rebuild_events() of `rebuild`. */
gboolean af_rebuild_join(af_rebuild *rebuild, af_rebuild *chunk, const uint32_t *thread_of,
                         const uint32_t *method_of, uint32_t n_threads);

/* Closes all open calls; `exited[thread]` tells whether the thread is known to have ended. Returns
 * FALSE if memory was refused at any time. */
gboolean af_rebuild_finish(af_rebuild *rebuild, const gboolean *exited, uint32_t n_threads);

/* After af_rebuild_finish(): counts, and whether the method occurs only in ignored exits. */
const af_thread_counts *af_rebuild_thread(const af_rebuild *rebuild, uint32_t thread);
const af_trace_counts *af_rebuild_trace(const af_rebuild *rebuild);
gboolean af_rebuild_missed(const af_rebuild *rebuild, uint32_t method);

/* After af_rebuild_trees(): the methods of the calls that began before the trace, outermost first;
 * as many as the thread has exits on an empty stack. */
void af_rebuild_earlier(const af_rebuild *rebuild, uint32_t thread, uint32_t *methods);

/* After af_rebuild_finish(), once: the tree of each thread, in nanoseconds, with method numbers as
 * labels. `trees` receives `n_threads` trees. FALSE if memory is refused. */
gboolean af_rebuild_trees(af_rebuild *rebuild, af_tree **trees, uint32_t n_threads);
