#include "render/graph/layout.h"
#include "base/array.h"
#include "render/sizes.h"

/* The walk goes row by row. The frames found so far are its queue, so they come out sorted, without
 * recursion. */
typedef struct {
    const af_tree *tree;
    const af_layout_options *options;
    const uint64_t *inclusive;
    gboolean waits;
    uint32_t *size;  /* number of nodes in the subtree, including the node */
    af_array frames; /* af_frame */
    af_layout *layout;
} walk;

static int32_t find_x(const walk *w, uint64_t offset_ns)
{
    return af_axis_x(MAX(w->options->width_c, 0), offset_ns, w->inclusive[0]);
}

static void add_frame(walk *w, const af_frame *frame)
{
    if (af_array_append(&w->frames, frame)) {
        w->layout->rows = frame->row + 1;
    }
}

/* Ends a run of narrow siblings. A run narrower than a hundredth of a pixel is not drawn and only
 * counted. */
static void close_block(walk *w, af_frame *block, uint64_t end_ns)
{
    if (block->nodes > 0) {
        block->x1 = find_x(w, end_ns);
        w->layout->hidden_ns += block->time_ns;
        if (block->x1 > block->x0) {
            add_frame(w, block);
        }
    }
    *block = (af_frame){0};
}

/* How long the method of a node itself waited. Where callers are above, only a root is that method,
 * and all of its waiting is its own. */
static uint64_t find_own_wait(const walk *w, uint32_t node)
{
    return !w->options->callers_above  ? af_tree_self_ns(w->tree, node, AF_WAIT)
           : w->tree->depth[node] == 1 ? af_tree_time_ns(w->tree, node, AF_WAIT)
                                       : 0;
}

/* A method waits at the end of its self time, to the right of its children. */
static void position_waiting(const walk *w, af_frame *frame, uint64_t end_ns)
{
    const int32_t wait0 = find_x(w, end_ns - find_own_wait(w, frame->node));
    if (frame->x1 - wait0 >= AF_WAIT_MIN_C) {
        frame->wait0 = wait0;
        frame->wait1 = frame->x1;
    }
}

/* Adds frames for the callees of `node`, starting at `offset_ns`; the rest of its width is self
 * time. */
static void add_children(walk *w, uint32_t node, uint64_t offset_ns, uint32_t row)
{
    const gboolean part = node == 1 && w->options->end > 0;
    const uint32_t end = part ? w->options->end : node + w->size[node];
    af_frame block = {0};
    for (uint32_t child = part ? w->options->first : node + 1; child < end;
         child += w->size[child]) {
        const uint64_t next_ns = offset_ns + w->inclusive[child];
        af_frame next = {.node = child,
                         .row = row,
                         .x0 = find_x(w, offset_ns),
                         .x1 = find_x(w, next_ns),
                         .offset_ns = offset_ns};
        if (next.x1 - next.x0 >= MAX(w->options->min_width_c, 1)) {
            close_block(w, &block, offset_ns);
            if (w->waits) {
                position_waiting(w, &next, next_ns);
            }
            add_frame(w, &next);
        } else {
            if (block.nodes == 0) {
                block = next;
            }
            block.nodes++;
            block.time_ns += w->inclusive[child];
            w->layout->hidden_nodes += w->size[child];
        }
        offset_ns = next_ns;
    }
    close_block(w, &block, offset_ns);
}

uint32_t *af_layout_measure(af_layout *layout, const af_tree *tree)
{
    uint32_t *size = g_try_new(uint32_t, tree->n);
    if (!size) {
        return NULL;
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        size[i] = 1;
        layout->rows_in_tree = MAX(layout->rows_in_tree, tree->depth[i]);
    }
    for (uint32_t i = tree->n; i-- > 1;) {
        size[tree->parent[i]] += size[i];
    }
    return size;
}

af_layout *af_layout_new(const af_tree *tree, const af_layout_options *options)
{
    af_layout *layout = g_new0(af_layout, 1);
    walk w = {
        .tree = tree,
        .options = options,
        .inclusive = af_tree_widths(tree, options->clock),
        .waits = options->waits && options->clock == AF_WALL && af_tree_has(tree, AF_WAIT),
        .size = tree->n > 0 ? af_layout_measure(layout, tree) : NULL,
        .layout = layout,
    };
    af_array_init(&w.frames, sizeof(af_frame));
    if (w.size && w.inclusive && w.inclusive[0] > 0) {
        add_children(&w, 0, 0, 0);
        for (uint32_t i = 0; i < w.frames.n && !w.frames.failed; i++) {
            const af_frame frame = AF_ARRAY_AT(&w.frames, af_frame, i);
            if (frame.nodes == 0) {
                add_children(&w, frame.node, frame.offset_ns, frame.row + 1);
            }
        }
    }
    layout->frames = w.frames.items;
    layout->n = (uint32_t)w.frames.n;
    const gboolean failed = w.frames.failed || (tree->n > 0 && w.size == NULL);
    g_free(w.size);
    if (failed) {
        g_clear_pointer(&layout, af_layout_free);
    }
    return layout;
}

void af_layout_free(af_layout *layout)
{
    if (layout) {
        g_free(layout->frames);
        g_free(layout);
    }
}

uint32_t af_layout_count_trunk(const af_layout *layout, int32_t width_c)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row <= rows; i++) {
        const af_frame *frame = &layout->frames[i];
        if (frame->row == rows && frame->nodes == 0 &&
            frame->x1 - frame->x0 >= width_c / 100 * AF_TRUNK_PERCENT) {
            rows++;
        }
    }
    return rows > 2 ? rows - 1 : 0;
}

uint32_t af_layout_count_filled(const af_layout *layout, int32_t width_c, uint32_t most)
{
    uint32_t rows = 0;
    int64_t filled_c = 0;
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row < most; i++) {
        const af_frame *frame = &layout->frames[i];
        filled_c = i > 0 && layout->frames[i - 1].row == frame->row ? filled_c : 0;
        filled_c += frame->nodes == 0 ? frame->x1 - frame->x0 : 0;
        rows = filled_c >= width_c / 50 ? frame->row + 1 : rows;
    }
    return rows;
}

uint32_t af_layout_count_wide(const af_layout *layout, int32_t least_c)
{
    uint32_t rows = layout->above + 1;
    for (uint32_t i = layout->n; i-- > 0;) {
        const af_frame *frame = &layout->frames[i];
        if (frame->nodes == 0 && frame->x1 - frame->x0 > least_c) {
            rows = MAX(rows, frame->row + 1);
            break;
        }
    }
    return MIN(rows, layout->rows);
}
