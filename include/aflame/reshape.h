/* Selecting and reshaping: a profile made from another one.
 *
 * Steps are done in the order in which they stand, each on what the one before it left. They change
 * the call trees and never the profile they are done on; what comes out is a profile like any
 * other, for every picture, export and report.
 *
 * Times. What a step takes away or gives to another frame is counted: for every step
 *     time of all threads before = time after + time left out,
 * in each clock. Frames that go while their time stays give it to the nearest caller that stays;
 * time without such a caller is left out. `calls` and `unwinds` of a node count the calls of the
 * frames that merged into it, so a frame that goes takes its calls along. `min` and `max` are those
 * of these calls; where a step took time out of some of several calls, single calls are not known
 * any more and both are 0.
 *
 * Patterns name methods by their labels:
 *     text      labels that contain it, in any case    =text  the label that is exactly this
 *     /re/      a regular expression; /re/i: any case  a.**   a glob for the whole label: * stops
 *     !PATTERN  every label but those                         at dots, ** does not */
#ifndef AFLAME_RESHAPE_H
#define AFLAME_RESHAPE_H

#include <aflame/profile.h>

G_BEGIN_DECLS

typedef enum {
    /* Threads. */
    AF_STEP_THREADS,       /* text: only these, as selectors of af_picture_options; several such
                              steps in a row are one selection */
    AF_STEP_MERGE_THREADS, /* text: of the threads whose name matches the pattern ("all": of all),
                              those become one whose names differ in digits only; it is called
                              "pool-#-thread-#" and has the id of the first */
    /* What is looked at; the rest is left out. */
    AF_STEP_FOCUS,  /* text: paths through a matching frame; its callers stay as context,
                       without time of their own */
    AF_STEP_WITHIN, /* text: the same, for those who think of time: only time inside calls
                       of a method, on the thread that makes them */
    AF_STEP_IGNORE, /* text: all but the paths through a matching frame */
    AF_STEP_ROOT,   /* text: outermost matching frames become the roots, merged by label */
    /* What is shown of it; the time stays, with the callers. */
    AF_STEP_HIDE,         /* text: without the matching frames */
    AF_STEP_MAX_DEPTH,    /* number: without frames deeper than this */
    AF_STEP_SHORTER_THAN, /* number: without frames of which no call took so many ns. Where calls
                             are not known singly, all of them together must take less */
    /* What is shown simpler; the time stays in place. */
    AF_STEP_FOLD, /* text: runs of two and more matching frames above each other become one
                     that says how many; "framework": Android, AndroidX, Kotlin and Java,
                     but for frames that wait */
    AF_STEP_COLLAPSE_RECURSION, /* a method that calls itself is one frame, with its outermost
                              calls; and a run of up to 24 frames that is repeated at once (a b c a
                              b c) is one run */
    AF_STEP_CLEAN,          /* what compilers made up gets the name it has in the source; accessors
                               and bridges go, their time to the caller, and so does whatever
                               a mapping says the compiler made */
    AF_STEP_INVERT_CALLERS, /* the methods in which time was spent become the roots, with their
                              callers above them */
    /* Order of siblings; done last wherever it stands, and only the last one counts. */
    AF_STEP_SORT, /* number: af_sort_order */
    /* Time that is the tracer's own, as far as it is known: for each call two readings of the clock
     * (clock-call-overhead-nsec), one in the call and one in its caller, never more than there is.
     * Left out; fails with AF_ERROR_USAGE where nothing is known. Steps that let calls go take away
     * what it reckons with, so it is best the first. */
    AF_STEP_COMPENSATE,
} af_step_kind;

typedef enum {
    AF_SORT_FIRST = 0, /* in order of the first call, as without this step */
    AF_SORT_TIME,      /* longest first */
    AF_SORT_NAME,
} af_sort_order;

typedef struct {
    af_step_kind kind;
    const char *text; /* the caller's */
    uint64_t number;
    af_clock clock; /* the one that SHORTER_THAN and SORT look at; the former takes AF_WAIT for
                       AF_WALL */
} af_step;

/* Whether a step makes sense before anything is known of a profile: fails with AF_ERROR_USAGE. */
AF_API gboolean af_step_check(const af_step *step, GError **error);

/* Does the steps. The new profile holds `profile`, which may be freed at any time; the caller frees
 * the new one with af_profile_free().
 * Returns NULL with AF_ERROR_USAGE (a step or thread that makes no sense, a clock that is not
 * there), AF_ERROR_NOTHING if no frame is left, or AF_ERROR_MEMORY. */
AF_API af_profile *af_profile_reshape(const af_profile *profile, const af_step *steps, size_t n,
                                      GError **error);

/* ---- what was done ---- */

/* A step that was done, also those done before the profile that was given. Strings live as long as
 * the profile. */
typedef struct {
    const char *option;              /* as it is typed: "--focus onBind" */
    const char *note;                /* what to tell about it, e.g. that nothing matched, and what
                                        may have been meant; NULL = nothing */
    uint64_t matched;                /* frames or threads it was about */
    uint64_t left_out_ns[AF_CLOCKS]; /* of all threads */
    uint64_t charged_ns[AF_CLOCKS];  /* given from frames that went to their callers */
} af_step_view;

AF_API unsigned af_profile_n_steps(const af_profile *profile);
AF_API af_step_view af_profile_step(const af_profile *profile, unsigned number);

G_END_DECLS

#endif
