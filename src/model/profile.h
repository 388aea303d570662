/* A profile: everything that was read from one trace, with one call tree for each thread.
 * Immutable once read. Owned by one arena but for the columns of the trees.
 *
 * A profile may be made from another one (transform/reshape.h). It has trees, threads and labels of
 * its own, holds the other one, and shares everything else with it. */
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

/* What a second reading of the input needs to know; see build/walk_plan.h. */
typedef struct af_walk_plan af_walk_plan;

/* A method as the file describes it. Strings are cleaned; NULL = the file does not say. */
typedef struct {
    uint64_t id;
    const char *class_name; /* with dots */
    const char *name;
    const char *signature; /* JNI form */
    const char *source;    /* file name */
    const char *library;   /* the file that its code was loaded from, with its folder */
    const char *nowhere;   /* hex digits of its address, where nothing was loaded */
    int32_t line;          /* 0 or more: first line; -1 unknown; -2 native */
    gboolean defined;
    gboolean slashed; /* the label has slashes where the class has dots */
    af_annotation note;
    const char *proxy;  /* stands for the name of a method that is not defined, else NULL */
    gboolean ambiguous; /* by a mapping: the name is one of several, "a|b" */
    gboolean forwards;  /* by a mapping: made by the compiler to call one other method, whose name
                           it has */
    gboolean synthetic; /* by a mapping: made by the compiler, and neither called by the name of
                           what it passes calls on to nor code of others */
} af_method;

/* What a mapping gave to the methods (af_mapping_view says more). */
typedef struct {
    const char *path, *compiler, *version, *id;
    uint64_t methods, known, named, ambiguous, synthetic;
    uint64_t broken; /* lines of the file that cannot be understood */
    gboolean other_build;
} af_mapped_facts;

/* A label and the first method that has it. A label that stands for many frames ("… 9 framework
 * frames") has a method too, the first of them, but its `methods` is 0. */
typedef struct {
    const char *text;
    uint32_t length;       /* of text, bytes */
    uint32_t method;       /* into methods */
    uint32_t methods;      /* how many method ids share it */
    uint32_t class_length; /* text[0 .. class_length) is the class; 0 = it has none */
    uint32_t method_at;    /* where the method's own name begins in text; 0 = nowhere else */
    af_category category;
    gboolean synthetic; /* all its methods are */
    uint8_t shade;      /* below AF_CATEGORY_SHADES, by a hash of the class; or _DIM */
} af_label;

/* A process whose threads are in the profile, of a file that tells processes apart. */
typedef struct {
    const char *id;   /* as the file has it, cleaned */
    const char *name; /* cleaned; NULL = the file does not say */
} af_profile_process;

typedef struct {
    uint64_t id;       /* as the file has it; several processes may share one */
    uint32_t number;   /* its place in the profile that was read */
    const char *name;  /* cleaned */
    const char *title; /* name, behind that of its process where there are several processes,
                          with " [id]" where two threads share that */
    uint32_t process;  /* into processes, or AF_NO_PROCESS */
    uint64_t records, calls;
    uint64_t first_ns[AF_CLOCKS], last_ns[AF_CLOCKS]; /* repaired, not rebased */
    uint64_t open_at_end, exits_on_empty, missing_exits, unmatched_exits, unwinds;
    uint64_t cut_at_begin; /* calls that began before the part of the trace that this is */
    uint32_t max_depth;
    uint32_t merged; /* how many threads were merged into this one; 0 = it is one thread */
    gboolean exited, listed;
    gboolean sampled; /* its calls are stretches between samples, and their number says nothing */
    af_tree *tree;
} af_thread;

/* What was done to make a profile from another one; as in af_step_view. */
typedef struct {
    const char *option;
    gboolean sorts;   /* it changes the order of siblings and nothing else */
    const char *note; /* NULL = nothing to tell */
    uint64_t matched;
    uint64_t left_out_ns[AF_CLOCKS], charged_ns[AF_CLOCKS];
} af_step_record;

