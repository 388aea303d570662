/* Calls ordered by time as rectangles; render/graph/layout.h is the layout of trees.
 *
 * A call lies where it was, from its begin to its end, on the call that made it. Every call at
 * least `min_width_c` wide has a frame. Narrower neighbours of one caller that are nearer to each
 * other than that are one block, and a block is drawn wide enough to be visible where its
 * neighbours leave the width. */
#ifndef AF_RENDER_CHART_CHART_LAYOUT_H
#define AF_RENDER_CHART_CHART_LAYOUT_H

#include "render/chart/chart.h"
#include "render/graph/layout.h"

typedef struct {
    af_clock clock;          /* of lengths: the axis' own, or what samples are weighed by */
    uint64_t from_ns, to_ns; /* the axis */
    int32_t width_c;         /* of it */
    int32_t min_width_c;
    gboolean waits; /* says where calls waited; both clocks are there */
} af_chart_layout_options;

/* `tree` is af_chart_tree() of `thread`. Of a block `nodes` are calls. NULL if the machine refuses
 * the memory. */
af_layout *af_chart_layout_new(const af_tree *tree, const af_chart_thread *thread,
                               const af_chart_layout_options *options);

/* Where a time lies on the axis, from its begin; 0 on one without a length. */
int32_t af_chart_x(const af_chart_layout_options *options, uint64_t time_ns);

#endif
