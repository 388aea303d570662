#include "render/chart/chart_layout.h"

#include "base/wide.h"
#include "render/sizes.h"

/* As in render/graph/layout.c, the frames found so far are the queue. */
typedef struct {
    const af_tree *tree;
    const af_chart_thread *thread;
    const af_chart_layout_options *options;
    uint32_t *size; /* number of nodes in the subtree, including the node */
    af_array frames;
    af_layout *layout;
} walk;

int32_t af_chart_x(const af_chart_layout_options *options, uint64_t time_ns)
{
    const uint64_t from_ns = options->from_ns, to_ns = MAX(options->to_ns, from_ns);
    return af_axis_x(options->width_c, CLAMP(time_ns, from_ns, to_ns) - from_ns, to_ns - from_ns);
}

static gboolean is_wide(const walk *w, uint64_t length_ns)
{
    const af_chart_layout_options *o = w->options;
    return (af_u128)length_ns * (uint32_t)o->width_c >=
           (af_u128)(o->to_ns - o->from_ns) * (uint32_t)o->min_width_c;
}

static void add_frame(walk *w, const af_frame *frame)
{
    if (af_array_append(&w->frames, frame)) {
        w->layout->rows = frame->row + 1;
    }
}

static void close_block(walk *w, af_frame *block)
{
    if (block->nodes > 0) {
        w->layout->hidden_nodes += block->nodes;
        w->layout->hidden_ns += block->time_ns;
        add_frame(w, block);
    }
    block->nodes = 0;
}

/* A call or joined calls too narrow for a frame. */
static void add_to_block(walk *w, af_frame *block, const af_frame *next)
{
    if (block->nodes > 0 && next->x0 - block->x1 >= w->options->min_width_c) {
        close_block(w, block);
    }
    if (block->nodes == 0) {
        *block = *next;
        return;
    }
    block->x1 = MAX(block->x1, next->x1);
    block->nodes = (uint32_t)MIN((uint64_t)block->nodes + next->nodes, UINT32_MAX);
    block->time_ns += next->time_ns;
}

/* The self time of a call is known as a sum only. The call most likely waited in its longest gap
 * between callees, and at the end of that gap, since the waiting ended it. */
static void position_waiting(walk *w, uint32_t frame, uint64_t end_ns, uint64_t gap_ns)
{
    const uint32_t node = AF_ARRAY_AT(&w->frames, af_frame, frame).node;
    const uint64_t wait_ns = MIN(af_tree_self_ns(w->tree, node, AF_WAIT), gap_ns);
    const int32_t x0 = af_chart_x(w->options, end_ns - wait_ns);
    const int32_t x1 = af_chart_x(w->options, end_ns);
    if (x1 - x0 >= AF_WAIT_MIN_C) {
        AF_ARRAY_AT(&w->frames, af_frame, frame).wait0 = x0;
        AF_ARRAY_AT(&w->frames, af_frame, frame).wait1 = x1;
    }
}

/* Adds frames for the callees of `node`; `frame` is its own, UINT32_MAX for the thread. */
static void add_children(walk *w, uint32_t node, uint32_t frame, uint32_t row)
{
    const uint32_t end = node + w->size[node];
    af_frame block = {0};
    uint64_t free_ns = node > 0 ? af_chart_at(w->thread, node - 1)->start_ns : 0;
    uint64_t gap_ns = 0, gap_end_ns = 0;
    for (uint32_t child = node + 1; child < end; child += w->size[child]) {
        const af_chart_entry *entry = af_chart_at(w->thread, child - 1);
        af_frame next = {.node = child, .row = row};
        next.x0 = af_chart_x(w->options, entry->start_ns);
        next.x1 = af_chart_x(w->options, entry->start_ns + entry->extent_ns);
        if (entry->label != AF_NO_LABEL && is_wide(w, entry->extent_ns)) {
            close_block(w, &block);
            add_frame(w, &next);
        } else {
            next.nodes = (uint32_t)MIN(entry->calls, UINT32_MAX);
            next.time_ns = entry->length_ns[w->options->clock];
            add_to_block(w, &block, &next);
        }
        if (entry->start_ns - free_ns > gap_ns) {
            gap_ns = entry->start_ns - free_ns;
            gap_end_ns = entry->start_ns;
        }
        free_ns = entry->start_ns + entry->extent_ns;
    }
    close_block(w, &block);
    if (frame != UINT32_MAX && w->options->waits && af_tree_has(w->tree, AF_WAIT)) {
        const af_chart_entry *own = af_chart_at(w->thread, node - 1);
        const uint64_t end_ns = own->start_ns + own->extent_ns;
        const gboolean last = end_ns - free_ns >= gap_ns;
        position_waiting(w, frame, last ? end_ns : gap_end_ns, last ? end_ns - free_ns : gap_ns);
    }
}

/* Widens blocks to make them visible, as far as their neighbours allow. */
static void widen_blocks(const walk *w)
{
    af_frame *frames = w->frames.items;
    const int32_t least = MAX(w->options->min_width_c, AF_BLOCK_MIN_C);
    for (size_t i = 0; i < w->frames.n; i++) {
        const gboolean follows = i > 0 && frames[i - 1].row == frames[i].row;
        const gboolean precedes = i + 1 < w->frames.n && frames[i + 1].row == frames[i].row;
        const int32_t left = follows ? frames[i - 1].x1 : 0;
        const int32_t right = precedes ? frames[i + 1].x0 : w->options->width_c;
        if (frames[i].nodes > 0 && frames[i].x1 - frames[i].x0 < least) {
            frames[i].x1 = MAX(frames[i].x1, MIN(frames[i].x0 + least, right));
            frames[i].x0 = MIN(frames[i].x0, MAX(frames[i].x1 - least, left));
        }
    }
}

af_layout *af_chart_layout_new(const af_tree *tree, const af_chart_thread *thread,
                               const af_chart_layout_options *options)
{
    walk w = {.tree = tree, .thread = thread, .options = options};
    w.layout = g_new0(af_layout, 1);
    af_array_init(&w.frames, sizeof(af_frame));
    w.size = af_layout_measure(w.layout, tree);
    if (!w.size) {
        g_free(w.layout);
        return NULL;
    }
    if (options->to_ns > options->from_ns) {
        add_children(&w, 0, UINT32_MAX, 0);
        for (uint32_t i = 0; i < w.frames.n; i++) {
            const af_frame frame = AF_ARRAY_AT(&w.frames, af_frame, i);
            if (frame.nodes == 0) {
                add_children(&w, frame.node, i, frame.row + 1);
            }
        }
        widen_blocks(&w);
    }
    g_free(w.size);
    w.layout->frames = w.frames.items;
    w.layout->n = (uint32_t)w.frames.n;
    if (w.frames.failed) {
        af_layout_free(w.layout);
        return NULL;
    }
    return w.layout;
}
