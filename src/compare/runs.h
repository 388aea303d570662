/* Runs added up: one side of a comparison, or the inputs of a merge.
 *
 * Threads add up by name, paths by label. In addition, the sums of the methods of each run are kept
 * for the statistics of several runs. */
#pragma once

#include <aflame/diff.h>
#include "base/textmap.h"
#include "compare/diff.h"
#include "compare/paths.h"
#include "model/profile.h"
#include "model/run_sums.h"
#include "model/waits.h"

#define AF_BOTH_CLOCKS (1u << AF_WALL | 1u << AF_CPU)

/* The sums of a path; 0 for a clock that the thread lacks. */
typedef struct {
    uint64_t calls, self[AF_CLOCKS];
} af_path_sums;

/* The self time of a path of a thread with these clocks, as af_tree_self_term(). */
static inline uint64_t af_path_self(const af_path_sums *sums, unsigned clocks, af_clock clock)
{
    return clock != AF_WAIT                              ? sums->self[clock]
           : (clocks & AF_BOTH_CLOCKS) == AF_BOTH_CLOCKS ? sums->self[AF_WALL] - sums->self[AF_CPU]
                                                         : 0;
}

/* What one run spent in the nodes of a thread. */
typedef struct {
    uint32_t run;
    uint32_t n;
    unsigned clocks;
    uint32_t *node; /* of the sum of all runs */
    af_path_sums *sums;
} af_run_paths;

/* More of a path, which only merged profiles need. */
typedef struct {
    uint64_t unwinds, min[AF_CLOCKS], max[AF_CLOCKS];
} af_path_details;

typedef struct {
    const char *name; /* after that of its process, if there are several */
    uint64_t id;      /* the smallest */
    uint32_t threads; /* the largest number of threads with this name in one profile */
    uint32_t found;   /* of the profile that is being added */
    unsigned clocks;
    gboolean sampled;
    af_paths paths;
    af_array sums;                   /* of af_path_sums, by node */
    af_array reason;                 /* of uint8_t: as in af_tree */
    af_array details;                /* of af_path_details; not to compare */
    af_array runnable;               /* of uint64_t; not to compare */
    gboolean lacks_runnable;         /* some of its trees */
    uint64_t waits[2][AF_WAITS_ALL]; /* as af_waits_add() without `apart`, and with it */
    GArray *runs;                    /* of af_run_paths; only to test */
    uint64_t records, n_calls;
    gboolean exited, listed, is_track;
} af_runs_thread;

/* A label with the method behind it. */
typedef struct {
    af_diff_label label;
    uint32_t mask; /* its number in `masks` */
    gboolean has_method;
    af_method method; /* of merges: the smallest of those that have the label */
} af_runs_name;

/* Whether the sums of each run are available. */
typedef enum {
    AF_RUNS_WHOLE = 0,
    AF_RUNS_RESHAPED, /* a merged profile was reshaped, and the sums of its runs cannot be
                         reshaped */
    AF_RUNS_PARTIAL,  /* a merged profile has more runs than it keeps */
} af_runs_state;

struct af_runs {
    af_arena *arena;
    af_runs_use use;
    uint32_t n_profiles;
    uint64_t sums[AF_CLOCKS]; /* times of all of them */
    uint32_t n_runs;
    af_runs_state state;
    /* Only to compare: the only profile so far, if it was taken over, and where its threads are
     * (AF_NO_NODE = not chosen). NULL = none */
    af_profile *only;
    uint32_t *only_threads;
    unsigned clocks; /* those that all have */
    unsigned any_clocks;
    gboolean sampled, weighed;
    af_unit unit;
    const char *thread_word; /* the word for the threads of all profiles if they are something else:
                                "heap"; NULL = threads */
    GPtrArray *inputs;       /* char * */
    GError *unselected;      /* the error of the first profile that has none of the chosen
                                threads */
    /* labels, by text */
    af_textmap names;
    af_array labels; /* of af_runs_name, by name */
    af_textmap masks;
    af_array masked; /* of uint8_t, by mask: whether a number was replaced */
    /* threads, by name, in order of first appearance */
    af_textmap thread_names;
    GPtrArray *threads; /* af_runs_thread */
    GArray *runs;       /* of af_run; `name` of masked rows is a mask */
    /* of merges */
    af_facts facts;
    const char *app; /* of the first profile that has one */
    gboolean callers_above, compensated;
    af_names style; /* of the labels; class if the profiles differ */
    af_warnings warnings;
    uint64_t instants, values;
};

static inline af_runs_name *af_runs_name_at(const af_runs *runs, uint32_t name)
{
    return &AF_ARRAY_AT(&runs->labels, af_runs_name, name);
}

static inline const af_textmap_entry *af_runs_mask_of(const af_runs *runs, uint32_t name)
{
    return &runs->masks.entries[af_runs_name_at(runs, name)->mask];
}

/* Adds the threads (indices; NULL = all) of a profile. AF_ERROR_USAGE if it is incompatible with
 * the earlier ones, AF_ERROR_MEMORY. */
gboolean af_runs_add_profile(af_runs *runs, const af_profile *profile, const char *input,
                             const GArray *threads, GError **error);

/* The same, but takes ownership of the profile. */
gboolean af_runs_take_profile(af_runs *runs, af_profile *profile, const char *input,
                              const GArray *threads, GError **error);
