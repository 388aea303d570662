/* Single calls: every call of a trace, one at a time.
 *
 * A profile merges calls along their paths. The functions here read the input again and report its
 * calls one at a time and in order, for a chart, for formats of other tools, or to find the one
 * slow call among many. The times of the calls of a path add up to its node to the nanosecond.
 * Memory follows the depth of the stacks, not the number of calls. Open the profile with
 * `keep_input`.
 *
 *     af_call_list *list = af_call_list_new(profile, "=com.example.Main.onCreate", NULL, &error);
 *     af_call_view call = AF_CALL_VIEW_INIT;
 *     if (list != NULL && af_call_list_at(list, 0, &call)) {
 *         printf("%s: %llu ns\n", call.method, (unsigned long long)call.time_ns[AF_WALL]);
 *     }
 *     af_call_list_free(list);
 */
#ifndef AFLAME_CALLS_H
#define AFLAME_CALLS_H

#include <string.h>
#include <aflame/cancel.h>
#include <aflame/reshape.h>

AF_BEGIN_DECLS

/* How a call ended. */
typedef enum {
    AF_CALL_RETURNED = 0, /* a record shows its end */
    AF_CALL_UNWOUND,      /* by an exception */
    AF_CALL_MISSED,       /* its record is missing; the end of its caller closed it */
    AF_CALL_OPEN,         /* its end is missing: it was open at the end of the trace, or when the
                             trace last showed it, and is closed there */
} af_call_end;

/* One end of a call: its start or its end.
 *
 * Wall time is that of the trace, the same for all threads; it starts at af_profile_start_ns(). CPU
 * time counts from the first record of the thread. A clock that the thread lacks is 0. The library
 * owns the structure; later versions may add fields at its end. */
typedef struct {
    unsigned thread;             /* index in the profile */
    uint32_t label;              /* for af_profile_label() */
    uint32_t caller;             /* the label of the caller; UINT32_MAX = none */
    uint32_t depth;              /* number of open calls of the thread that enclose it */
    uint64_t time_ns[AF_CLOCKS]; /* [AF_WALL], [AF_CPU] */
    af_call_end end;             /* in end events */
    bool cut;                    /* the time is an edge of the profile's range, not of the call */
    bool open_at_begin;          /* in begin events: the call was open before the trace began */
    bool forwards;               /* the compiler generated the method only to call another one, and
                                    a mapping gave it the name of that one */
    uint64_t runnable_ns; /* time so far in which the thread could run but had no processor; 0 if
                             the input does not record it */
    uint64_t slept_ns;    /* the longest sleep since the previous event of the thread that another
                             thread ended; 0 = none is known */
    uint32_t waker;       /* that thread; UINT32_MAX = none is known */
} af_call_event;

/* Receives calls. Each function returns true to continue, or false with an error set to stop; it is
 * then not called again. Either may be NULL. Initialise with AF_CALL_OBSERVER_INIT.
 *
 * Within a thread events come in order of time and properly nested: every call that begins also
 * ends, at the latest at the end of the trace, innermost first. Calls that were open before the
 * trace began come first, with the first record of the thread. Between threads the order is that of
 * the file: by time in most formats, by blocks of records in those of Android 14 and later. */
typedef struct {
    size_t size;
    bool (*enter)(void *user, const af_call_event *event, GError **error);
    bool (*leave)(void *user, const af_call_event *event, GError **error);
    void *user;
} af_call_observer;

#define AF_CALL_OBSERVER_INIT                                                                      \
    {                                                                                              \
        .size = sizeof(af_call_observer)                                                           \
    }

static inline void af_call_observer_init(af_call_observer *observer)
{
    memset(observer, 0, sizeof *observer);
    observer->size = sizeof *observer;
}

/* Selects the calls to read. Initialise with AF_CALL_WALK_OPTIONS_INIT. */
typedef struct {
    size_t size;
    const char *const *threads; /* selectors as in af_picture_options; NULL = all */
    af_cancel *cancel;          /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
} af_call_walk_options;

#define AF_CALL_WALK_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(af_call_walk_options)                                                       \
    }

static inline void af_call_walk_options_init(af_call_walk_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
}

/* Passes all calls of `profile` to `observer`. The profile must have been opened with `keep_input`,
 * or cut from such a profile. Steps of reshape.h do not apply: these are the calls as recorded.
 * `options` may be NULL. Several threads may call this function; they take turns. The observer must
 * not call it. Fails with AF_ERROR_USAGE (an invalid selection; an input that was not kept or holds
 * samples), _MISSING (the file changed; discard what the observer received), _MEMORY, _CANCELLED,
 * or the error of the observer. */
AF_API bool af_profile_walk_calls(const af_profile *profile, const af_call_observer *observer,
                                  const af_call_walk_options *options, GError **error);

/* ---- call lists: the calls of selected methods ---- */

/* Counts all matching calls and stores the longest ones up to a limit. */
typedef struct af_call_list af_call_list;

