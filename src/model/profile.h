/* A profile: everything that was read from one trace, with one call tree for each thread.
 * Immutable once read. Owned by one arena but for the columns of the trees.
 *
 * A profile may be made from another one (transform/reshape.h). It has trees, threads and labels of
 * its own, holds the other one, and shares everything else with it. */
#ifndef AF_MODEL_PROFILE_H
#define AF_MODEL_PROFILE_H

#include <aflame/profile.h>
#include "base/arena.h"
#include "model/category.h"
#include "model/markers.h"
#include "model/tree.h"
#include "model/warning.h"

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

/* What a second reading of the input needs to know; see build/walk_plan.h. */
typedef struct af_walk_plan af_walk_plan;

/* A range of wall time, in ns as in af_call_edge. It holds its begin and not its end, unless it
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
    uint64_t end_ns;        /* end of the trace in wall time; of a recording that ended early, its
                               last record */
    uint64_t unrecorded_ns; /* from there to the end that the file states; in no tree or total */
    const char *part;       /* which part of the trace this is, in words: "200 ms to 400 ms of
                               1.10 s"; NULL = all of it */
    const char *part_brief; /* the same without what it is a part of */
    gboolean has_range;     /* the part is one by time */
    af_time_range span;
} af_facts;

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

#define AF_NO_PROCESS UINT32_MAX

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
    void *input;               /* for who reads it; only of the profile that was read */
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
