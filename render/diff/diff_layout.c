/* The union of a thread as rectangles: a graph whose times are the widths of the union. */
#include "render/diff/diff_parts.h"

gboolean af_diff_panel_lay_out(af_panel *panel, const af_diff *diff, uint32_t thread,
                               int32_t width_c, int32_t min_width_c)
{
    const af_layout_options options = {
        .clock = AF_WALL, .width_c = width_c, .min_width_c = min_width_c};
    panel->thread = thread;
    panel->tree = panel->own_tree = g_try_new0(af_tree, 1);
    if (!panel->own_tree) {
        return FALSE;
    }
    *panel->own_tree = af_diff_tree_borrow(&diff->threads[thread].tree);
    panel->own_tree->runnable = panel->own_tree->runnable_sums = NULL; /* not freed */
    panel->layout = af_layout_new(panel->tree, &options);
    panel->size = panel->layout ? af_layout_measure(panel->layout, panel->tree) : NULL;
    return panel->size != NULL;
}

af_diff_parts af_diff_panel_parts(const af_panel *panel, const af_diff_tree *tree,
                                  const af_frame *frame)
{
    af_diff_parts parts = {0, 0, 0};
    uint32_t node = frame->node;
    for (uint32_t i = 0; i < MAX(frame->nodes, 1); i++) {
        parts.common += af_diff_path_common(tree, node);
        parts.grown += tree->grown[node];
        parts.shrunk += tree->shrunk[node];
        node += panel->size[node];
    }
    return parts;
}
