/* Every single call of a trace, one by one.
 *
 * A profile holds its calls merged along their paths; this is how to see them one at a time and in
 * order: for a chart over time, for writers of other formats, to find the one slow call among many.
 * The input is read once more, on one processor, with the rules by which the trees were made, so
 * that the calls of a path add up to its node to the nanosecond. Nothing but the stacks is kept, so
 * memory follows their depth and not the number of calls. */
#ifndef AFLAME_CALLS_H
#define AFLAME_CALLS_H

#include <aflame/reshape.h>

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
 * clock that the thread lacks stands at 0. */
typedef struct {
    unsigned thread;             /* of the profile */
    uint32_t label;              /* for af_profile_label() */
    uint32_t caller;             /* the same of the call around it; UINT32_MAX = there is none */
    uint32_t depth;              /* how many calls of the thread are open around it */
    uint64_t time_ns[AF_CLOCKS]; /* [AF_WALL], [AF_CPU] */
    af_call_end end;             /* where it ends */
    gboolean cut;                /* the edge of the profile's range, not of the call itself */
    gboolean early;              /* where it begins: it was open before the trace began */
    gboolean forwards;           /* the compiler made the method to call one other, whose name a
                                    mapping gave it */
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

/* ---- the calls of some methods ---- */

/* Calls that were found: all are counted, and up to a limit each is kept. */
typedef struct af_call_list af_call_list;

/* Fill with AF_CALL_LIST_OPTIONS_INIT. */
typedef struct {
    size_t size;
    const af_step *steps; /* done first, as by af_profile_reshape(): calls are listed where they
                             have a frame then, under its name, with the time that is still theirs.
                             Not for single calls: AF_STEP_INVERT_CALLERS, _COMPENSATE, _SORT */
    size_t n_steps;
    af_clock clock; /* by which calls are long or short; AF_CLOCK_DEFAULT = wall if it is
                       there. If it is given, a report shows no other */
    const char *const *threads; /* after the steps; as in af_picture_options; NULL = all */
    uint32_t most;        /* calls to keep; 0 = 1,000,000. Of more the longest are kept, and medians
                             and the like are then to 1 % */
    GCancellable *cancel; /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
} af_call_list_options;

#define AF_CALL_LIST_OPTIONS_INIT                                                                  \
    {                                                                                              \
        sizeof(af_call_list_options), NULL, 0, AF_CLOCK_DEFAULT, NULL, 0, NULL, NULL, NULL         \
    }

/* Finds the calls of all methods that `pattern` (reshape.h) matches. `profile` was opened with
 * `keep_input` or cut from such a one, and was not reshaped. The list holds it and stands alone;
 * the caller frees it with af_call_list_free(). Memory follows the calls that are kept. NULL with
 * AF_ERROR_USAGE (a step that is not for single calls, a pattern that is none, a clock or thread
 * that is not there), AF_ERROR_NOTHING (no such method, no call of it), or an error of
 * af_profile_reshape() or af_calls_walk(). */
AF_API af_call_list *af_call_list_new(const af_profile *profile, const char *pattern,
                                      const af_call_list_options *options, GError **error);
AF_API void af_call_list_free(af_call_list *list);

/* How many there are, and how many of them are kept. */
AF_API uint64_t af_call_list_n(const af_call_list *list);
AF_API uint32_t af_call_list_n_kept(const af_call_list *list);

/* A call that was kept, by place from 0 in the order of their numbers. Strings live as long as the
 * list. A clock that the profile lacks stands at 0; AF_WAIT is wall without CPU time of the call.
 */
typedef struct {
    uint64_t number;                 /* from 1, in the order in which they begin in the input */
    const char *method, *caller;     /* caller: NULL = the thread itself */
    const char *thread;              /* its title */
    uint32_t depth;                  /* calls that are open, with it */
    gboolean nested;                 /* inside another call of the method */
    uint64_t begin_ns[AF_CLOCKS];    /* as in af_call_edge */
    uint64_t time_ns[3], self_ns[3]; /* [AF_WALL], [AF_CPU], [AF_WAIT]; 0 if its thread lacks it */
    af_call_end end;
    gboolean early;              /* it was open before the trace began */
    gboolean cut_begin, cut_end; /* at the edges of the profile's range */
} af_call_view;

AF_API af_call_view af_call_list_at(const af_call_list *list, uint32_t place);

/* The number of the longest call. */
AF_API uint64_t af_call_list_longest(const af_call_list *list);

/* A profile of exactly one of the calls that af_call_list_new() would find with the same
 * `options`: of the call with that number and all that it called, under the same steps. The input
 * is read once more. The caller frees it with af_profile_free(); it holds `profile`.
 * NULL as af_call_list_new(); AF_ERROR_NOTHING too if there are not so many calls. */
AF_API af_profile *af_profile_around(const af_profile *profile, const char *pattern,
                                     uint64_t number, const af_call_list_options *options,
                                     GError **error);

/* ---- a part of the trace ---- */

#define AF_TO_THE_END INT64_MAX

/* A profile of what happened from `from_ns` on and before `to_ns`, in wall time since the trace
 * began; negative times count back from its end. The part holds its begin and not its end, unless
 * that is the trace's. A call that reaches over an edge is cut there; its CPU time at the edge is
 * interpolated between the records of its thread on both sides. So the parts of a trace add up to
 * the whole, in every node of the trees and in both clocks.
 *
 * Of samples the part holds those that were seen in it; CPU times are theirs.
 *
 * `profile` was opened with `keep_input` or was cut itself, and was not reshaped yet. It may be
 * freed before the new one. The selection of threads in `options`, which may be NULL, is not looked
 * at.
 * Returns NULL with AF_ERROR_USAGE (there is no wall clock, the part is empty or lies behind the
 * end), AF_ERROR_NOTHING (no call is running there, nothing was sampled there), or an error of
 * af_calls_walk(). */
AF_API af_profile *af_profile_cut(const af_profile *profile, int64_t from_ns, int64_t to_ns,
                                  const af_calls_options *options, GError **error);

/* Whether the profile is a part of a trace, and which: wall times as in af_call_edge. Both may be
 * NULL. */
AF_API gboolean af_profile_is_cut(const af_profile *profile, uint64_t *from_ns, uint64_t *to_ns);

G_END_DECLS

#endif
