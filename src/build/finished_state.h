/* The inside of build/finished.h: what a sink collects of a finished profile. */
#ifndef AF_BUILD_FINISHED_STATE_H
#define AF_BUILD_FINISHED_STATE_H

#include "base/array.h"
#include "build/finished.h"
#include "model/profile.h"

typedef struct {
    af_finished_head head; /* its spans are not valid any more */
    const char *app;
    af_array methods;  /* of af_method */
    af_array labels;   /* of af_label */
    af_array mappings; /* of af_mapped_facts */
    af_array series;   /* of af_marker_series */
    af_array steps;    /* of af_step_record */
    af_array threads;  /* of af_thread; trees are owned */
    uint32_t n_trees;  /* threads that have theirs */
} af_finished;

void af_finished_free(af_finished *finished);

/* As af_sink_finish(). AF_ERROR_USAGE too if names were asked for in a style that is not saved. */
af_profile *af_finished_take(af_sink *sink, const af_open_options *options, GError **error);

#endif
