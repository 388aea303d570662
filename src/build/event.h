/* Events: what readers hand to the sink, in batches.
 *
 * Times are the raw values of the file, in ticks: the rebuilder repairs them (wraps, steps
 * backward) where it knows the thread's history. A clock that the file lacks is 0 throughout. */
#ifndef AF_BUILD_EVENT_H
#define AF_BUILD_EVENT_H

#include <stdint.h>
#include <glib.h>
#include <aflame/clock.h>

typedef enum {
    AF_ENTER = 0,
    AF_EXIT = 1,
    AF_UNWIND = 2,   /* left by an exception */
    AF_ODD_EXIT = 3, /* an action that nothing writes; taken for an exit and counted */
} af_action;

typedef struct {
    uint32_t thread; /* from af_sink_thread() */
    uint32_t call;   /* method << 2 | action; method from af_sink_method() */
    uint64_t time[AF_CLOCKS];
} af_event;

/* The low bits of a method id in a file that hold the action. */
#define AF_ACTION_BITS 2

/* Methods that can be told apart in af_event.call. */
#define AF_MOST_METHODS (UINT32_C(1) << 30)

/* A stack that was seen, and how much it weighs. */
typedef struct {
    uint32_t thread;
    const uint32_t *methods;    /* from the outermost to the innermost; from af_sink_method() */
    size_t n;                   /* of them; 1 or more */
    uint64_t weight[AF_CLOCKS]; /* in the unit; [AF_WALL] where it is not of a clock */
    uint64_t time_ns;           /* when; 0 where the input has no times */
    uint64_t place;             /* in the input */
} af_sample;

/* Where the next sample of a thread is more than so many usual intervals away, nobody knows what
 * was in between. */
#define AF_SAMPLES_GAP 4

/* All samples together weigh no more. */
#define AF_LARGEST_WEIGHT (UINT64_MAX / 1000)

/* Whether records are calls or the changes of stacks between samples. */
typedef enum { AF_RECORDED_GUESS = 0, AF_RECORDED_CALLS, AF_RECORDED_SAMPLES } af_recorded;

/* How the times of events are to be understood; needed before the first event. */
typedef struct af_ticks af_ticks;
struct af_ticks {
    unsigned clocks;  /* bit 1 << clock */
    unsigned tick_ns; /* 1000 or 1 */
    gboolean wraps;   /* times are 32 bits wide */
    gboolean has_elapsed;
    uint64_t elapsed_ticks; /* from start to stop of the trace */
    gboolean settled;       /* the times were repaired before and must not change again */
    gboolean weighed;       /* the input has samples and no events; clocks are those of weights */
    gboolean lasting;       /* ... and each sample lasts as long as it weighs */
    gboolean own_ends;      /* open calls end with their thread, not with the trace */
    af_recorded recorded;
    uint64_t most_records; /* in the whole trace, 0 = not known */
    uint64_t scale; /* as `time_scale` of af_open_options, a whole number of ns to the tick */

    /* Where has_elapsed and elapsed_ticks become known late: called at most once, when they begin
     * to matter, to fill them in. NULL otherwise. af_rebuild_set_elapsed() may set them as well. */
    void (*ask)(void *user, af_ticks *ticks);
    void *user;
};

static inline uint32_t af_event_call(uint32_t method, unsigned action)
{
    return method << 2 | action;
}

#endif
