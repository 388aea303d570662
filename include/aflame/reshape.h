/* Reshaping: a new profile made from another one by selecting, hiding, merging or inverting.
 *
 * Steps apply in order, each to the result of the previous one. They make new call trees and never
 * change the original profile, so several threads may reshape it at once; the result serves every
 * picture, export and report.
 *
 *     static const af_step steps[] = {
 *         {.kind = AF_STEP_FOCUS, .text = "onCreate"},
 *         {.kind = AF_STEP_MAX_DEPTH, .number = 40},
 *     };
 *     af_profile *focused = af_profile_reshape(profile, steps, 2, &error);
 *     af_profile_free(focused);
 *
 * Times are conserved. For every step and clock
 *     time of all threads before = time after + time left out.
 * If a frame is removed but its time stays, the nearest remaining caller gets the time; without
 * such a caller it is left out. `calls` and `unwinds` of a node count the calls of the frames that
 * merged into it. `min` and `max` are those of these calls; both are 0 if a step removed time from
 * several calls, since single calls are then unknown.
 *
 * Patterns select methods by their labels:
 *     text      labels that contain it, in any case    =text  exactly this label
 *     /re/      a regular expression; /re/i: any case  a.**   a glob for the whole label: * stops
 *     !PATTERN  every other label                             at dots, ** does not */
#ifndef AFLAME_RESHAPE_H
#define AFLAME_RESHAPE_H

#include <string.h>
#include <aflame/profile.h>

AF_BEGIN_DECLS

/* The kinds of steps. */
/* clang-format off */
#define AF_STEPS(STEP) \
    /* Threads. */ \
    /* text: keeps threads that match a selector as in af_picture_options; consecutive steps of \
     * this kind are one selection */ \
    STEP(THREADS, threads) \
    /* text: merges threads whose names match the pattern ("all": every name) and differ only in \
     * digits; the result is called "pool-#-thread-#" and has the id of the first */ \
    STEP(MERGE_THREADS, merge_threads) \
    \
    /* Selection; the rest is left out. */ \
    /* text: keeps paths through a matching frame; its callers stay as context without self \
     * time */ \
    STEP(FOCUS, focus) \
    /* text: the same selection seen as time: keeps the time within calls of a matching method on \
     * the thread that makes them */ \
    STEP(WITHIN, within) \
    /* text: removes the paths through a matching frame */ \
    STEP(IGNORE, ignore) \
    /* text: the outermost matching frames become the roots, merged by label */ \
    STEP(ROOT, root) \
    \
    /* Removal of frames; their time stays with the callers. */ \
    /* text: removes matching frames */ \
    STEP(HIDE, hide) \
    /* number: removes deeper frames */ \
    STEP(MAX_DEPTH, max_depth) \
    /* number: removes frames whose calls all took less than this, ns. If single calls are \
     * unknown, the total must be less */ \
    STEP(SHORTER_THAN, shorter_than) \
    \
    /* Simplification; time stays in place. */ \
    /* text: replaces each run of two or more matching frames on a path with one frame that shows \
     * their number; "framework" matches Android, AndroidX, Kotlin and Java, except frames that \
     * wait */ \
    STEP(FOLD, fold) \
    /* merges a method that calls itself into one frame with its outermost calls; also an \
     * immediately repeated run of up to 24 frames (a b c a b c) */ \
    STEP(COLLAPSE_RECURSION, collapse_recursion) \
    /* merges names that differ only in numbers: "frame 17" becomes "frame #" */ \
    STEP(MERGE_NUMBERS, merge_numbers) \
    /* gives compiler-generated methods their names from the source; removes accessors, bridges \
     * and methods that a mapping marks as synthetic */ \
    STEP(CLEAN, clean) \
    /* turns the tree upside down: methods with self time become the roots, with their callers on \
     * top */ \
    STEP(INVERT_CALLERS, invert_callers) \
    \
    /* number: af_sort_order of siblings. Always applied last; only the last such step counts */ \
    STEP(SORT, sort) \
    /* subtracts the known overhead of the tracer: for each call, two readings of the clock \
     * (clock-call-overhead-nsec), one in the call and one in its caller, but never more than the \
     * time there. That time is left out. AF_ERROR_USAGE if the overhead is unknown. Best as the \
     * first step, since removed calls are not compensated */ \
    STEP(COMPENSATE, compensate)
/* clang-format on */

/* AF_STEP_FOCUS and so on, and AF_STEP_KINDS, their number. */
#define AF_STEP_KIND(NAME, name) AF_STEP_##NAME,
typedef enum { AF_STEPS(AF_STEP_KIND) AF_STEP_KINDS } af_step_kind;
#undef AF_STEP_KIND

/* The values of steps. */
typedef enum {
    AF_STEP_NO_VALUE,
    AF_STEP_SELECTOR, /* text: which threads */
    AF_STEP_PATTERN,  /* text */
    AF_STEP_DEPTH,    /* number, at least 1 */
    AF_STEP_TIME,     /* number: ns, on the clock of the step */
    AF_STEP_ORDER,    /* number: af_sort_order */
} af_step_value;

typedef enum {
    AF_SORT_FIRST = 0, /* by first call, as without the step */
    AF_SORT_TIME,      /* longest first */
    AF_SORT_NAME,
} af_sort_order;

/* A step. Arrays of steps are passed to the library, so this layout is final. */
typedef struct {
    af_step_kind kind;
    const char *text; /* owned by the caller */
    uint64_t number;
    af_clock clock; /* for SHORTER_THAN and SORT; the former uses AF_WALL for AF_WAIT */
} af_step;

/* Whether a step is valid for any profile. false with AF_ERROR_USAGE. */
AF_API bool af_step_check(const af_step *step, GError **error);

/* Applies `n` steps. The new profile holds a reference to `profile`, so you may free `profile` at
 * any time. Free the new one with af_profile_free(). Returns NULL with AF_ERROR_USAGE (an invalid
 * step or thread, a missing clock), AF_ERROR_NOTHING if no frame is left, or AF_ERROR_MEMORY. */
AF_API af_profile *af_profile_reshape(const af_profile *profile, const af_step *steps, size_t n,
                                      GError **error);

/* ---- applied steps ---- */

/* An applied step. The list of a profile also contains the steps of the profile that it was made
 * from. Initialise with AF_STEP_VIEW_INIT. Strings live as long as the profile. */
typedef struct {
    size_t size;
    const char *option;              /* as on the command line: "--focus onBind" */
    const char *message;             /* e.g. that the pattern matches nothing, with the closest
                                        label; NULL = none */
    uint64_t matched;                /* number of frames or threads it applied to */
    uint64_t left_out_ns[AF_CLOCKS]; /* summed over all threads */
    uint64_t moved_ns[AF_CLOCKS];    /* from removed frames to their callers */
} af_step_view;

#define AF_STEP_VIEW_INIT                                                                          \
    {                                                                                              \
        .size = sizeof(af_step_view)                                                               \
    }

static inline void af_step_view_init(af_step_view *view)
{
    memset(view, 0, sizeof *view);
    view->size = sizeof *view;
}

AF_API unsigned af_profile_n_steps(const af_profile *profile);

/* Fills *view with step `index`. Returns false if `index` is past the end. */
AF_API bool af_profile_step(const af_profile *profile, unsigned index, af_step_view *view);

AF_END_DECLS

#endif
