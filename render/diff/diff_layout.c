/* The union of a thread as rectangles: a graph whose times are the widths of the union. */
#include "base/wide.h"
#include "render/diff/diff_parts.h"

gboolean af_diff_panel_lay_out(af_diff_panel *panel, const af_diff *diff, uint32_t thread,
                               int32_t width_c, int32_t min_width_c)
{
    const af_diff_tree *u = &diff->threads[thread].tree;
    const af_layout_options options = {
        .clock = AF_WALL, .width_c = width_c, .min_width_c = min_width_c};
    panel->thread = thread;
    panel->width = g_try_new(uint64_t, (gsize)u->n + 1);
    if (!panel->width) {
        return FALSE;
    }
    for (uint32_t n = 0; n < u->n; n++) {
        panel->width[n] = af_diff_path_width(u, n);
    }
    panel->tree = (af_tree){.n = u->n,
                            .parent = u->parent,
                            .label = u->label,
                            .depth = u->depth,
                            .inclusive = {[AF_WALL] = panel->width}};
    panel->layout = af_layout_new(&panel->tree, &options);
    panel->size = panel->layout ? af_layout_measure(panel->layout, &panel->tree) : NULL;
    panel->offset = g_try_new(uint64_t, (gsize)u->n + 1);
    g_autofree uint64_t *next = g_try_new(uint64_t, (gsize)u->n + 1);
    const gboolean done = panel->size && panel->offset && next;
    if (done) {
        /* Siblings follow each other from the left edge of their parent. */
        const af_tree *tree = &panel->tree;
        panel->offset[0] = 0;
        next[0] = 0;
        for (uint32_t n = 1; n < tree->n; n++) {
            uint64_t *at = &next[tree->parent[n]];
            panel->offset[n] = *at;
            next[n] = *at;
            *at += tree->inclusive[AF_WALL][n];
        }
    }
    return done;
}

void af_diff_panel_clear(af_diff_panel *panel)
{
    af_layout_free(panel->layout);
    g_free(panel->offset);
    g_free(panel->width);
    g_free(panel->size);
}

int32_t af_diff_panel_x(const af_diff_panel *panel, int32_t width_c, uint64_t offset)
{
    const uint64_t total = panel->tree.inclusive[AF_WALL][0];
    return total == 0 ? 0 : (int32_t)((af_u128)(uint32_t)width_c * offset / total);
}

af_diff_parts af_diff_panel_parts(const af_diff_panel *panel, const af_diff_tree *tree,
                                  const af_frame *frame)
{
    af_diff_parts parts = {0, 0, 0};
    uint32_t node = frame->node;
    for (uint32_t i = 0; i < MAX(frame->nodes, 1); i++) {
        parts.common += tree->common[node];
        parts.grown += tree->grown[node];
        parts.shrunk += tree->shrunk[node];
        node += panel->size[node];
    }
    return parts;
}
