/* Events: what readers hand to the sink, in batches.
 *
 * Times are the raw values of the file, in ticks: the rebuilder repairs them (wraps, steps
 * backward) where it knows the thread's history. A clock that the file lacks is 0 throughout. */
#ifndef AF_BUILD_EVENT_H
#define AF_BUILD_EVENT_H

#include <stdint.h>
#include <aflame/profile.h>

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

static inline uint32_t af_event_call(uint32_t method, unsigned action)
{
    return method << 2 | action;
}

#endif
