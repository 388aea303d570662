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

gboolean af_hues_begin(af_sheet *sheet)
{
    sheet->reasons = af_waits_of_labels(sheet->profile);
    return sheet->reasons != NULL;
}

gboolean af_hues_show_reasons(const af_sheet *sheet)
{
    return sheet->options->clock == AF_WAIT && sheet->options->chart == NULL &&
           af_sheet_options_have_panels(sheet->options);
}

gboolean af_hues_add_panel(const af_sheet *sheet, af_panel *panel)
{
    af_waits_of_nodes waits;
    const af_tree *tree = sheet->profile->threads[panel->thread].tree;
    if (!af_waits_begin(&waits, sheet->profile, panel->thread, panel->tree, sheet->reasons)) {
        return FALSE;
    }
    panel->reasons = g_steal_pointer(&waits.kind);
    af_waits_end(&waits);
    if (tree != panel->tree &&
        af_waits_begin(&waits, sheet->profile, panel->thread, tree, sheet->reasons)) {
        panel->thread_reasons = g_steal_pointer(&waits.kind);
        af_waits_end(&waits);
    }
    return tree == panel->tree || panel->thread_reasons;
}

/* The tracer and folded frames keep the colour of their category, which matters more than the
 * reason of their waiting. */
static gboolean keeps_category(const af_label *label)
{
    return label->category == AF_CATEGORY_TRACER || label->category == AF_CATEGORY_FOLDED;
}

static unsigned choose_hue(const af_sheet *sheet, const uint8_t *reasons, uint32_t node,
                           const af_label *label)
{
    if (af_hues_show_reasons(sheet) && !keeps_category(label)) {
        return hue_of_reason[reasons[node]];
    }
    return af_waits_are_idle(reasons[node], label->category) ? AF_CATEGORY_IDLE
                                                             : af_label_hue(sheet->profile, label);
}

unsigned af_hue_of_node(const af_sheet *sheet, const af_panel *panel, uint32_t node,
                        const af_label *label)
{
    return choose_hue(sheet, panel->reasons, node, label);
}

unsigned af_hue_in_thread(const af_sheet *sheet, const af_panel *panel, uint32_t node,
                          const af_label *label)
{
    return choose_hue(sheet, panel->thread_reasons ? panel->thread_reasons : panel->reasons, node,
                      label);
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
            (panel->reasons[node] == AF_WAITS_OTHER &&
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
    uint8_t *reasons = af_waits_of_labels(sheet->profile);
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
    g_free(reasons);
}
