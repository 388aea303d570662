/* The frames of the first panel without any text, as small as an icon: rows as high as a square has
 * room for. */
#include "render/page/sheet_parts.h"

enum {
    LEAST_ROW_C = 4 * AF_PX,
    MOST_ROW_C = 24 * AF_PX,
    GAP_C = AF_PX, /* between rows and between wide frames */
};

static void draw_frame(af_sheet *sheet, const af_panel *panel, const af_frame *frame, int32_t row_c)
{
    const af_label *label = &sheet->profile->labels[panel->tree->label[frame->node]];
    const int32_t width_c = frame->x1 - frame->x0;
    af_scene_rect bar = {
        .x = frame->x0,
        .y = ((int32_t)panel->rows - 1 - (int32_t)frame->row) * row_c,
        .width = width_c - MIN(GAP_C, width_c / 6),
        .height = row_c - GAP_C,
        .paint = AF_PAINT_BLOCK,
    };
    if (frame->nodes == 0) {
        bar.paint = af_hue_is_grey(sheet, panel, frame->node, label)
                        ? AF_PAINT_RULE
                        : af_paint_frame(af_hue_of_node(sheet, panel->tree, frame->node, label),
                                         label->shade);
    }
    af_scene_rect_add(sheet->scene, &bar);
}

void af_thumbnail_draw(af_sheet *sheet)
{
    af_panel *panel = &sheet->panels[0];
    const af_layout *layout = panel->layout;
    const int32_t side_c = sheet->width_c;
    panel->rows = CLAMP(layout->rows, 1, (uint32_t)(side_c / LEAST_ROW_C));
    const int32_t row_c = MIN(side_c / (int32_t)panel->rows, MOST_ROW_C);
    af_scene_page_add(sheet->scene, side_c, (int32_t)panel->rows * row_c, NULL, NULL);
    for (uint32_t i = 0; i < layout->n && layout->frames[i].row < panel->rows; i++) {
        draw_frame(sheet, panel, &layout->frames[i], row_c);
    }
}
