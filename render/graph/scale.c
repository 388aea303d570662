/* Draws the ruler above the frames of a graph: what a width stands for. */
#include "base/number.h"
#include "base/wide.h"
#include "render/page/sheet_parts.h"

static void draw_tick(af_sheet *sheet, const af_graph_scale *scale, int32_t x, uint64_t amount)
{
    const int32_t end = AF_MARGIN_C + sheet->graph_c, bottom = sheet->y_c + AF_SCALE_C;
    const int32_t width_max = end - x - AF_TICK_TO_TEXT_C;
    char number[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    af_scene_rect_add(sheet->scene, &(af_scene_rect){.x = MIN(x, end - AF_PX),
                                                     .y = bottom - AF_SCALE_TICK_C,
                                                     .width = AF_PX / 2,
                                                     .height = AF_SCALE_TICK_C,
                                                     .paint = AF_PAINT_RULE});
    if (scale->unit->name == NULL) {
        af_number_exact(number, amount);
    } else {
        af_number_amount(number, amount, scale->unit);
    }
    af_number_share(share, amount, scale->whole);
    char *text = amount == 0 ? g_strdup("0") : g_strdup_printf(AF_SAY_TICK, number, share);
    if (width_max > AF_SCALE_STEP_MIN_C * 3 / 4) {
        af_sheet_text(sheet, x + AF_TICK_TO_TEXT_C, bottom - AF_SCALE_BASELINE_C, AF_SMALL_C,
                      width_max, FALSE, AF_PAINT_MUTED, text);
    }
    g_free(text);
}

void af_scale_draw(af_sheet *sheet, const af_graph_scale *scale)
{
    const uint64_t extent = scale->extent;
    const uint64_t step = af_ruler_step(extent, sheet->graph_c, AF_SCALE_STEP_MIN_C);
    for (uint64_t tick = 0; extent > 0 && tick <= extent / step; tick++) {
        const af_u128 x = (af_u128)tick * step * (uint32_t)sheet->graph_c / extent;
        draw_tick(sheet, scale, AF_MARGIN_C + (int32_t)x, tick * step);
    }
    sheet->y_c += AF_SCALE_C;
}