/* Selects the calls to list. Initialise with AF_CALL_LIST_OPTIONS_INIT. */
typedef struct {
    size_t size;
    const af_step *steps; /* applied first, as by af_profile_reshape(): a call is listed if it still
                             has a frame, under the label of that frame and with the time that
                             remains in it. Not AF_STEP_INVERT_CALLERS, _COMPENSATE or _SORT */
    size_t n_steps;
    af_clock clock; /* the clock that ranks calls by length; AF_CLOCK_DEFAULT = wall if the profile
                       has it. Any other value also limits reports to that clock */
    const char *const
        *threads;      /* selectors as in af_picture_options, after the steps; NULL = all */
    uint32_t limit;    /* calls to store, the longest; 0 = 1,000,000. If there are more, medians
                          and other quantiles are accurate to 1 % */
    af_cancel *cancel; /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
} af_call_list_options;

#define AF_CALL_LIST_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(af_call_list_options), .clock = AF_CLOCK_DEFAULT                            \
    }

static inline void af_call_list_options_init(af_call_list_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->clock = AF_CLOCK_DEFAULT;
}

/* Lists the calls of all methods that match `pattern` (reshape.h). The profile must have been
 * opened with `keep_input`, or cut from such a profile, and must not be reshaped. `options` may be
 * NULL. The list holds a reference to the profile, so you may free the profile first. Free the list
 * with af_call_list_free(). Returns NULL with AF_ERROR_USAGE (an invalid step, pattern, clock or
 * thread), AF_ERROR_NOTHING (no method matches, or none was called), or an error of
 * af_profile_reshape() or af_profile_walk_calls(). */
AF_API af_call_list *af_call_list_new(const af_profile *profile, const char *pattern,
                                      const af_call_list_options *options, GError **error);

/* `list` may be NULL. */
AF_API void af_call_list_free(af_call_list *list);

/* The number of calls, and how many of them the list stores. */
AF_API uint64_t af_call_list_n(const af_call_list *list);
AF_API uint32_t af_call_list_size(const af_call_list *list);

/* A stored call. Initialise with AF_CALL_VIEW_INIT. Strings live as long as the list. A clock that
 * the thread lacks is 0. */
typedef struct {
    size_t size;
    uint64_t number; /* from 1, in the order in which the calls start in the input */
    const char *method;
    const char *caller;           /* NULL = an outermost call */
    const char *thread;           /* title */
    uint32_t depth;               /* number of open calls, including this one */
    bool nested;                  /* inside another call of the method */
    uint64_t begin_ns[AF_CLOCKS]; /* as in af_call_event */
    uint64_t time_ns[3];          /* inclusive; [AF_WALL], [AF_CPU], [AF_WAIT] = wall minus CPU */
    uint64_t self_ns[3];
    af_call_end end;
    bool open_at_begin; /* it was open before the trace began */
    bool cut_begin;     /* begin_ns is an edge of the profile's range */
    bool cut_end;       /* the end is an edge of the profile's range */
    bool has_runnable;  /* the input tells when the thread could run but had no processor */
    uint64_t runnable_ns, self_runnable_ns; /* that part of the waiting */
    uint64_t slept_ns; /* the longest sleep that another thread ended; 0 = none is known */
    const char *waker; /* the name of that thread; NULL = none is known */
} af_call_view;

#define AF_CALL_VIEW_INIT                                                                          \
    {                                                                                              \
        .size = sizeof(af_call_view)                                                               \
    }

static inline void af_call_view_init(af_call_view *view)
{
    memset(view, 0, sizeof *view);
    view->size = sizeof *view;
}

/* Fills *view with stored call `index`; calls are sorted by number. Returns false if `index` is
 * past the end. */
AF_API bool af_call_list_at(const af_call_list *list, uint32_t index, af_call_view *view);

/* The number of the longest call. */
AF_API uint64_t af_call_list_longest(const af_call_list *list);

/* Makes a profile of a single call and everything it called. `pattern` and `options` select calls
 * as in af_call_list_new(), and `number` is the number of a call in that list. The steps of the
 * options apply. Reads the input again. The new profile holds a reference to `profile`; free it
 * with af_profile_free(). Returns NULL with the errors of af_call_list_new(), or AF_ERROR_NOTHING
 * if no call has that number. */
AF_API af_profile *af_profile_extract_call(const af_profile *profile, const char *pattern,
                                           uint64_t number, const af_call_list_options *options,
                                           GError **error);

/* ---- ranges of time ---- */

#define AF_TO_THE_END INT64_MAX

/* Makes a profile of the time range from `from_ns` up to, but not including, `to_ns`: wall time
 * since the start of the trace; negative times count back from its end. A call that crosses an edge
 * is clamped there; its CPU time at the edge is interpolated between the nearest records of its
 * thread. Consecutive ranges of a trace therefore add up to the whole, in every node and both
 * clocks. For samples, the range contains those taken in it.
 *
 * `profile` must have been opened with `keep_input`, or be such a part, and must not be reshaped.
 * You may free it before the new profile. `options` may be NULL; its selection of threads is
 * ignored. Returns NULL with AF_ERROR_USAGE (no wall clock, an empty range or one after the end),
 * AF_ERROR_NOTHING (no call or sample in the range), or an error of af_profile_walk_calls(). */
AF_API af_profile *af_profile_extract_part(const af_profile *profile, int64_t from_ns,
                                           int64_t to_ns, const af_call_walk_options *options,
                                           GError **error);

/* Whether the profile is a time range of a trace. If it is, *from_ns and *to_ns (either may be
 * NULL) receive the edges; wall time as in af_call_event. */
AF_API bool af_profile_is_part(const af_profile *profile, uint64_t *from_ns, uint64_t *to_ns);

AF_END_DECLS

#endif
