/* Events: the records that readers pass to the sink, in batches.
 *
 * Times are the raw values of the file, in ticks; the rebuilder, which knows the history of each
 * thread, repairs wraps and steps backward. A clock that the file lacks is always 0. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include <aflame/clock.h>

typedef enum {
    AF_ENTER = 0,
    AF_EXIT = 1,
    AF_UNWIND = 2, /* left by an exception */
    AF_ODD_EXIT =
        3, /* an action that no version of Android writes; treated as an exit and counted as a
              problem */
    /* the same value, if open calls end with their thread (own_ends): the end of the call is
     * missing; the input last showed it open at this time */
    AF_STILL_OPEN = 3,
} af_action;

typedef struct {
    uint32_t thread; /* from af_sink_thread() */
    uint32_t call;   /* method << 2 | action; method from af_sink_method() */
    uint64_t time[AF_CLOCKS];
} af_event;

/* What the scheduler did with a thread between two of its events. */
typedef struct {
    uint32_t thread;
    uint64_t runnable; /* the time in which it could run but had no processor, in ticks */
    uint64_t slept;    /* the longest sleep that another thread ended, in ticks */
    uint32_t waker;    /* that thread, from af_sink_waker(); AF_NO_WAKER = not known */
} af_wait;

#define AF_NO_WAKER UINT32_MAX

/* The low bits of a method id in a file that hold the action. */
#define AF_ACTION_BITS 2

/* The number of distinct methods that fit in af_event.call. */
#define AF_MOST_METHODS (UINT32_C(1) << 30)

/* A sample: a recorded stack with a weight. */
typedef struct {
    uint32_t thread;
    const uint32_t *methods; /* from af_sink_method(), outermost first; NULL: see `stack` */
    size_t n;                /* number of methods, 1 or more */
    size_t common;  /* methods known to equal those of the sample before, outermost first */
    uint32_t stack; /* from af_sink_stack(), instead of methods */
    uint64_t
        weight[AF_CLOCKS]; /* in the unit of the input; only [AF_WALL] if the unit is not a time */
    uint64_t time_ns;      /* 0 if the input has no times */
    uint64_t offset;       /* in the input */
} af_sample;

/* If the next sample of a thread is more than this many median intervals away, nothing is known
 * about the gap. */
#define AF_SAMPLES_GAP 4

/* The largest sum of all weights. */
#define AF_LARGEST_WEIGHT (UINT64_MAX / 1000)

/* Whether records are calls or changes of the stack between samples. */
typedef enum { AF_RECORDED_GUESS = 0, AF_RECORDED_CALLS, AF_RECORDED_SAMPLES } af_recording_kind;

/* How to interpret the times of events; needed before the first event. */
typedef struct af_ticks af_ticks;
struct af_ticks {
    unsigned clocks;  /* bit 1 << clock */
    unsigned tick_ns; /* 1000 or 1 */
    gboolean wraps;   /* times are 32 bits wide */
    gboolean has_elapsed;
    uint64_t elapsed_ticks; /* from start to stop of the trace */
    gboolean settled;       /* the times are already repaired and must not change again */
    gboolean weighed;       /* the input has samples and no events; `clocks` are those of weights */
    gboolean lasting;       /* ... and each sample lasts as long as it weighs */
    gboolean own_ends;      /* open calls end with their thread, not with the trace */
    af_recording_kind recorded;
    uint64_t most_records; /* in the whole trace, 0 = not known */
    uint64_t scale; /* as `time_scale` of af_open_options, a whole number of ns to the tick */

    /* Called at most once, when has_elapsed and elapsed_ticks are first needed, to set them; NULL
     * if they are set from the start. af_rebuild_set_elapsed() may set them instead. */
    void (*ask)(void *user, af_ticks *ticks);
    void *user;
};

static inline uint32_t af_event_call(uint32_t method, unsigned action)
{
    return (method << AF_ACTION_BITS) + action;
}
