/* Slices: calls as traces of other makers tell them, put in order and into each other, and handed
 * to the sink as events.
 *
 * Such a trace tells of a thread begins and ends, or begins with durations ("whole" slices), or
 * both, and promises no order. What is told is put aside in a few bytes each and handed on at the
 * end:
 *   - begins and ends are taken in order of time, those of one time as they were told. An end
 * closes the innermost begin; if it has a name and that is open further out, everything in to
 * there; if its name is not open at all, the innermost, or by a rule none. An end when nothing is
 * open is ignored.
 *   - a thread with whole slices: all its slices in order of begin, longer ones first, then as they
 *     were told, the ones with begin and end among them. Each lies in the innermost that is not
 * over; one that reaches out of it is cut at its end, or by a rule put into a lane beside. Some say
 *     themselves where they stand.
 *   - what never ends does so with the last time that was told of its thread.
 * Threads that were told in that order are not sorted. The first time of all becomes 0. */
#ifndef AF_READ_SLICES_H
#define AF_READ_SLICES_H

#include "build/sink.h"

#define AF_NO_METHOD UINT32_MAX
#define AF_NO_CPU    INT64_MIN
#define AF_NO_LENGTH INT64_MIN

#define AF_SLICES_PLACES (UINT32_C(1) << 31)

typedef struct af_slices af_slices;

/* `sink` is borrowed. */
af_slices *af_slices_new(af_sink *sink);
void af_slices_free(af_slices *slices);

/* What else than the above can be done. */
typedef struct {
    gboolean ignore_other_ends; /* an end whose name is not open ends nothing */
    /* A new lane beside a thread, its `place`th, in which what overlaps finds room. The sink's
     * number of it; NULL = there are none. */
    uint32_t (*add_lane)(void *user, uint32_t thread, unsigned place);
    void *user;
} af_slices_rules;

/* Each thread has no more lanes. What finds no room in them either is cut. */
#define AF_SLICES_TRACKS 64u

/* Before anything is told. */
void af_slices_set_rules(af_slices *slices, const af_slices_rules *rules);

/* Times are ns of one clock for all threads, from any zero; `cpu_ns` of the thread's CPU clock, or
 * AF_NO_CPU. The method of an end may be AF_NO_METHOD; a whole slice without a duration is one that
 * never ends. Thread and method are the sink's numbers. What fails sticks until the end. */
void af_slices_begin(af_slices *slices, uint32_t thread, uint32_t method, int64_t ns,
                     int64_t cpu_ns);
void af_slices_end(af_slices *slices, uint32_t thread, uint32_t method, int64_t ns, int64_t cpu_ns);
void af_slices_whole(af_slices *slices, uint32_t thread, uint32_t method, int64_t ns,
                     int64_t length_ns, int64_t cpu_ns, int64_t cpu_length_ns);

/* Where the whole slice that is told next stands, if its maker says so: how deep, 1 = outermost,
 * and its place in the order of begins among those that begin in one instant, where those without a
 * place come first. Slices of no length have no sure place without. Both below AF_SLICES_PLACES. */
void af_slices_place(af_slices *slices, uint32_t depth, uint32_t order);

/* How many were told, and how many of the begins and ends were not in order. */
uint64_t af_slices_count(const af_slices *slices);
uint64_t af_slices_unordered(const af_slices *slices);

/* The last time that was told so far, of any thread; INT64_MIN if nothing was told. */
int64_t af_slices_latest(const af_slices *slices);

/* The first time of all, which will be 0; `otherwise` if nothing was told. */
int64_t af_slices_base(const af_slices *slices, int64_t otherwise);

/* Starts the sink, in which those threads get a CPU clock of which half of the slices have it, and
 * hands everything to it. `recorded` as in af_ticks. FALSE with AF_ERROR_MEMORY. */
gboolean af_slices_finish(af_slices *slices, af_recorded recorded, GError **error);

#endif
