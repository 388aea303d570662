/* The result of a comparison: plain data, without functions that compute.
 *
 * A path is a node of the union of both sides: it has the same labels from the thread down on every
 * side that has it. Numbers of several runs are means per path, rounded to 1 ns, so that they add
 * up; methods have medians. If a side lacks a path or method, its numbers are 0.
 *
 *   - width of a path = max(self before, self after) + the widths of its children
 *   - common + grown + shrunk = width, where common adds up min(self), grown the time that only
 *     "after" took, shrunk the time that only "before" took; grown - shrunk is the difference of
 *     inclusive times
 */
#pragma once

#include <stdint.h>
#include <glib.h>
#include <aflame/diff.h>
#include "base/arena.h"
#include "base/unit.h"
#include "model/category.h"
#include "model/warning.h"

/* Arrays of times are indexed by af_clock, AF_WAIT included. */
#define AF_DIFF_CLOCKS 3

#define AF_DIFF_FACT (-2.0)

/* A side with fewer runs decides nothing. */
#define AF_DIFF_LEAST_RUNS 3

/* What tells changes from noise. With runs, also facts. */
typedef enum {
    AF_DIFF_BY_NOTHING, /* there are too few runs */
    AF_DIFF_BY_DELTA,   /* the least difference: the amounts have no noise */
    AF_DIFF_BY_GAP,     /* a gap between the ranges of the sides as wide as the wider range */
    AF_DIFF_BY_TEST,    /* p */
} af_diff_ground;

/* A label of the union. A label that stands for several names shows # in place of their numbers. */
typedef struct {
    const char *text;
    uint32_t length;       /* of text, bytes */
    uint32_t class_length; /* text[0 .. class_length) is the class; 0 = no class */
    uint32_t method_at;    /* where the name of the method begins in text */
    af_category category;  /* of a blocked path; see af_diff_tree */
    uint8_t shade;
    uint8_t waits;            /* of af_waits_of_labels() */
    const char *class_name;   /* with its package; NULL = unknown */
    const char *source;       /* file name; NULL = unknown */
    uint32_t names[AF_SIDES]; /* how many names of each side it stands for */
} af_diff_label;

/* The paths of a thread. Node 0 is the thread. parent[n] < n; nodes are in preorder, siblings by
 * size of change, then in order of first appearance. */
typedef struct {
    uint32_t n;
    uint32_t *parent, *label, *depth;
    uint64_t *calls[AF_SIDES];
    uint64_t *self[AF_SIDES][AF_DIFF_CLOCKS]; /* of the clock of the comparison; otherwise NULL */
    uint64_t *width, *grown, *shrunk;         /* of the clock of the comparison */
    uint8_t *present[AF_SIDES];               /* whether any run of the side has the path */
    uint8_t *status;                          /* af_diff_status */
    uint8_t *category;                        /* af_category: one method may be idle or blocked */
    uint32_t *twin; /* the other place of a moved subtree, as a node of this thread; or itself.
                       NULL = nothing moved within the thread */
    double *p;      /* as in af_diff_method; NULL = there are no sums for each run */
    void *columns;  /* the memory of all but the last two; freed with the comparison */
} af_diff_tree;

typedef struct {
    const char *title;          /* of both sides; a group or pair of numbered names shows # */
    const char *name[AF_SIDES]; /* names of the side, separated by ", "; NULL = it has none */
    uint32_t threads[AF_SIDES]; /* how many threads of the side */
    af_diff_status status;
    gboolean uncounted; /* its calls were not counted */
    af_diff_tree tree;
} af_diff_thread;

/* The numbers of a method on one side, in the clock of the comparison. */
typedef struct {
    uint64_t self, inclusive; /* recursion counts once */
    uint64_t calls;           /* outside other calls of the method */
    uint64_t *runs;           /* inclusive time of each run; NULL = a single run */
    uint64_t *run_calls;      /* likewise */
    gboolean present;         /* in any run */
} af_diff_figures;

typedef struct {
    uint32_t label;
    af_diff_status status;
    af_diff_figures side[AF_SIDES];
    gboolean split;            /* by_calls and by_mean are known */
    int64_t by_calls, by_mean; /* add up to the difference of inclusive times */
    double p;                  /* < 0 = not tested; AF_DIFF_FACT = a fact, which needs no test */
    int64_t shift, low, high;  /* Hodges-Lehmann, with its 95 % interval; several runs only */
    /* the paths of a moved method, as thread and node; thread UINT32_MAX = none */
    struct {
        uint32_t thread, node;
    } moved[AF_SIDES];
} af_diff_method;

typedef struct {
    const char *const *inputs; /* names, in the order in which they were given */
    uint32_t n_inputs;
    uint32_t n_runs;   /* of all inputs; a merged profile holds several */
    uint32_t n_tested; /* runs that the statistics use */
    uint64_t total;    /* of its threads, in the clock of the comparison */
    uint64_t unscaled; /* the same before --normalize */
    uint32_t n_threads;
    af_warnings warnings; /* of all inputs, without offsets */
} af_diff_side;

