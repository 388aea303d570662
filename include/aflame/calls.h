/* Every single call of a trace, one by one.
 *
 * A profile holds its calls merged along their paths; this is how to see them one at a time and in
 * order: for a chart over time, for writers of other formats, to find the one slow call among many.
 * The input is read once more, on one processor, with the rules by which the trees were made, so
 * that the calls of a path add up to its node to the nanosecond. Nothing but the stacks is kept, so
 * memory follows their depth and not the number of calls. */
#ifndef AFLAME_CALLS_H
#define AFLAME_CALLS_H

#include <aflame/profile.h>

G_BEGIN_DECLS

/* How a call ended. */
typedef enum {
    AF_CALL_RETURNED = 0, /* by a record of its own */
    AF_CALL_UNWOUND,      /* by an exception */
    AF_CALL_MISSED,       /* its record is missing: its caller's closed it */
    AF_CALL_OPEN,         /* not at all: closed at the end of the trace */
} af_call_end;

/* Where a call begins or ends.
 *
 * Wall time is that of the trace's wall clock, the same for all threads: af_profile_start_ns() is
 * where the trace begins, 0 in nearly every file. CPU time counts from the thread's first record. A
 * clock that the profile lacks stands at 0. */
typedef struct {
    unsigned thread;             /* of the profile */
    uint32_t label;              /* for af_profile_label() */
    uint32_t depth;              /* how many calls of the thread are open around it */
    uint64_t time_ns[AF_CLOCKS]; /* [AF_WALL], [AF_CPU] */
    af_call_end end;             /* where it ends */
    gboolean cut;                /* the edge of the profile's range, not of the call itself */
} af_call_edge;

/* Whom to tell. Each function returns TRUE to go on; FALSE, with an error set, to stop, and is not
 * called again.
 *
 * Within a thread the edges come in order of time and properly nested: what is entered is left, at
 * the end of the trace at the latest, innermost first. Calls that were open before the trace began
 * are entered first, when the thread's first record is met. Between threads the order is that of
 * the file: that of time in most, that of blocks of records in the formats of Android 14 and
 * later. */
typedef struct {
    gboolean (*enter)(void *user, const af_call_edge *edge, GError **error);
    gboolean (*leave)(void *user, const af_call_edge *edge, GError **error);
    void *user;
} af_call_observer;

/* Fill with AF_CALLS_OPTIONS_INIT. */
typedef struct {
    size_t size;
    const char *const *threads; /* as in af_picture_options; NULL = all */
    GCancellable *cancel;       /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
} af_calls_options;

#define AF_CALLS_OPTIONS_INIT                                                                      \
    {                                                                                              \
        sizeof(af_calls_options), NULL, NULL, NULL, NULL                                           \
    }

/* Tells `observer` all calls of a profile that was opened with `keep_input`, or that was cut from
 * one. Steps of reshape.h are not done to them: the calls are told as they were before. `options`
 * may be NULL. May be called any number of times, also from several threads, which then take turns;
 * not by the observer.
 * Fails with AF_ERROR_USAGE (selection, an input that was not kept or holds samples), _MISSING (the
 * file has changed in the meantime: what was told so far is to be thrown away), _MEMORY,
 * _CANCELLED, or with the observer's own error. */
AF_API gboolean af_calls_walk(const af_profile *profile, const af_call_observer *observer,
                              const af_calls_options *options, GError **error);

/* ---- a part of the trace ---- */

#define AF_TO_THE_END INT64_MAX

/* A profile of what happened from `from_ns` on and before `to_ns`, in wall time since the trace
 * began; negative times count back from its end. The part holds its begin and not its end, unless
 * that is the trace's. A call that reaches over an edge is cut there; its CPU time at the edge is
 * interpolated between the records of its thread on both sides. So the parts of a trace add up to
 * the whole, in every node of the trees and in both clocks.
 *
 * `profile` was opened with `keep_input` or was cut itself, and was not reshaped yet. It may be
 * freed before the new one. The selection of threads in `options`, which may be NULL, is not looked
 * at.
 * Returns NULL with AF_ERROR_USAGE (there is no wall clock, the part is empty or lies behind the
 * end), AF_ERROR_NOTHING (no call is running there), or an error of af_calls_walk(). */
AF_API af_profile *af_profile_cut(const af_profile *profile, int64_t from_ns, int64_t to_ns,
                                  const af_calls_options *options, GError **error);

/* Whether the profile is a part of a trace, and which: wall times as in af_call_edge. Both may be
 * NULL. */
AF_API gboolean af_profile_is_cut(const af_profile *profile, uint64_t *from_ns, uint64_t *to_ns);

G_END_DECLS

#endif
