/* Opening: how to read a trace.
 *
 * The defaults suit every format. Change the options to name methods differently, to apply a
 * mapping, or to keep the input for single calls.
 *
 *     af_open_options options = AF_OPEN_OPTIONS_INIT;
 *     options.names = AF_NAMES_SHORT;
 *     options.keep_input = true;
 *     af_profile *opened = af_profile_open("app.trace", &options, &error);
 *     af_profile_free(opened);
 */
#ifndef AFLAME_OPEN_H
#define AFLAME_OPEN_H

#include <stdint.h>
#include <string.h>
#include <aflame/cancel.h>
#include <aflame/clock.h>

AF_BEGIN_DECLS

typedef struct af_mapping af_mapping; /* mapping.h */

/* How labels are written. Calls merge along a path if their labels are equal, so the style decides
 * whether overloads merge. */
typedef enum {
    AF_NAMES_CLASS = 0, /* pkg.Class.method; a saved profile without methods keeps its names */
    AF_NAMES_SHORT,     /* Class.method */
    AF_NAMES_FULL,      /* pkg.Class.method(int, String) */
} af_names;

/* Which side to read from a file that holds both sides of a comparison: a picture or an HTML
 * page. */
typedef enum {
    AF_OPEN_AFTER_SIDE = 0, /* after, with the warning other-side; other files are read as usual */
    AF_OPEN_ONLY_BEFORE,    /* rejects any other file with AF_ERROR_USAGE */
    AF_OPEN_ONLY_AFTER,     /* the same */
} af_open_side;

/* How a method trace was recorded: its file does not say. */
typedef enum {
    AF_OPEN_RECORDED_GUESS = 0, /* by the times of its records */
    AF_OPEN_RECORDED_CALLS,     /* instrumented: every call */
    AF_OPEN_RECORDED_SAMPLES,   /* sampled: the stacks at intervals */
} af_open_recorded;

/* How to read a trace. Initialise with AF_OPEN_OPTIONS_INIT. */
typedef struct {
    size_t size;
    af_names names;
    af_clock clock;    /* the clock of the times, if the file has only one and does not declare
                          which */
    unsigned jobs;     /* threads to use; 0 = one for each processor */
    af_cancel *cancel; /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
    bool keep_input; /* keeps the input for the second reading that calls.h needs; the bytes of
                            a pipe or a compressed file then stay in memory until the profile is
                            freed */
    const af_mapping *const *mappings; /* applied in this order; NULL ends the list; NULL = none */
    bool keep_synthetic; /* keeps the name of a method that the compiler generated only to call
                                another one; otherwise the method gets the name of the other */
    const char *unit;    /* the unit of the counts in folded stacks: "ns", "us", "ms", "s", or any
                          plural noun; NULL = "samples". "samples" counts each sample of perf as 1,
                          whatever its weight */
    const char *event; /* the event to read if a recording has several, e.g. "instructions"; NULL =
                          the first */
    const char *symfs; /* folder with unstripped libraries at their original paths; may be NULL */
    const char *kallsyms;   /* a copy of /proc/kallsyms; may be NULL */
    bool show_art;          /* keeps the frames of the Android runtime between Java frames */
    uint64_t time_scale;    /* factor, in millionths, for the times of the input (for the wall clock
                             if there are two clocks); 0 = 1,000,000; at most AF_TIME_SCALE_MAX */
    bool ignore_other_ends; /* Chrome events: ignore an end whose name matches no open call;
                                   otherwise it ends the innermost call */
    bool overlap_tracks;    /* Chrome, Perfetto: move calls that overlap without nesting to a
                                   track of their own; otherwise they are truncated */
    uint64_t max_memory;    /* limit in bytes for call trees and names; 0 = unlimited. An input
                                   that needs more is rejected with AF_ERROR_MEMORY */
    bool keep_methods;      /* also keeps trees that do not merge methods with equal labels. A saved
                              profile, alone or in a picture, can then be opened in any style of
                              names; otherwise only in this one */
    const char *entry;     /* the path of the trace to read in a zip archive; NULL = the best one */
    const char *source;    /* Perfetto: what to read of a file that holds several kinds: "samples",
                            "heap", "java-heap" or "slices"; NULL = the first of these */
    const char *process;   /* Perfetto, systrace, perf.data: a name or id; "app" = the busiest
                              process that is not part of the system; "all" = each, the default for
                              perf.data and files that aflame wrote; NULL = the default */
    unsigned dump;         /* Perfetto: the dump of a heap to read, counted from 1; 0 = the last */
    bool dump_by_time;     /* instead, read the last dump of each native heap at or before
                              dump_ns */
    int64_t dump_ns;       /* time since the trace began; only with dump_by_time */
    bool max_memory_stops; /* reads an input that exceeds max_memory up to the limit and adds
                                  the warning memory-limit, instead of rejecting it */
    af_open_side side;
    bool only_sums; /* saves time with saved profiles: the shortest and longest call of a path
                           may stay unknown, as after steps that change the times of calls */
    af_open_recorded recorded; /* for method traces */
    const char *format;  /* reads the input in this format, a name as of af_input_format(), whatever
                           its content looks like; NULL = the format that the content shows. Fails
                           with AF_ERROR_USAGE for an unknown name */
    bool names_required; /* AF_NAMES_CLASS, too, rejects a saved profile that keeps names of another
                            style */
} af_open_options;

#define AF_TIME_SCALE_MAX UINT64_C(1000000000)

#define AF_OPEN_OPTIONS_INIT                                                                       \
    {                                                                                              \
        .size = sizeof(af_open_options), .clock = AF_CLOCK_DEFAULT                                 \
    }

static inline void af_open_options_init(af_open_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->clock = AF_CLOCK_DEFAULT;
}

AF_END_DECLS

#endif
