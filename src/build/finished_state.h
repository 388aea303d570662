/* Internals of build/finished.h: the data that a sink collects of a finished profile. */
#pragma once

#include "base/array.h"
#include "build/finished.h"
#include "model/profile.h"

typedef struct {
    uint32_t n;
    unsigned clocks;
} af_tree_shape;

typedef struct {
    af_finished_head head; /* its spans are no longer valid */
    const char *app;
    af_array methods;             /* of af_method */
    af_array labels;              /* of af_label */
    af_array groups;              /* of af_group */
    af_array mappings;            /* of af_mapped_facts */
    af_array series;              /* of af_marker_series */
    af_array steps;               /* of af_step_record */
    size_t n_names;               /* of methods or labels, which the nodes of trees count in */
    af_array threads;             /* of af_thread; trees are owned */
    af_array shapes;              /* of af_tree_shape, by thread */
    struct af_run_sums *run_sums; /* NULL = not merged; in the arena of the sink */
} af_finished;

void af_finished_free(af_finished *finished);

/* As af_sink_finish(). Fails with AF_ERROR_USAGE also if the requested style of names is not
 * saved. */
af_profile *af_finished_take(af_sink *sink, const af_open_options *options, GError **error);
