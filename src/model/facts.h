/* Facts: information that an input declares about itself, and that aflame derives while reading it.
 *
 * Two fields decide which parts are meaningful: the container identifies the program that wrote the
 * file and its layout, the content is the meaning of its records. The parts that an input lacks are
 * all zero. The reader sets what the file declares; the builder adds the counts. Strings are clean
 * UTF-8 and live as long as the profile, unless they are static. */
#pragma once

#include <stdint.h>
#include "base/unit.h"

/* The values are part of the format of saved profiles. */
typedef enum {
    AF_CONTAINER_V1,
    AF_CONTAINER_V1_STREAMING,
    AF_CONTAINER_V2,
    AF_CONTAINER_LONG_RUNNING,
    AF_CONTAINER_OTHER, /* not written by Android: see af_format_facts */
} af_container;

/* Whether the input has af_android_facts. */
static inline gboolean af_container_is_android(af_container container)
{
    return container <= AF_CONTAINER_LONG_RUNNING;
}

/* The meaning of the records. Each value from STACKS on includes everything of the previous one. */
typedef enum {
    AF_CONTENT_CALLS,         /* begins and ends of all calls */
    AF_CONTENT_SAMPLED_CALLS, /* begins and ends that the writer derived from samples */
    AF_CONTENT_STACKS,        /* stacks with weights; calls are unknown */
    AF_CONTENT_SAMPLES,       /* ... each seen at a known time */
    AF_CONTENT_STACK_SLICES,  /* ... and lasting exactly the ns of wall time that it weighs */
} af_content;

static inline gboolean af_content_is_sampled(af_content content)
{
    return content != AF_CONTENT_CALLS;
}

/* Whether the input has af_weight_facts. */
static inline gboolean af_content_has_weights(af_content content)
{
    return content >= AF_CONTENT_STACKS;
}

/* Whether its weights have times. */
static inline gboolean af_content_has_timed_weights(af_content content)
{
    return content >= AF_CONTENT_SAMPLES;
}

/* A range of wall time, in ns as in af_call_event. It includes its start and excludes its end,
 * unless it ends with the trace: then `to_ns` is UINT64_MAX. */
typedef struct {
    uint64_t from_ns, to_ns;
} af_time_range;

/* A key=value line of the input. */
typedef struct {
    const char *key, *value;
} af_fact;

/* The key of the fact that lists the CPUs that lost kernel events; the picture shows it too. */
#define AF_FACT_LOST "kernel lost"

/* The format of the file. The texts are static; NULL = that of the Android container. */
typedef struct {
    const char *name;     /* for programs: "folded" */
    const char *title;    /* for people: "simpleperf recording", "folded stacks" */
    const char *producer; /* the writer, for a line of facts: "simpleperf"; NULL = unknown */
    const char *record;   /* the word for one record: "sample", "line"; NULL = "record" */
    const char *thread;   /* the word for its threads if they are something else: "heap"; NULL =
                             "thread" */
    unsigned version;     /* of Android 1 to 5; 0 = none */
    const char *layout;   /* "V2c", "V2d", "V2e", "native", else NULL */
} af_format_facts;

/* The header and the text section of a trace that Android wrote. */
typedef struct {
    unsigned text_version; /* version in the text section; 0 = none */
    const char *clock;     /* value of `clock=`, NULL = absent */
    const char *vm;        /* "dalvik", "art", NULL = absent */
    gboolean has_call_overhead;
    uint64_t call_overhead_ns;
    const char *repaired; /* "crlf", "windows-1252", NULL = nothing was repaired */
    uint64_t dropped_zero_thread, dropped_fill;
    uint64_t threads_listed, threads_announced;
} af_android_facts;

/* The recording as a whole. */
typedef struct {
    int overflow; /* 1 true, 0 false, -1 not stated */
    gboolean truncated;
    gboolean has_start;
    uint64_t start;         /* us (V2d: ns) since 1970 or since the device booted */
    unsigned start_tick_ns; /* 1000 or 1 */
    gboolean has_elapsed;
    uint64_t elapsed_ns;    /* after the correction of the 1000x bug */
    uint64_t end_ns;        /* end of the trace in wall time; of a recording that ended early, its
                               last record */
    uint64_t unrecorded_ns; /* from there to the end that the file states; in no tree or total */
    uint64_t interval_ns;   /* of AF_CONTENT_SAMPLED_CALLS; 0 = unknown */
} af_recording_facts;

/* Of stacks with weights. */
typedef struct {
    const char *event;        /* what was sampled, in the words of the file; NULL = not stated */
    uint64_t first_sample_ns; /* the zero of the profile, in times of the file */
    af_unit unit;             /* of the trees; all zero = ns of the clocks that exist */
} af_weight_facts;

typedef struct {
    uint64_t records; /* without dropped ones */
    uint64_t calls;
    uint64_t methods; /* distinct ids with a name */
    uint64_t unknown_method_ids;
    uint64_t odd_actions;
    uint64_t dropped_partial;
    uint64_t backward_steps, wraps, lifted_threads;
} af_count_facts;

/* Of a saved profile. */
typedef struct {
    const char *version; /* of the aflame that saved it; NULL = the input is a recording */
    const char *input;   /* file name of its recording; NULL = unknown */
    const char *carrier; /* kind of the picture that carried it: "PNG picture"; NULL = it was a file
                            of its own. Static */
    const char *carrier_file; /* its file name without the folder; NULL = unknown */
    const char *side; /* "before" or "after", if the file holds both sides of a comparison; or NULL.
                         Static */
} af_saved_facts;

/* The part of the trace that a profile covers. */
typedef struct {
    const char *title;  /* "200 ms to 400 ms of 1.10 s"; NULL = all of it */
    const char *brief;  /* the same without the length of the whole trace */
    gboolean has_range; /* the part is a time range */
    af_time_range range;
} af_part_facts;

typedef struct {
    af_container container;
    af_content content;
    af_format_facts format;
    af_android_facts android; /* only with af_container_is_android() */
    af_recording_facts recording;
    af_weight_facts weights; /* only with af_content_has_weights() */
    af_count_facts counts;
    af_saved_facts saved;
    af_part_facts part;
    const char *dump_times; /* of heaps: ns since the trace began, in ascending order, separated by
                               blanks; NULL = none. Not saved */
    gboolean has_bidi;      /* names may contain bidi controls; see model/visible.h */
    gboolean threadless;    /* the input has no threads: a single one represents all of it */
    gboolean has_pid;
    uint64_t pid;
    const char *app;     /* the package of the app, in the words of the file; NULL = not stated */
    const af_fact *keys; /* all key=value lines in file order, cleaned */
    unsigned n_keys;
} af_facts;
