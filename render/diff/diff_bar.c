/* The bar of a frame in its three parts. */
#include "render/diff/diff_parts.h"

static void add_part(af_diff_sheet *sheet, const af_scene_rect *bar, int32_t from, int32_t to,
                     af_paint paint, gboolean hatched)
{
    if (to > from) {
        af_scene_rect part = *bar;
        part.x += from;
        part.width = to - from;
        part.paint = paint;
        part.hatched = hatched;
        af_scene_rect_add(sheet->page.scene, &part);
    }
}

/* Adds a part with an edge in a colour of its own; a part too narrow for that has none. */
static void add_edged(af_diff_sheet *sheet, const af_scene_rect *bar, int32_t from, int32_t to,
                      af_paint edge, af_paint paint, gboolean hatched)
{
    const gboolean edged = to - from >= AF_DIFF_EDGED_MIN_C;
    const int32_t inset = edged ? AF_DIFF_EDGE_C : 0;
    af_scene_rect inner = *bar;
    if (edged) {
        add_part(sheet, bar, from, to, edge, FALSE);
        inner.y += inset;
        inner.height -= 2 * inset;
    }
    add_part(sheet, &inner, from + inset, to - inset, paint, hatched);
}

void af_diff_bar_draw(af_diff_sheet *sheet, const af_scene_rect *bar, const int32_t ends[2],
                      gboolean pale)
{
    const int32_t common = MIN(ends[0], bar->width), grown = MIN(ends[1], bar->width);
    add_part(sheet, bar, 0, common, bar->paint, FALSE);
    if (pale) {
        add_edged(sheet, bar, common, grown, AF_PAINT_GROWN, AF_PAINT_GROWN_PALE, FALSE);
    } else {
        add_part(sheet, bar, common, grown, AF_PAINT_GROWN, FALSE);
    }
    add_edged(sheet, bar, grown, bar->width, AF_PAINT_SHRUNK,
              pale ? AF_PAINT_SHRUNK_PALE : AF_PAINT_SHRUNK, TRUE);
}

void af_diff_bar_dash(af_diff_sheet *sheet, const af_scene_rect *bar)
{
    af_scene_rect dash = {.height = AF_DIFF_EDGE_C, .paint = AF_PAINT_LABEL};
    for (int32_t x = 0; x < bar->width; x += AF_DIFF_DASH_STEP_C) {
        dash.x = bar->x + x;
        dash.width = MIN(AF_DIFF_DASH_C, bar->width - x);
        dash.y = bar->y;
        af_scene_rect_add(sheet->page.scene, &dash);
        dash.y = bar->y + bar->height - AF_DIFF_EDGE_C;
        af_scene_rect_add(sheet->page.scene, &dash);
    }
}
