/* Finished profiles: how a reader passes on the results of an earlier run of aflame.
 *
 * Instead of events, the reader gives the sink methods, labels, threads and the columns of their
 * trees, as base/aflp.h stores them. Facts, key=value lines, processes and warnings use the
 * ordinary functions of the sink. The builder checks the invariants of the trees; strings are
 * cleaned and copied. */
#pragma once

#include "build/sink.h"

/* Must come first. With `by_method`, the trees name methods, and the builder makes labels from them
 * in the requested style; otherwise the trees name labels, which are in the style `names`. */
typedef struct {
    af_span saved_by; /* version of aflame */
    af_span input;    /* file name of the trace, without its folder */
    af_span app;      /* package of the app; only with labels */
    unsigned clocks;
    af_names names;
    gboolean by_method, callers_above, compensated;
    uint64_t instants, values; /* number of markers in the trace; the markers themselves are not
                                  saved */
} af_finished_head;

typedef struct {
    uint64_t id;
    af_span class_name, name, signature, source, library, nowhere, proxy, group;
    int32_t line;
    af_annotation annotation;
    gboolean defined, slashed, ambiguous, synthetic;
} af_finished_method;

typedef struct {
    af_span text;
    uint32_t method, methods, class_length, method_at;
    unsigned category, shade, group; /* group: as in af_label */
    gboolean synthetic;
} af_finished_label;

/* The groups of labels, in their order. */
typedef struct {
    af_span title;
    unsigned hue;
} af_finished_group;

typedef struct {
    af_span path, compiler, version, id;
    uint64_t methods, known, named, ambiguous, synthetic, broken;
    gboolean other_build;
} af_finished_mapping;

typedef struct {
    af_span name;
    unsigned kind;
    uint32_t process;
    uint64_t count;
} af_finished_series;

typedef struct {
    af_span option, message;
    gboolean sorts;
    uint64_t matched;
    uint64_t left_out_ns[AF_CLOCKS], moved_ns[AF_CLOCKS];
} af_finished_step;

typedef struct {
    uint64_t id, records, calls;
    uint32_t number, process, max_depth, merged;
    af_span name;
    uint64_t first_ns[AF_CLOCKS], last_ns[AF_CLOCKS];
    uint64_t open_at_end, exits_on_empty, missing_exits, unmatched_exits, unwinds, cut_at_begin;
    gboolean exited, listed, sampled, is_track;
} af_finished_thread;

/* The columns of a tree of `n` nodes, all zero; node 0 is the thread. NULL for clocks that it lacks.
 * Nodes are in the order of model/tree.h: parent[i] < i. */
typedef struct {
    uint32_t n;
    uint32_t *parent, *name;
    uint8_t *reason; /* af_waits; NULL with trees by method */
    uint64_t *calls, *unwinds;
    uint64_t *runnable; /* NULL unless it was recorded */
    uint64_t *self[AF_CLOCKS], *min[AF_CLOCKS], *max[AF_CLOCKS];
} af_finished_columns;

/* Each returns FALSE if memory is refused or at its limit, or if the data is invalid: then the file
 * is damaged. */
gboolean af_finished_begin(af_sink *sink, const af_finished_head *head);
gboolean af_finished_add_method(af_sink *sink, const af_finished_method *method);
gboolean af_finished_add_group(af_sink *sink, const af_finished_group *group);
gboolean af_finished_add_label(af_sink *sink, const af_finished_label *label);
gboolean af_finished_add_mapping(af_sink *sink, const af_finished_mapping *mapping);
gboolean af_finished_add_series(af_sink *sink, const af_finished_series *series);
gboolean af_finished_add_step(af_sink *sink, const af_finished_step *step);
gboolean af_finished_add_thread(af_sink *sink, const af_finished_thread *thread);

/* Which side of a comparison the profile is: "before" or "after", static. At any time. */
void af_finished_set_side(af_sink *sink, const char *side);

/* The runs of a merged profile, as in model/run_sums.h: all names first, then each run with its
 * rows. */
enum { AF_FINISHED_HASH = 16 };

typedef struct {
    uint32_t thread, name;
    gboolean masked;
    uint64_t calls, self[3], inclusive[3];
} af_finished_row;

gboolean af_finished_begin_runs(af_sink *sink, uint32_t n_runs, const af_span *names, uint32_t n);
gboolean af_finished_begin_run(af_sink *sink, const uint8_t hash[AF_FINISHED_HASH], uint32_t n);
gboolean af_finished_add_row(af_sink *sink, const af_finished_row *row);

/* Trees: first the number of nodes and the clocks of each, in the order of the threads, and their
 * memory; then any thread may begin any tree, fill it in and end it, once, while another one adds
 * methods and labels. `n_names` is the final number of methods or labels that the trees name. A
 * tree cannot begin if memory is refused. In the clocks of `follows` (bits), aflame computes the
 * shortest and longest call of nodes with fewer than two calls; AF_FINISHED_NO_EXTREMES: those of
 * all nodes are unknown. */
#define AF_FINISHED_NO_EXTREMES UINT_MAX
gboolean af_finished_add_tree(af_sink *sink, unsigned clocks, uint32_t n);
gboolean af_finished_reserve_trees(af_sink *sink, uint32_t n_names);
gboolean af_finished_begin_tree(const af_sink *sink, uint32_t tree, af_finished_columns *columns);
gboolean af_finished_end_tree(const af_sink *sink, uint32_t tree, unsigned follows);
