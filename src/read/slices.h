/* Slices: calls of traces from other tools, sorted, nested, and passed to the sink as events.
 *
 * Such a trace gives, for each thread, begins and ends, or begins with durations ("whole" slices),
 * or both, in no guaranteed order. Each is stored in a few bytes and passed on at the end:
 *   - Begins and ends are sorted by time; those at the same time stay in input order. An end closes
 *     the innermost begin. If the end has a name and a slice of that name is open further out, it
 *     closes everything up to that slice; if no slice of that name is open, it closes the innermost
 *     or, by a rule, nothing. An end is ignored when nothing is open.
 *   - A thread with whole slices: all its slices, including begin-end pairs, are sorted by begin,
 *     longer ones first, then in input order. Each is nested in the innermost one that has not
 *     ended. A slice that ends after its parent is truncated or, by a rule, moved to an extra
 *     track. Some traces declare the nesting themselves.
 *   - A slice without an end ends at the last time of its thread.
 * Threads whose input is already in order are not sorted. The earliest time becomes 0. */
#pragma once

#include "build/sink.h"

#define AF_NO_METHOD UINT32_MAX
#define AF_NO_CPU    INT64_MIN
#define AF_NO_LENGTH INT64_MIN

/* Larger times are invalid: 73 years from any zero, so that sums of a few fit. */
#define AF_SLICES_MOST_NS (INT64_MAX / 4)

#define AF_SLICES_NESTING_LIMIT (UINT32_C(1) << 31)

typedef struct af_slices af_slices;

/* `sink` is borrowed. */
af_slices *af_slices_new(af_sink *sink);
void af_slices_free(af_slices *slices);

/* Variations of the above. */
typedef struct {
    gboolean ignore_other_ends; /* an end whose name is not open closes nothing */
    /* Adds the `extra`th track of a thread, for overlapping slices. Returns the sink's number
     * of it; NULL = no extra tracks. */
    uint32_t (*add_track)(void *user, uint32_t thread, unsigned extra);
    void *user;
} af_slices_rules;

/* The maximum of extra tracks per thread. Slices that fit in none of them are truncated. */
#define AF_SLICES_TRACKS 64u

/* Call it before the first slice. */
void af_slices_set_rules(af_slices *slices, const af_slices_rules *rules);

/* Times are ns of one clock for all threads, from any zero; `cpu_ns` is of the thread's CPU clock,
 * or AF_NO_CPU. The method of an end may be AF_NO_METHOD; a whole slice with AF_NO_LENGTH never
 * ends. Thread and method are the sink's numbers. The first failure is reported at the end. */
void af_slices_begin(af_slices *slices, uint32_t thread, uint32_t method, int64_t ns,
                     int64_t cpu_ns);
void af_slices_end(af_slices *slices, uint32_t thread, uint32_t method, int64_t ns, int64_t cpu_ns);
/* Closes the innermost open slice, whose end is missing, at the last time that shows it open. Only
 * in threads without whole slices. */
void af_slices_leave_open(af_slices *slices, uint32_t thread, int64_t ns, int64_t cpu_ns);
void af_slices_whole(af_slices *slices, uint32_t thread, uint32_t method, int64_t ns,
                     int64_t length_ns, int64_t cpu_ns, int64_t cpu_length_ns);

/* Adds the scheduler times of a thread since its last slice began or ended: the ns in which it was
 * runnable, its longest sleep that another thread ended, and the reader's number of that thread.
 * Call it at least once for each thread with known scheduler times. Not for threads with whole
 * slices; begins and ends must be in order. */
void af_slices_wait(af_slices *slices, uint32_t thread, int64_t runnable_ns, int64_t slept_ns,
                    uint32_t waker);

/* Declares the nesting of the next whole slice: its depth, 1 = outermost, and its order among the
 * slices that begin at the same time; slices without an order come first. Slices of zero length
 * have no certain nesting otherwise. Both are below AF_SLICES_NESTING_LIMIT. */
void af_slices_set_nesting(af_slices *slices, uint32_t depth, uint32_t order);

/* Declares whether the slices of a thread have CPU times. Without this call they do if half of them
 * have one. Call it after the last slice of the thread. */
void af_slices_declare_cpu(af_slices *slices, uint32_t thread, gboolean has);

/* Leaves out the slices of a thread. Call it after the last slice. */
void af_slices_omit(af_slices *slices, uint32_t thread);

/* The number of slices, and of begins and ends that were out of order. */
uint64_t af_slices_count(const af_slices *slices);
uint64_t af_slices_unordered(const af_slices *slices);

/* The latest time so far of any thread; INT64_MIN if there is none. */
int64_t af_slices_latest(const af_slices *slices);

/* A time as the slices have it, scaled if the user asks for that. */
int64_t af_slices_scaled(const af_slices *slices, int64_t ns);

/* The earliest time, scaled, which becomes 0; `otherwise` if there is none. */
int64_t af_slices_base(const af_slices *slices, int64_t otherwise);

/* Facts that aflame stated in a file that it wrote, bits of base/own_trace.h. */
void af_slices_set_facts(af_slices *slices, unsigned facts);

/* Starts the sink and passes everything to it. A thread gets a CPU clock if half of its slices have
 * CPU times. `recorded` as in af_ticks. Returns FALSE with AF_ERROR_MEMORY. */
gboolean af_slices_finish(af_slices *slices, af_recording_kind recorded, GError **error);
