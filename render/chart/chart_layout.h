/* Lays out calls in order of time as rectangles; render/graph/layout.h does so for trees.
 *
 * A call extends from its start to its end, on top of its caller. Every call at least `min_width_c`
 * wide has a frame. Narrower neighbours with one caller that are closer to each other than that are
 * one block. A block is widened to be visible if its neighbours leave enough width. */
#pragma once

#include "render/chart/chart.h"
#include "render/graph/layout.h"

typedef struct {
    af_clock clock;          /* the clock of lengths: that of the axis, or the weight of samples */
    uint64_t from_ns, to_ns; /* the axis */
    int32_t width_c;         /* its width */
    int32_t min_width_c;
    gboolean waits; /* mark waiting; needs both clocks */
} af_chart_layout_options;

/* `tree` is af_chart_tree() of `thread`. The nodes of a block are calls. NULL if memory is
 * refused. */
af_layout *af_chart_layout_new(const af_tree *tree, const af_chart_thread *thread,
                               const af_chart_layout_options *options);

/* The distance of a time from the start of the axis; 0 if the axis has no length. */
int32_t af_chart_x(const af_chart_layout_options *options, uint64_t time_ns);
