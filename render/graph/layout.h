/* A tree as rectangles.
 *
 * Boundaries are computed from cumulative time, never by adding rounded widths, so siblings tile
 * exactly and never leave their parent. The cost depends on what becomes visible: a subtree
 * narrower than the threshold is not walked. */
#pragma once

#include "base/wide.h"
#include "model/tree.h"

/* A rectangle. x in hundredths of a pixel from the left of the graph. A block replaces neighbours
 * in one row, with one parent, each narrower than the threshold; it may be narrower than that
 * itself, but is never empty. Nothing is drawn above a block. */
typedef struct {
    uint32_t node; /* of a block: the first of its nodes */
    uint32_t row;  /* 0 = outermost calls */
    int32_t x0, x1;
    uint32_t nodes;       /* 0 = a frame; otherwise the number of siblings in the block */
    uint64_t offset_ns;   /* of a graph: the time to the left of it */
    uint64_t time_ns;     /* of a block: their inclusive time */
    int32_t wait0, wait1; /* the part in which the method itself waited; equal = it did not wait */
} af_frame;

typedef struct {
    af_frame *frames; /* sorted by (row, x0) */
    uint32_t n;
    uint32_t rows;         /* rows with a frame */
    uint32_t rows_in_tree; /* rows of the whole tree */
    uint64_t hidden_nodes; /* nodes without a frame of their own */
    uint64_t hidden_ns;    /* their self time, which is drawn only as part of a block */
    uint32_t above;        /* of a sandwich (sandwich.h): the row of the method */
    uint32_t rows_above;   /* and the rows left out above it */
} af_layout;

typedef struct {
    af_clock clock;
    int32_t width_c;     /* of the graph */
    int32_t min_width_c; /* narrower nodes are grouped */
    gboolean waits;      /* find where methods waited */
    gboolean callers_above;
    uint32_t first, end; /* only these children of node 1; both 0 = all */
} af_layout_options;

/* The position of an amount on an axis that is `width_c` long and ends at `whole`; 0 if that is
 * nothing. */
static inline int32_t af_axis_x(int32_t width_c, uint64_t amount, uint64_t whole)
{
    return whole == 0 ? 0 : (int32_t)((af_u128)(uint32_t)width_c * amount / whole);
}

/* NULL if memory is refused. A tree without time has no frames. */
af_layout *af_layout_new(const af_tree *tree, const af_layout_options *options);
void af_layout_free(af_layout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_layout, af_layout_free)

/* The outermost rows in which one frame has nearly all of the width, without the last of them: a
 * graph may leave them out. 0 if that would be fewer than two. */
uint32_t af_layout_count_trunk(const af_layout *layout, int32_t width_c);

/* The number of rows up to the last of the first `most` that frames, without blocks, fill to at
 * least a fiftieth of the width: their colours are useful even without labels. */
uint32_t af_layout_count_filled(const af_layout *layout, int32_t width_c, uint32_t most);

/* The number of nodes in each subtree, including its root; sets `layout->rows_in_tree`. Used by
 * layouts. NULL if memory is refused; free with g_free(). */
uint32_t *af_layout_measure(af_layout *layout, const af_tree *tree);

/* The number of rows up to the last one with a frame wider than `least_c`. */
uint32_t af_layout_count_wide(const af_layout *layout, int32_t least_c);
