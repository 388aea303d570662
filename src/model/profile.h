/* A profile: everything that was read from one trace, with one call tree for each thread.
 *
 * A profile never changes after completion. Its arena owns everything except the columns of the
 * trees. A profile may be derived from another one (transform/reshape.h): it then has its own
 * trees, threads and labels, holds a reference to its base, and shares everything else with it. */
#ifndef AF_MODEL_PROFILE_H
#define AF_MODEL_PROFILE_H

#include <aflame/profile.h>
#include "base/arena.h"
#include "model/annotation.h"
#include "model/category.h"
#include "model/facts.h"
#include "model/markers.h"
#include "model/tree.h"
#include "model/warning.h"

/* The requirements of a second reading of the input; see build/walk_plan.h. */
typedef struct af_walk_plan af_walk_plan;

/* The input itself, kept for that; see calls/input.h. */
typedef struct af_profile_input af_profile_input;

/* A method as the file describes it. Strings are cleaned; NULL = not in the file. */
typedef struct {
    uint64_t id;
    const char *class_name; /* with dots */
    const char *name;
    const char *signature; /* JNI form */
    const char *source;    /* file name */
    const char *library;   /* the file that its code was loaded from, with its folder */
    const char *nowhere;   /* hex digits of its address, if it is in no loaded file */
    const char *group;     /* its category as the file names it */
    int32_t line;          /* 0 or more: first line; -1 unknown; -2 native */
    gboolean defined;
    gboolean slashed; /* the label has slashes where the class has dots */
    af_annotation annotation;
    const char *proxy;  /* replaces the name of an undefined method, otherwise NULL */
    gboolean ambiguous; /* by a mapping: the name is one of several, "a|b" */
    gboolean forwards;  /* by a mapping: made by the compiler to call one other method, whose name
                           it has */
    gboolean synthetic; /* by a mapping: made by the compiler, and neither called by the name of
                           what it passes calls on to nor code of others */
} af_method;

/* The results of a mapping; af_mapping_view explains the fields. */
typedef struct {
    const char *path, *compiler, *version, *id;
    uint64_t methods, known, named, ambiguous, synthetic;
    uint64_t broken; /* lines of the file that are not valid */
    gboolean other_build;
} af_mapped_facts;

/* A label and the first method that has it. A label for several frames ("… 9 framework frames") has
 * the method of the first one, but its `methods` is 0. */
typedef struct {
    const char *text;
    uint32_t length;       /* of text, bytes */
    uint32_t method;       /* into methods */
    uint32_t methods;      /* number of method ids that share it */
    uint32_t class_length; /* text[0 .. class_length) is the class; 0 = no class */
    uint32_t method_at;    /* where the name of the method begins in text */
    af_category category;
    uint16_t group;     /* into groups + 1; 0 = none, see model/groups.h */
    gboolean synthetic; /* all its methods are synthetic */
    uint8_t shade;      /* below AF_CATEGORY_SHADES, by a hash of the class; or _DIM */
} af_label;

/* Labels with a common colour that no category describes; see model/groups.h. */
typedef struct {
    const char *title;
    uint8_t hue; /* the category whose colours it has; AF_CATEGORY_UNKNOWN for smaller groups */
} af_group;

/* A process whose threads are in the profile, if the file distinguishes processes. */
typedef struct {
    const char *id;   /* as the file has it, cleaned */
    const char *name; /* cleaned; NULL = absent */
} af_profile_process;

typedef struct {
    uint64_t id;       /* as the file has it; several processes may share one */
    uint32_t number;   /* its index in the profile that was read */
    const char *name;  /* cleaned */
    const char *title; /* name; after the name of its process if there are several processes,
                          with " [id]" if two threads share the result */
    uint32_t process;  /* into processes, or AF_NO_PROCESS */
    uint64_t records, calls;
    uint64_t first_ns[AF_CLOCKS], last_ns[AF_CLOCKS]; /* repaired, not rebased */
    uint64_t open_at_end, exits_on_empty, missing_exits, unmatched_exits, unwinds;
    uint64_t cut_at_begin; /* calls that began before the selected part of the trace */
    uint32_t max_depth;
    uint32_t merged; /* number of threads merged into this one; 0 = a single thread */
    gboolean exited, listed;
    gboolean sampled; /* its calls are intervals between samples, and their number has no meaning */
    af_tree *tree;
} af_thread;

/* A step that was applied; as in af_step_view. */
typedef struct {
    const char *option;
    gboolean sorts;      /* it only changes the order of siblings */
    const char *message; /* NULL = nothing to report */
    uint64_t matched;
    uint64_t left_out_ns[AF_CLOCKS], moved_ns[AF_CLOCKS];
} af_step_record;

