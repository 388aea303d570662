/* The whole picture: title, facts, legend, a panel for each thread, footer. */
#pragma once

#include "model/profile.h"
#include "render/chart/chart.h"
#include "render/scene.h"

typedef struct {
    af_clock clock;          /* not AF_CLOCK_DEFAULT */
    const uint32_t *threads; /* panels in this order */
    uint32_t n_threads;
    const char *title;          /* NULL = input */
    const char *input;          /* name of the trace, may be NULL */
    const char *const *choices; /* the options that selected the threads, as typed; ends with NULL;
                                   NULL = the default threads */
    const char *program;        /* "aflame 0.1.0" */
    int32_t width_c;
    int32_t height_c; /* of the page: fewer rows and panels are drawn to stay below; 0 = no limit */
    int32_t min_width_c;
    gboolean inverted;
    gboolean full_depth;
    gboolean paged;         /* a page for each thread */
    gboolean fluid;         /* the script may make it as wide as the window */
    gboolean interactive;   /* the scene contains everything that the script needs */
    gboolean packed;        /* including the call trees of all threads */
    gboolean drawn_only;    /* packs no threads that are not drawn */
    size_t pack_budget;     /* limit for these in bytes of base64; 0 = none */
    unsigned jobs;          /* threads for packing; 0 = one for each processor */
    GPtrArray *messages;    /* receives messages about omissions (char *); may be NULL */
    af_chart *chart;        /* the calls to draw in order of time, roots on top: `inverted` is TRUE;
                             NULL = a flame graph. Packing thins them in place */
    af_chart *packed_chart; /* graph: the calls of the chart that the script can also draw */
    uint32_t n_tall;        /* of a chart: panels after these show their first rows only;
                             0 = all panels show all rows */
    gboolean sandwich;      /* draw callers and callees of the label `method`: `inverted` is TRUE */
    uint32_t method;
    gboolean thumbnail;    /* only the frames of the first thread, as in graph/thumbnail.c */
    af_scene *into;        /* receives another page; NULL = a new scene */
    const char *id_prefix; /* with `into`: makes the ids of panels unique */
    const struct af_call_map *map; /* a call graph that is laid out, in place of panels */
    const struct af_explanation *explanation; /* findings to list; NULL = none */
    const struct af_startup *startup; /* a start that is drawn in place of panels; NULL = none */
} af_sheet_options;

/* Whether a panel is a flame graph or a track, not something else in its place. */
static inline gboolean af_sheet_options_have_panels(const af_sheet_options *options)
{
    return options->map == NULL && options->startup == NULL;
}

/* The default threads for `clock`: main first, then each with at least 1 % of the CPU time (wall
 * time if not all threads have a CPU clock), at most 8; never a thread that lacks `clock`. Returns
 * an array of uint32_t; free with g_array_unref(). */
GArray *af_sheet_default_threads(const af_profile *profile, af_clock clock);

/* The threads of a chart with the clock `clock`: main first, then by activity, which is CPU time,
 * or wall time if some threads lack CPU times. `picked` as above, or NULL for all threads with
 * calls, at most AF_CHART_THREADS. Free with g_array_unref(). */
#define AF_CHART_THREADS 24u
GArray *af_sheet_chart_threads(const af_profile *profile, const GArray *picked, af_clock clock);

/* Shorter calls are too narrow to draw separately on an axis of `axis_ns`. */
uint64_t af_sheet_shortest_ns(const af_sheet_options *options, uint64_t axis_ns);

/* NULL if memory is refused. The scene borrows strings from the profile. */
af_scene *af_sheet_new(const af_profile *profile, const af_sheet_options *options);
