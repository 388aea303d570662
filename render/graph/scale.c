/* Draws the ruler above the frames of a graph: what a width stands for. */
#include <string.h>

#include "base/number.h"
#include "render/face.h"
#include "render/page/sheet_parts.h"

static gboolean draw_if_fits(af_sheet *sheet, int32_t x, int32_t width_max, const char *text)
{
    const gboolean fits = af_face_advance(FALSE, AF_SMALL_C, text, strlen(text)) <= width_max;
    if (fits) {
        af_sheet_text(sheet, x, sheet->y_c + AF_SCALE_C - AF_SCALE_BASELINE_C, AF_SMALL_C,
                      width_max, FALSE, AF_PAINT_MUTED, text);
    }
    return fits;
}

/* Up to the next tick there is room for the amount and its share, for the amount or for nothing. */
static void draw_tick(af_sheet *sheet, const af_graph_scale *scale, int32_t x, int32_t step,
                      uint64_t amount)
{
    const int32_t end = AF_MARGIN_C + sheet->graph_c, bottom = sheet->y_c + AF_SCALE_C;
    const int32_t width_max = MIN(step, end - x) - AF_TICK_TO_TEXT_C;
    char number[AF_NUMBER_SIZE] = "0", share[AF_NUMBER_SIZE];
    af_sheet_rect(sheet, MIN(x, end - AF_PX), bottom - AF_SCALE_TICK_C, AF_PX / 2, AF_SCALE_TICK_C,
                  AF_PAINT_RULE);
    if (amount > 0 && scale->unit->name == NULL) {
        af_number_exact(number, amount);
    } else if (amount > 0) {
        af_number_amount(number, amount, scale->unit);
    }
    af_number_share(share, amount, scale->whole);
    g_autofree char *text = g_strdup_printf(AF_SAY_TICK, number, share);
    if (amount == 0 || !draw_if_fits(sheet, x + AF_TICK_TO_TEXT_C, width_max, text)) {
        draw_if_fits(sheet, x + AF_TICK_TO_TEXT_C, width_max, number);
    }
}

void af_scale_draw(af_sheet *sheet, const af_graph_scale *scale)
{
    const uint64_t extent = scale->extent;
    const uint64_t step = af_ruler_step(extent, sheet->graph_c, AF_SCALE_STEP_MIN_C);
    for (uint64_t tick = 0; extent > 0 && tick <= extent / step; tick++) {
        draw_tick(sheet, scale, AF_MARGIN_C + af_axis_x(sheet->graph_c, tick * step, extent),
                  af_axis_x(sheet->graph_c, MIN(step, extent), extent), tick * step);
    }
    sheet->y_c += AF_SCALE_C;
}
