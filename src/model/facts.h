/* Facts: what an input declares about itself, and what aflame found out while reading it.
 *
 * The reader sets what the file declares; the builder adds the counts. Strings are clean UTF-8 and
 * live as long as the profile, unless they are static. */
#ifndef AF_MODEL_FACTS_H
#define AF_MODEL_FACTS_H

#include <stdint.h>
#include "base/unit.h"

typedef enum {
    AF_CONTAINER_V1,
    AF_CONTAINER_V1_STREAMING,
    AF_CONTAINER_V2,
    AF_CONTAINER_LONG_RUNNING,
    AF_CONTAINER_OTHER, /* no method trace: `kind` says what */
} af_container;

/* Whether Android wrote it: then there is a runtime, a buffer that may overflow and the like to
 * speak of, also where the file does not say. */
static inline gboolean af_container_is_android(af_container container)
{
    return container <= AF_CONTAINER_LONG_RUNNING;
}

/* A range of wall time, in ns as in af_call_event. It holds its begin and not its end, unless it
 * ends with the trace: then `to_ns` is UINT64_MAX. */
typedef struct {
    uint64_t from_ns, to_ns;
} af_time_range;

typedef struct {
    const char *key, *value;
} af_fact;

/* What the file says about itself, in the words and units of the file. */
typedef struct {
    af_container container;
    unsigned version;      /* 1 to 5 */
    unsigned text_version; /* the same as the text says it; 0 = not said */
    const char *layout;    /* "V2c", "V2d", "V2e", else NULL */
    const char *clock;     /* value of `clock=`, NULL = absent */
    const char *vm;        /* "dalvik", "art", NULL = absent */
    gboolean has_pid;
    uint64_t pid;
    int overflow; /* 1 true, 0 false, -1 not said */
    gboolean has_elapsed;
    uint64_t elapsed_ns; /* after the correction of the 1000x bug */
    gboolean has_start;
    uint64_t start;         /* header field: us (V2d: ns) since 1970 or since the device booted */
    unsigned start_tick_ns; /* 1000 or 1 */
    gboolean has_call_overhead;
    uint64_t call_overhead_ns;
    const af_fact *facts; /* all key=value lines in file order, cleaned */
    unsigned n_facts;
    gboolean truncated;
    const char *repaired; /* "crlf", "windows-1252", NULL = nothing was repaired */
    uint64_t dropped_partial, dropped_zero_thread, dropped_fill;
    uint64_t methods; /* distinct ids with a name */
    uint64_t threads_listed, threads_announced;
    uint64_t records; /* kept ones */
    uint64_t calls;
    uint64_t unknown_method_ids;
    uint64_t odd_actions;
    uint64_t backward_steps, wraps, lifted_threads;
    gboolean sampled;
    const char *format; /* name of the format for programs; NULL = that of the container. Static */
    const char *kind;   /* what the input is, as a picture is said to be of it: "simpleperf
                           recording", "folded stacks"; NULL = a method trace. Static */
    const char *producer; /* who wrote it, for a line of facts: "simpleperf"; NULL = nobody says */
    const char *record;   /* what one record is called: "sample", "line"; NULL = "record" */
    const char *event;    /* what was sampled, in the words of the file; NULL = not said */
    const char *app;      /* the package of the app, in the words of the file; NULL = not said */
    gboolean threadless;  /* the input knows no threads: one stands for all of it */
    gboolean weighed;     /* the input holds stacks with weights and knows of no calls */
    gboolean timed;       /* ... and says when they were seen */
    gboolean lasting;     /* ... each for exactly the ns of wall time that it weighs */
    uint64_t first_sample_ns; /* what is 0 in the profile, in the times of the file */
    af_unit unit;             /* of the trees; all zero = ns of the clocks there are */
    uint64_t interval_ns;     /* 0 = not known */
    gboolean time_ordered;
    const char *saved_by;    /* version of aflame that saved the profile; NULL = a recording */
    const char *saved_input; /* file name of its recording; NULL = not known */
    uint64_t end_ns;         /* end of the trace in wall time; of a recording that ended early, its
                                last record */
    uint64_t unrecorded_ns;  /* from there to the end that the file states; in no tree or total */
    const char *part;        /* which part of the trace this is, in words: "200 ms to 400 ms of
                                1.10 s"; NULL = all of it */
    const char *part_brief;  /* the same without what it is a part of */
    gboolean has_range;      /* the part is one by time */
    af_time_range span;
} af_facts;

#endif