struct af_profile {
    af_arena *arena;
    af_facts facts;
    unsigned clocks; /* bit 1 << clock for each clock there is */
    af_names names;
    af_method *methods;
    uint32_t n_methods;
    af_label *labels;
    uint32_t n_labels;
    af_thread *threads; /* ascending id, or as the file wants them shown */
    uint32_t n_threads;
    const af_profile_process *processes;
    uint32_t n_processes;
    af_markers marks;
    const char *app;               /* dominant package of the app, NULL = none found */
    const af_mapped_facts *mapped; /* of each mapping that was used, in their order */
    uint32_t n_mapped;
    af_warnings warnings;
    const af_profile *base;      /* the profile this was made from, held; NULL = it was read */
    gint holders;                /* profiles that hold this one, beside who has it; atomic */
    const af_step_record *steps; /* all from the profile that was read to this one */
    unsigned n_steps;
    gboolean callers_above;    /* the trees stand on their heads: below the threads are the methods
                                  in which time was spent, above these their callers */
    gboolean compensated;      /* the tracer's own time was taken out */
    const af_walk_plan *guide; /* to read the input again; NULL = that was not asked for */
    void *input;               /* of calls/input.h; only of the profile that was read */
    void (*free_input)(void *input);
};

/* Keeps the profile alive until af_profile_free() was called once more. */
const af_profile *af_profile_hold(const af_profile *profile);

/* The profile that was read. */
const af_profile *af_profile_origin(const af_profile *profile);

/* A profile that holds `base` and has everything of it but the threads, of which it has none yet,
 * and an arena of its own. */
af_profile *af_profile_derive(const af_profile *base);

/* The titles of all threads. FALSE if the machine refuses the memory. */
gboolean af_profile_title_threads(af_profile *profile);

/* Whether anybody counted the calls of a thread: what its tree counts may be stretches of samples.
 * Of the profile: of any of its threads. */
static inline gboolean af_profile_counts_calls(const af_profile *profile)
{
    return !profile->facts.sampled && !profile->facts.weighed;
}

static inline gboolean af_thread_counts_calls(const af_profile *profile, const af_thread *thread)
{
    return af_profile_counts_calls(profile) && !thread->sampled;
}

/* Whether times are those of clocks, and not what samples are weighed by. */
static inline gboolean af_profile_has_clocks(const af_profile *profile)
{
    return profile->facts.unit.name == NULL;
}

static inline gboolean af_profile_has(const af_profile *profile, af_clock clock);

/* What a thread is called where its id stands beside it: with its process if there are several. */
static inline const char *af_thread_shown(const af_profile *profile, const af_thread *thread)
{
    return profile->n_processes > 1 ? thread->title : thread->name;
}

/* The clock of the moments at which threads begin and end, the one that all share if there is one;
 * -1 = nobody knows any. */
static inline int af_profile_timeline_clock(const af_profile *profile)
{
    if (profile->facts.weighed) {
        return profile->facts.timed ? AF_WALL : -1;
    }
    return af_profile_has(profile, AF_WALL) ? AF_WALL : AF_CPU;
}

/* Whether any thread has the clock; one alone may lack what others have. */
static inline gboolean af_profile_has(const af_profile *profile, af_clock clock)
{
    const unsigned needed = clock == AF_WAIT ? 1u << AF_WALL | 1u << AF_CPU : 1u << (unsigned)clock;
    return (profile->clocks & needed) == needed;
}

/* Whether a thread has the clock. Of one that it lacks there are no times, which is not the same as
 * that none went by. */
static inline gboolean af_thread_has(const af_profile *profile, uint32_t thread, af_clock clock)
{
    return af_tree_has(profile->threads[thread].tree, clock);
}

/* How many threads lack a clock that others have. */
uint32_t af_profile_n_without(const af_profile *profile, af_clock clock);

/* Makes the clocks of a derived profile those that any of its threads has. */
void af_profile_take_clocks(af_profile *profile);

/* The clock that tells busy threads from those that only wait: CPU if all threads have it. */
af_clock af_profile_busy_clock(const af_profile *profile);

/* The index of the main thread: the one whose id is the pid, else a thread called "main", else the
 * first that a process began with, else the first; 0 if there is no thread. */
uint32_t af_profile_main_thread(const af_profile *profile);

/* Makes a derived profile say which part of the trace it is. FALSE if memory is refused. */
gboolean af_profile_name_part(af_profile *profile, const char *part, const char *brief);

/* When the recording began, seconds since 1970; -1 if the file does not say. */
int64_t af_profile_date_s(const af_profile *profile);

/* Time of the whole thread in `clock`: inclusive time of its tree's node 0; 0 without the clock. */
uint64_t af_thread_time_ns(const af_profile *profile, uint32_t thread, af_clock clock);

/* Time of a node with all it called that was waiting; 0 without both clocks. */
uint64_t af_tree_wait_ns(const af_tree *tree, uint32_t node);

#endif