struct af_profile {
    af_arena *arena;
    af_facts facts;
    unsigned clocks; /* bit 1 << clock for each clock that any thread has */
    af_names names;
    af_method *methods;
    uint32_t n_methods;
    af_label *labels;
    uint32_t n_labels;
    const af_group *groups;
    uint32_t n_groups;
    af_thread *threads; /* ascending id, or in the order that the file declares */
    uint32_t n_threads;
    const af_profile_process *processes;
    uint32_t n_processes;
    const char *const *wakers; /* names of threads that ended sleeps of others, by the numbers in
                                  single calls; NULL = no name */
    uint32_t n_wakers;
    af_markers markers;
    gboolean keeps_methods;        /* as in af_open_options; not of derived profiles */
    gboolean has_categories;       /* the input declared the categories of labels */
    const char *app;               /* the app's main package, NULL = none found */
    const af_mapped_facts *mapped; /* one for each mapping, in order of use */
    uint32_t n_mapped;
    af_warnings warnings;
    const af_profile *
        base; /* the profile that this one was derived from, referenced; NULL = none: it was read */
    gint holders; /* references by other profiles, in addition to the owner's; atomic */
    const af_step_record *steps; /* all steps from the profile that was read to this one */
    unsigned n_steps;
    gboolean callers_above; /* the trees are inverted: below the threads are the methods in which
                               time was spent, above these their callers */
    const struct af_run_sums *run_sums; /* of a merged profile; NULL = one run */
    gboolean compensated;               /* the tracer's own time was subtracted */
    const af_walk_plan *walk_plan;      /* to read the input again; NULL = not requested */
    af_profile_input *input;            /* only of the profile that was read; NULL = not kept */
    void (*free_input)(af_profile_input *input);
};

/* Takes a reference; af_profile_free() drops it. */
const af_profile *af_profile_hold(const af_profile *profile);

/* The profile that was read. */
const af_profile *af_profile_origin(const af_profile *profile);

/* Returns a profile derived from `base`, with its own arena and no threads yet; it shares
 * everything else with `base`. */
af_profile *af_profile_derive(const af_profile *base);

/* Sets the titles of all threads. FALSE if memory is refused. */
gboolean af_profile_title_threads(af_profile *profile);

/* Whether call counts are meaningful: counts of samples are intervals. af_profile_counts_calls()
 * covers the whole input, af_thread_counts_calls() one thread. */
static inline gboolean af_profile_counts_calls(const af_profile *profile)
{
    return profile->facts.content == AF_CONTENT_CALLS;
}

static inline gboolean af_thread_counts_calls(const af_profile *profile, const af_thread *thread)
{
    return af_profile_counts_calls(profile) && !thread->sampled;
}

/* Whether the values of the trees are times of clocks; otherwise they are weights of samples. */
static inline gboolean af_profile_has_clocks(const af_profile *profile)
{
    return profile->facts.weights.unit.name == NULL;
}

static inline gboolean af_profile_has(const af_profile *profile, af_clock clock);

/* Returns the name of a thread for use next to its id; with its process if there are several. */
static inline const char *af_thread_shown(const af_profile *profile, const af_thread *thread)
{
    return profile->n_processes > 1 ? thread->title : thread->name;
}

/* The clock of the begin and end of threads: wall time, which all threads share, if available; -1 =
 * the input has no times. */
static inline int af_profile_timeline_clock(const af_profile *profile)
{
    if (af_content_has_weights(profile->facts.content)) {
        return af_content_has_timed_weights(profile->facts.content) ? AF_WALL : -1;
    }
    return af_profile_has(profile, AF_WALL) ? AF_WALL : AF_CPU;
}

/* Whether any thread has the clock; single threads may lack it. */
static inline gboolean af_profile_has(const af_profile *profile, af_clock clock)
{
    const unsigned needed = clock == AF_WAIT ? 1u << AF_WALL | 1u << AF_CPU : 1u << (unsigned)clock;
    return (profile->clocks & needed) == needed;
}

/* Whether a thread has the clock. A thread without it has no times, which differs from times of 0.
 */
static inline gboolean af_thread_has(const af_profile *profile, uint32_t thread, af_clock clock)
{
    return af_tree_has(profile->threads[thread].tree, clock);
}

/* The number of threads that lack a clock that others have. */
uint32_t af_profile_n_without(const af_profile *profile, af_clock clock);

/* Sets the clocks of a derived profile to those that any of its threads has. */
void af_profile_take_clocks(af_profile *profile);

/* The clock that distinguishes busy threads from waiting ones: CPU if all threads have it. */
af_clock af_profile_busy_clock(const af_profile *profile);

/* Returns the index of the main thread: the one whose id is the pid, otherwise a thread called
 * "main", otherwise the first thread of a process, otherwise the first thread; 0 if there are no
 * threads. */
uint32_t af_profile_main_thread(const af_profile *profile);

/* The wall time that the profile covers: a part of the trace, or all of it. */
af_time_range af_profile_range(const af_profile *profile);

/* Names the part of the trace that a derived profile covers. FALSE if memory is refused. */
gboolean af_profile_name_part(af_profile *profile, const char *part, const char *brief);

/* The start of the recording in seconds since 1970; -1 if the file lacks it. */
int64_t af_profile_date_s(const af_profile *profile);

/* The time of a thread: inclusive time of node 0 of its tree; 0 if it lacks the clock. */
uint64_t af_thread_time_ns(const af_profile *profile, uint32_t thread, af_clock clock);

/* Inclusive waiting time of a node; 0 unless it has both clocks. */
uint64_t af_tree_wait_ns(const af_tree *tree, uint32_t node);

#endif
