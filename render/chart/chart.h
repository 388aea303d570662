/* The single calls of a trace in order of time, reduced to what a chart can show.
 *
 * Calls arrive one at a time. A call shorter than `shortest_ns` is merged with its neighbours:
 * calls of the same caller that are also shorter and less than `shortest_ns` away; its callees are
 * dropped. So for each caller, the times of single and merged calls add up to the time of all its
 * calls, to the nanosecond, whatever `shortest_ns` is.
 *
 * `shortest_ns` starts at 0 and doubles whenever the capacity is exceeded, but never beyond
 * `coarsest_ns`, the resolution of the drawing. So memory follows the capacity, or the drawing if
 * that needs more, and never the number of calls. The result depends on the calls and the final
 * `shortest_ns` only.
 *
 * For samples, a slice of a frame replaces a call (calls/sample_timeline.h): times of samples give
 * its position on the axis, weights of samples its lengths. */
#pragma once

#include "base/array.h"
#include "calls/sample_timeline.h"
#include "calls/call_walk.h"
#include "model/tree.h"
#include "render/chart/chart_frames.h"
#include "render/chart/chart_markers.h"

/* How a call ended. */
enum {
    AF_CHART_UNWOUND = 1, /* left by an exception */
    AF_CHART_OPEN = 2,    /* still running at the end */
    AF_CHART_CUT = 4,     /* it crosses the edge of the time range */
};

/* A call or a run of merged calls. Entries are in preorder: a call, then its callees. Times are ns;
 * start and extent are in the chart's clock. */
typedef struct {
    uint64_t start_ns, extent_ns;  /* from the start of the first to the end of the last */
    uint64_t length_ns[AF_CLOCKS]; /* with callees; of merged calls the sum, without gaps; of
                                      samples their weight */
    uint64_t calls; /* including all callees; the samples in which it was on the stack */
    uint32_t label; /* AF_NO_LABEL = merged calls */
    uint32_t depth; /* 0 = no caller */
    uint32_t flags;
    uint32_t waker;       /* in the profile's wakers: ended its longest sleep; AF_NO_WAKER = none */
    uint64_t runnable_ns; /* with callees; of merged calls the sum */
} af_chart_entry;

/* A scheduler state of a thread: one interval, or several short ones in the same part of the axis.
 * If a part of the interval is unknown, the lengths of the states add up to less. */
typedef struct {
    uint64_t start_ns, end_ns;
    uint64_t length_ns[AF_RUN_STATES];
} af_chart_state;

typedef struct {
    af_array states;     /* of af_chart_state, in order of time */
    af_array entries;    /* of af_chart_entry */
    af_array highlights; /* of af_chart_entry: the outermost calls of highlighted methods; lengths
                            are in the clock of the axis and in length_ns[0] */
    af_array open;       /* running calls while the chart is built */
    uint32_t last_root;
    uint32_t highlight_depth;
    uint64_t highlight_start_ns;
    uint64_t begun;     /* calls so far */
    gboolean is_wanted; /* its calls are read */
    gboolean sampled;   /* entries are slices of samples */
    gboolean has_calls;
    uint64_t first_ns, last_ns; /* of the thread's calls */
} af_chart_thread;

typedef struct {
    af_clock clock;            /* of the axis: AF_WALL or AF_CPU */
    gboolean sampled;          /* built from samples, not calls */
    uint32_t n_threads;        /* of the profile */
    const guint8 *wanted;      /* by thread: whether it is read; NULL = all; for af_chart_new() */
    const guint8 *highlighted; /* by label; NULL = none; borrowed while calls are read */
    uint64_t coarsest_ns;      /* the resolution of the drawing */
    uint64_t capacity;         /* maximum number of entries; 0 = as few as possible */
} af_chart_options;

typedef struct {
    af_chart_options options;
    af_chart_thread *threads;
    af_array scratch; /* of uint32_t */
    uint64_t n;       /* entries of all threads */
    uint64_t shortest_ns;
    uint64_t n_states;
    uint64_t state_grain_ns; /* shorter states are merged; 0 = none */
    uint64_t from_ns, to_ns; /* the axis; the drawing may change it */
    uint64_t recorded_ns;    /* the last recorded time */
    uint64_t shift_ns;       /* that af_chart_shift() added to all times */
    gboolean has_zero;       /* the ruler counts from `zero_ns`, not from the start of the trace */
    uint64_t zero_ns;
    uint64_t calls;            /* number of calls, or of samples, received */
    af_chart_markers *markers; /* instants and counters; NULL = none; freed with the chart */
    af_chart_frames *frames;   /* of frame timelines; NULL = none; freed with the chart */
    uint64_t interval_ns;      /* the median between samples; 0 = unknown */
    char *highlighted; /* the patterns of highlighted calls; NULL = none; freed with the chart */
} af_chart;

/* NULL if memory is refused. */
af_chart *af_chart_new(const af_chart_options *options);
void af_chart_free(af_chart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_chart, af_chart_free)

/* Receives the calls, or the slices of samples; borrows the chart. */
af_observer af_chart_observer(af_chart *chart);
af_sample_edge_observer af_chart_sample_observer(af_chart *chart);

/* Merges calls that are shorter than `shortest_ns`, unless it is less than before. FALSE if memory
 * is refused. */
gboolean af_chart_thin(af_chart *chart, uint64_t shortest_ns);

/* Receives a state of a thread; threads that are not wanted have none. As the observer. */
gboolean af_chart_add_state(void *chart, const af_run_interval *interval, GError **error);

/* Merges states until at most `most` are left, or nothing more can be merged. */
void af_chart_thin_states(af_chart *chart, uint64_t most);

/* The state of an interval that was not merged; AF_RUN_STATES if several states were merged into
 * it. */
af_run_state af_chart_state_kind(const af_chart_state *state);

/* Moves everything to later times, so that the axis can start before the trace. Without markers. */
void af_chart_shift(af_chart *chart, uint64_t by_ns);

static inline uint32_t af_chart_n(const af_chart_thread *thread)
{
    return (uint32_t)thread->entries.n;
}

static inline const af_chart_entry *af_chart_at(const af_chart_thread *thread, uint32_t i)
{
    return af_array_at(&thread->entries, i);
}

/* The entries of a thread as a tree: entry i is node i + 1, its children are its callees. Merged
 * calls are nodes without a label. For samples, the number of calls is the number of samples. NULL
 * if memory is refused. */
af_tree *af_chart_tree(const af_chart_thread *thread, unsigned clocks);
