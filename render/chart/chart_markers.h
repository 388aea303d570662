/* The instants and counters of a chart (model/markers.h). */
#pragma once

#include "base/array.h"
#include "model/profile.h"

/* A chart draws at most this many counters, those with the most values. */
#define AF_COUNTERS_DRAWN 24u

/* Times are those of the chart. */
typedef struct {
    uint64_t time_ns, end_ns; /* different only if several are merged */
    uint32_t series;          /* index among the profile's markers; of merged instants the first
                                 one's */
    uint32_t n;               /* number of merged instants */
} af_instant;

typedef struct {
    uint64_t time_ns;    /* start of the value */
    int64_t thousandths; /* thousandths of a unit */
} af_value;

typedef struct {
    uint32_t series;
    af_array values;     /* of af_value, in order of time; the value from before the axis comes
                            first, at its start */
    gboolean is_other;   /* of a process without drawn threads */
    uint64_t n;          /* number of values on the axis */
    int64_t least, most; /* smallest and largest of these values and the one before, in
                            thousandths */
} af_counter;

typedef struct {
    uint64_t from_ns, to_ns; /* the axis */
    uint32_t n_threads;
    af_array *instants;   /* of af_instant, by thread; the last array holds those without a
                             thread */
    af_counter *counters; /* in the order of their first value in the file, in two groups: */
    uint32_t n_counters;
    uint32_t n_shown;  /* the others follow: they never change, or belong to other processes */
    uint32_t left_out; /* omitted counters */
    uint64_t outside;  /* instants before and after the axis */
    uint64_t n;        /* number of stored instants and values */
    uint64_t grain_ns; /* instants in an interval of this length are merged, and of values the
                          largest and the last remain; 0 = nothing is merged */
} af_chart_markers;

static inline gboolean af_counter_is_constant(const af_counter *counter)
{
    return counter->least == counter->most;
}

/* The markers of a profile in a time range; `threads`: those that are drawn. NULL if memory is
 * refused. */
af_chart_markers *af_chart_markers_new(const af_profile *profile, const uint32_t *threads,
                                       uint32_t n_threads, uint64_t from_ns, uint64_t to_ns);
void af_chart_markers_free(af_chart_markers *markers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_chart_markers, af_chart_markers_free)

/* Merges markers until at most `most` are left, or nothing more can be merged. */
void af_chart_markers_thin(af_chart_markers *markers, uint64_t most);

static inline uint32_t af_chart_markers_n_instants(const af_chart_markers *markers, uint32_t thread)
{
    return (uint32_t)markers->instants[thread].n;
}

/* A value in words: "1,024", "-0.5". Returns `text`. */
#define AF_VALUE_SIZE 40
char *af_value_format(char text[AF_VALUE_SIZE], int64_t thousandths);

/* The process of a series if the trace has several, "browser" or "process 7"; otherwise NULL. Free
 * with g_free(). */
char *af_chart_markers_process(const af_profile *profile, uint32_t series);