/* One of the largest causes, in words and numbers. */
typedef struct {
    uint32_t thread; /* of the comparison */
    uint32_t node;   /* the path that stands for it */
    int64_t delta;   /* of its inclusive time */
} af_diff_cause;

#define AF_DIFF_CAUSES 3

struct af_diff {
    af_arena *arena;
    af_runs *carried[AF_SIDES]; /* the saved profiles that its pictures and pages carry, borrowed;
                                   NULL = none */
    const af_profile *shown[AF_SIDES]; /* whose timelines a sheet shows, borrowed; NULL = none */
    af_clock clock;
    unsigned clocks; /* bits 1 << clock: those that both sides have */
    af_unit unit;    /* all zero = ns */
    /* the words for the threads of both sides if they are something else: "heap" and "heaps"; NULL
     * = threads */
    const char *thread_word, *threads_word;
    gboolean normalized, exact_names;
    gboolean counted;          /* both sides have call counts */
    uint64_t *waits[AF_SIDES]; /* by af_waits: the waiting of all paths, whatever clock is
                                  compared; zeros unless both sides have both clocks */
    uint64_t min_delta;
    af_diff_ground ground;
    const char *mean_of;  /* "frame": the times are means of these; NULL = of runs */
    const char *untested; /* why several runs were not tested; NULL = they were */
    af_diff_side side[AF_SIDES];
    af_diff_label *labels;
    uint32_t n_labels;
    af_diff_thread *threads; /* by size of change, then in order of first appearance */
    uint32_t n_threads;
    af_diff_method *methods; /* by size of the difference of inclusive times */
    uint32_t n_methods;
    af_diff_cause causes[AF_DIFF_CAUSES];
    uint32_t n_causes;
};

/* ---- budgets ---- */

typedef enum {
    AF_BUDGET_MET,
    AF_BUDGET_EXCEEDED, /* the limit */
    AF_BUDGET_GROWN,    /* beyond the increase */
    AF_BUDGET_MISSING,  /* the method does not occur */
    AF_BUDGET_SKIPPED,  /* the same, but it is optional */
    AF_BUDGET_UNTESTED, /* it limits only an increase, which could not be tested */
} af_budget_verdict;

/* A budget with its values: ns or counts, medians of the runs. */
typedef struct {
    const char *name, *thread, *method; /* thread and method may be NULL */
    const char *measure;                /* "inclusive wall" */
    af_budget_verdict verdict;
    gboolean is_count;
    gboolean has_limit, has_before, has_increase;
    uint64_t before, after, limit, allowance;
    uint32_t runs;         /* of after */
    const char *untested;  /* why the increase was not tested; NULL = it was, or there is none */
    const char *statistic; /* how `after` summarises several runs: "median"; "mean" or "largest" for
                              a merged profile without the values of single runs */
} af_budget_line;

static inline int64_t af_diff_of(uint64_t before, uint64_t after)
{
    return (int64_t)(after - before);
}

/* The size of a difference. */
static inline uint64_t af_diff_size(int64_t difference)
{
    return difference < 0 ? 0 - (uint64_t)difference : (uint64_t)difference;
}

static inline uint64_t af_diff_distance(uint64_t one, uint64_t other)
{
    return one > other ? one - other : other - one;
}

/* The depth of the deepest tree. */
static inline uint32_t af_diff_deepest(const af_diff *diff)
{
    uint32_t deepest = 0;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        for (uint32_t n = 0; n < diff->threads[t].tree.n; n++) {
            deepest = MAX(deepest, diff->threads[t].tree.depth[n]);
        }
    }
    return deepest;
}

/* The status of the method of each label. Free with g_free(); NULL if memory is refused. */
static inline uint8_t *af_diff_list_statuses(const af_diff *diff)
{
    uint8_t *statuses = g_try_malloc0((size_t)diff->n_labels + 1);
    for (uint32_t i = 0; statuses != NULL && i < diff->n_methods; i++) {
        statuses[diff->methods[i].label] = (uint8_t)diff->methods[i].status;
    }
    return statuses;
}

/* The inclusive time of a path on a side. */
static inline uint64_t af_diff_path_time(const af_diff_tree *tree, unsigned side, uint32_t node)
{
    return tree->width[node] - (side == AF_AFTER ? tree->shrunk[node] : tree->grown[node]);
}

static inline uint64_t af_diff_path_common(const af_diff_tree *tree, uint32_t node)
{
    return tree->width[node] - tree->grown[node] - tree->shrunk[node];
}

/* The other place of a moved subtree, or the node itself. */
static inline uint32_t af_diff_path_twin(const af_diff_tree *tree, uint32_t node)
{
    return tree->twin != NULL ? tree->twin[node] : node;
}

/* The difference of a path's inclusive times. */
static inline int64_t af_diff_path_delta(const af_diff_tree *tree, uint32_t node)
{
    return (int64_t)(tree->grown[node] - tree->shrunk[node]);
}
