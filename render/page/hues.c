/* Chooses the colours of frames: usually those of their categories; if widths show waiting, those
 * of the wait reasons. What waits for work is idle, by the methods that call it. */
#include "model/groups.h"
#include "model/waits.h"
#include "render/page/sheet_parts.h"

/* The reasons share the colours of categories, which are far enough apart. */
static const uint8_t hue_of_reason[AF_WAITS_COUNT] = {
    [AF_WAITS_IDLE] = AF_WAIT_HUE_IDLE,     [AF_WAITS_MONITOR] = AF_WAIT_HUE_MONITOR,
    [AF_WAITS_LOCK] = AF_WAIT_HUE_LOCK,     [AF_WAITS_SLEEP] = AF_WAIT_HUE_SLEEP,
    [AF_WAITS_BINDER] = AF_WAIT_HUE_BINDER, [AF_WAITS_NETWORK] = AF_WAIT_HUE_NETWORK,
    [AF_WAITS_FILE] = AF_WAIT_HUE_FILE,     [AF_WAITS_DRAWING] = AF_WAIT_HUE_DRAWING,
    [AF_WAITS_GC] = AF_WAIT_HUE_GC,         [AF_WAITS_OTHER] = AF_WAIT_HUE_OTHER,
};

gboolean af_hues_show_reasons(const af_sheet *sheet)
{
    return sheet->options->clock == AF_WAIT && sheet->options->chart == NULL &&
           af_sheet_options_have_panels(sheet->options);
}

/* The tracer and folded frames keep the colour of their category, which matters more than the
 * reason of their waiting. */
static gboolean keeps_category(const af_label *label)
{
    return label->category == AF_CATEGORY_TRACER || label->category == AF_CATEGORY_FOLDED;
}

unsigned af_hue_of_node(const af_sheet *sheet, const af_tree *tree, uint32_t node,
                        const af_label *label)
{
    if (af_hues_show_reasons(sheet) && !keeps_category(label)) {
        return hue_of_reason[tree->reason[node]];
    }
    return af_waits_is_idle(sheet->profile, tree, node) ? AF_CATEGORY_IDLE
                                                        : af_label_hue(sheet->profile, label);
}

gboolean af_hues_show_greys(const af_sheet *sheet)
{
    return af_hues_show_reasons(sheet) && !sheet->profile->callers_above;
}

/* Whether less than a hundredth of the waiting is the method's own. */
gboolean af_hue_is_grey(const af_sheet *sheet, const af_panel *panel, uint32_t node,
                        const af_label *label)
{
    const af_tree *tree = panel->tree;
    return af_hues_show_greys(sheet) && !keeps_category(label) &&
           ((node > 1 && node < panel->turn) ||
            (tree->reason[node] == AF_WAITS_OTHER &&
             af_tree_self_ns(tree, node, AF_WAIT) < af_tree_time_ns(tree, node, AF_WAIT) / 100));
}

const char *af_hue_title(const af_sheet *sheet, unsigned hue)
{
    for (unsigned reason = 0; af_hues_show_reasons(sheet) && reason < AF_WAITS_COUNT; reason++) {
        if (hue_of_reason[reason] == hue) {
            return af_waits_title((af_waits)reason);
        }
    }
    return af_groups_hue_title(sheet->profile, hue);
}

void af_hues_need(const af_sheet *sheet)
{
    g_autofree uint8_t *reasons = af_waits_of_labels(sheet->profile);
    gboolean used[AF_WAITS_COUNT] = {[AF_WAITS_OTHER] = TRUE};
    for (uint32_t i = 0; reasons && i < sheet->profile->n_labels; i++) {
        used[af_waits_kind(reasons[i])] = TRUE;
    }
    for (unsigned i = 0; i < AF_WAITS_COUNT * AF_SHADES; i++) {
        if (used[i / AF_SHADES]) {
            af_scene_need_paint(sheet->scene,
                                af_paint_frame(hue_of_reason[i / AF_SHADES], i % AF_SHADES), FALSE);
        }
    }
}
