/* How to open an input: the options of af_profile_open() and its siblings in profile.h.
 *
 *     af_open_options options = AF_OPEN_OPTIONS_INIT;
 *     options.names = AF_NAMES_SHORT;
 *     af_profile *profile = af_profile_open("app.trace", &options, &error); */
#ifndef AFLAME_OPEN_H
#define AFLAME_OPEN_H

#include <stdint.h>
#include <gio/gio.h>
#include <aflame/clock.h>

G_BEGIN_DECLS

typedef struct af_mapping af_mapping; /* mapping.h */

/* How a method is written. Calls merge along a path when their labels are equal, so the style
 * decides whether overloads are told apart. */
typedef enum {
    AF_NAMES_CLASS = 0, /* pkg.Class.method */
    AF_NAMES_SHORT,     /* Class.method */
    AF_NAMES_FULL,      /* pkg.Class.method(int, String) */
} af_names;

/* What to do while reading. Fill with AF_OPEN_OPTIONS_INIT; later fields are added at the end and
 * `size` says how much the caller knew. */
typedef struct {
    size_t size;
    af_names names;
    af_clock clock;       /* meaning of the only clock where the file does not say */
    unsigned jobs;        /* threads to work with; 0 = one for each processor */
    GCancellable *cancel; /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* bytes; may be NULL */
    void *progress_user;
    gboolean keep_input; /* to read it again for what calls.h offers; a pipe's or packed bytes
                            then stay in memory as long as the profile */
    const af_mapping *const *mappings; /* ends with NULL; NULL = the names as the trace has them.
                              The first renames, the next what came of that, and so on */
    gboolean keep_synthetic; /* methods that the compiler made only to call one other keep their
                              own names; else they are called as that other */
    const char *unit;     /* what the counts of folded stacks are: "ns", "us", "ms", "s", else any
                             word in the plural; NULL = "samples". "samples" makes each sample of perf
                             count as one, whatever it weighs */
    const char *event;    /* of a recording of several, e.g. "instructions"; NULL = the first */
    const char *symfs;    /* folder of libraries with symbols, at the paths they had; may be NULL */
    const char *kallsyms; /* a copy of /proc/kallsyms; may be NULL */
    gboolean show_art;    /* frames of the Android runtime between those of Java stay */
    uint64_t time_scale;  /* in millionths: times of the input are so many times too small, of two
                             clocks those of the wall clock; 0 = they are right. At most
                             AF_TIME_SCALE_MAX */
    gboolean ignore_other_ends; /* of Chrome's events: an end of a name that is not open ends
                              nothing, and not the innermost call */
    gboolean overlap_lanes; /* of these: calls that overlap without lying in each other get a lane
                              beside their thread, and are not cut */
} af_open_options;

#define AF_TIME_SCALE_MAX UINT64_C(1000000000)

#define AF_OPEN_OPTIONS_INIT                                                                       \
    {                                                                                              \
        sizeof(af_open_options), AF_NAMES_CLASS, AF_CLOCK_DEFAULT, 0, NULL, NULL, NULL, FALSE,     \
            NULL, FALSE, NULL, NULL, NULL, NULL, FALSE, 0, FALSE, FALSE                            \
    }

G_END_DECLS

#endif
