/* Draws the axis of a chart: times at the top, and lines from them through the tracks. */
#include "base/number.h"
#include "base/wide.h"
#include "render/page/sheet_parts.h"

af_chart_layout_options af_chart_axis(const af_sheet *sheet)
{
    const af_chart *chart = sheet->options->chart;
    return (af_chart_layout_options){
        .clock = sheet->options->clock,
        .from_ns = chart->from_ns,
        .to_ns = chart->to_ns,
        .width_c = sheet->graph_c,
        .min_width_c = sheet->options->min_width_c,
        .waits = af_sheet_shows_waiting(sheet),
    };
}

uint64_t af_ruler_step(uint64_t extent, int32_t width_c, int32_t step_min_c)
{
    uint64_t step = 1;
    for (unsigned i = 0; step < UINT64_MAX / 10 &&
                         (af_u128)step * (uint32_t)width_c < (af_u128)extent * (uint32_t)step_min_c;
         i++) {
        step = i % 3 == 1 ? step / 2 * 5 : step * 2; /* 1 2 5 10 20 50 */
    }
    return step;
}

uint64_t af_chart_zero_ns(const af_sheet *sheet)
{
    const af_chart *chart = sheet->options->chart;
    const gboolean wall = chart->options.clock == AF_WALL;
    return (wall ? af_profile_start_ns(sheet->profile) : 0) + chart->shift_ns;
}

/* Calls a function for each tick. */
static void each_tick(af_sheet *sheet, int32_t top, int32_t height,
                      void (*draw)(af_sheet *sheet, int32_t x, int32_t top, int32_t height,
                                   uint64_t since_ns))
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    const af_chart *chart = sheet->options->chart;
    const uint64_t zero_ns = chart->has_zero ? chart->zero_ns : af_chart_zero_ns(sheet);
    if (axis.to_ns <= axis.from_ns || axis.to_ns < zero_ns) {
        return;
    }
    const uint64_t step_ns =
        af_ruler_step(axis.to_ns - axis.from_ns, axis.width_c, AF_TICK_STEP_MIN_C);
    const uint64_t since_ns = axis.from_ns - MIN(axis.from_ns, zero_ns);
    const uint64_t last = (axis.to_ns - zero_ns) / step_ns;
    for (uint64_t tick = since_ns / step_ns + (since_ns % step_ns != 0); tick <= last; tick++) {
        draw(sheet, AF_MARGIN_C + af_chart_x(&axis, tick * step_ns + zero_ns), top, height,
             tick * step_ns);
    }
}

static void draw_line(af_sheet *sheet, int32_t x, int32_t top, int32_t height, uint64_t since_ns)
{
    const int32_t last = AF_MARGIN_C + sheet->graph_c - AF_PX;
    af_sheet_rect(sheet, MIN(x, last), top, AF_PX / 2, height, AF_PAINT_RULE);
}

static void draw_tick(af_sheet *sheet, int32_t x, int32_t top, int32_t height, uint64_t since_ns)
{
    char text[AF_NUMBER_SIZE];
    const int32_t width_max = AF_MARGIN_C + sheet->graph_c - x - AF_TICK_TO_TEXT_C;
    draw_line(sheet, x, top + height - AF_TICK_C, AF_TICK_C, since_ns);
    if (width_max > AF_TICK_STEP_MIN_C / 2) {
        af_sheet_text(sheet, x + AF_TICK_TO_TEXT_C, top + height - AF_RULER_BASELINE_C, AF_SMALL_C,
                      width_max, FALSE, AF_PAINT_MUTED, af_number_exact(text, since_ns));
    }
}

/* Why the records end before the trace. */
typedef enum { LOST_NOTHING, LOST_BUFFER_FULL, LOST_FILE_CUT, LOST_REST } lost_end;

static lost_end find_lost(const af_sheet *sheet)
{
    const af_facts *facts = &sheet->profile->facts;
    const gboolean limited = sheet->profile->warnings.count[AF_WARN_MEMORY_LIMIT] > 0;
    const af_chart *chart = sheet->options->chart;
    if (chart->options.clock != AF_WALL || chart->recorded_ns >= chart->to_ns ||
        chart->recorded_ns < chart->from_ns ||
        chart->to_ns < facts->recording.end_ns + chart->shift_ns) {
        return LOST_NOTHING;
    }
    return limited                          ? LOST_REST
           : facts->recording.overflow == 1 ? LOST_BUFFER_FULL
           : facts->recording.truncated     ? LOST_FILE_CUT
                                            : LOST_NOTHING;
}

/* The position at which the recording ends. */
static int32_t find_lost_x(const af_sheet *sheet)
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    return AF_MARGIN_C + af_chart_x(&axis, sheet->options->chart->recorded_ns);
}

static void draw_lost(af_sheet *sheet, int32_t top, int32_t height)
{
    const int32_t x = find_lost_x(sheet);
    af_sheet_rect(sheet, MIN(x, AF_MARGIN_C + sheet->graph_c - AF_PX), top, AF_PX, height,
                  AF_PAINT_ALERT);
}

void af_ruler_extend(af_sheet *sheet, int32_t top, int32_t height)
{
    each_tick(sheet, top, height, draw_line);
}

void af_ruler_extend_end(af_sheet *sheet, int32_t top, int32_t height)
{
    if (find_lost(sheet) != LOST_NOTHING) {
        const int32_t x = find_lost_x(sheet) + AF_INSET_C;
        draw_lost(sheet, top, height);
        af_sheet_text(sheet, x, top + AF_BASELINE_C, AF_SMALL_C, AF_MARGIN_C + sheet->graph_c - x,
                      FALSE, AF_PAINT_MUTED,
                      find_lost(sheet) == LOST_REST ? AF_SAY_NOT_READ : AF_SAY_NOT_RECORDED);
    }
}

void af_ruler_draw(af_sheet *sheet)
{
    const af_chart *chart = sheet->options->chart;
    const lost_end lost = find_lost(sheet);
    sheet->y_c += AF_RULER_TOP_C;
    if (lost != LOST_NOTHING) {
        char time[AF_NUMBER_SIZE];
        af_number_exact(time, chart->recorded_ns - af_chart_zero_ns(sheet));
        g_autofree char *text = lost == LOST_BUFFER_FULL ? g_strdup_printf(AF_SAY_BUFFER_FULL, time)
                                : lost == LOST_REST      ? g_strdup_printf(AF_SAY_PART_READ, time)
                                                         : g_strdup_printf(AF_SAY_FILE_CUT, time);
        sheet->y_c += AF_LOST_LINE_C;
        af_sheet_text(sheet, AF_MARGIN_C, sheet->y_c - 3 * AF_PX, AF_SMALL_C, sheet->graph_c, FALSE,
                      AF_PAINT_ALERT, text);
    }
    each_tick(sheet, sheet->y_c, AF_RULER_C, draw_tick);
    if (lost != LOST_NOTHING) {
        draw_lost(sheet, sheet->y_c, AF_RULER_C);
    }
    sheet->y_c += AF_RULER_C;
}
