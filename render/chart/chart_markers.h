/* The instants and counters of a chart (model/markers.h). */
#ifndef AF_RENDER_CHART_CHART_MARKERS_H
#define AF_RENDER_CHART_CHART_MARKERS_H

#include "base/array.h"
#include "model/profile.h"

/* The counters with the most values are drawn, at most so many. */
#define AF_COUNTERS_DRAWN 24u

/* Times are those of the chart. */
typedef struct {
    uint64_t time_ns, end_ns; /* the same but of joined ones */
    uint32_t series;          /* of the profile's marks; of joined ones that of the first */
    uint32_t n;               /* how many it stands for */
} af_instant;

typedef struct {
    uint64_t time_ns;    /* from then on */
    int64_t thousandths; /* of 1 */
} af_value;

typedef struct {
    uint32_t series;
    af_array values;     /* of af_value, in order of time; what held before the axis begins is the
                            first, at its begin */
    uint64_t n;          /* how many there were on the axis */
    int64_t least, most; /* among those, and what held before; thousandths */
} af_counter;

typedef struct {
    uint64_t from_ns, to_ns; /* the axis */
    uint32_t n_threads;
    af_array *instants;   /* of af_instant, by thread; then those without a thread */
    af_counter *counters; /* in the order in which they begin in the file */
    uint32_t n_counters;
    uint32_t left_out; /* counters that are not drawn */
    uint64_t outside;  /* instants before and after the axis */
    uint64_t n;        /* of instants and values that are kept */
    uint64_t grain_ns; /* what lies within so much time is one instant, or the largest and the last
                          value; 0 = nothing is joined */
} af_chart_markers;

/* The markers of a profile between two times. NULL if the machine refuses memory. */
af_chart_markers *af_chart_markers_new(const af_profile *profile, uint64_t from_ns, uint64_t to_ns);
void af_chart_markers_free(af_chart_markers *markers);

/* Merges until at most so many are left, or nothing more can be merged. */
void af_chart_markers_thin(af_chart_markers *markers, uint64_t most);

static inline uint32_t af_chart_markers_n_instants(const af_chart_markers *markers, uint32_t thread)
{
    return (uint32_t)markers->instants[thread].n;
}

/* A value in words: "1,024", "-0.5". Returns `text`. */
#define AF_VALUE_SIZE 40
char *af_value_format(char text[AF_VALUE_SIZE], int64_t thousandths);

/* Whose it is where there are several processes, "browser" or "process 7"; NULL = nothing to say.
 * The caller frees it with g_free(). */
char *af_chart_markers_process(const af_profile *profile, uint32_t series);

#endif
