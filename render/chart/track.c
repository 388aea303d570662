/* The background and the highlights of a track. */
#include "base/number.h"
#include "render/page/sheet_parts.h"

static void add_bar(af_sheet *sheet, int32_t x0, int32_t x1, int32_t y, int32_t height,
                    af_paint paint)
{
    af_sheet_rect(sheet, AF_MARGIN_C + x0, y, x1 - x0, height, paint);
}

void af_track_ground_draw(af_sheet *sheet, const af_panel *panel, int32_t top, int32_t height)
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    if (sheet->n_panels <= AF_TRACKS_WITH_LINES) {
        af_ruler_extend(sheet, top, height);
    }
    if (panel->calls->has_calls) {
        const int32_t x0 = af_chart_x(&axis, panel->calls->first_ns);
        const int32_t x1 = af_chart_x(&axis, panel->calls->last_ns);
        add_bar(sheet, x0, x1, top + AF_FRAME_C / 2, AF_PX, AF_PAINT_RULE);
    }
}

/* A bracket is as wide as the call, but never too narrow to see. */
static void draw_bracket(af_sheet *sheet, int32_t x0, int32_t x1, int32_t y)
{
    if (x1 - x0 < AF_STROKE_C) {
        x1 = MIN(x0 + AF_STROKE_C, sheet->graph_c);
        add_bar(sheet, x1 - AF_STROKE_C, x1, y, AF_BRACKET_C, AF_PAINT_INK);
        return;
    }
    add_bar(sheet, x0, x1, y, AF_STROKE_C, AF_PAINT_INK);
    const gboolean hollow = x1 - x0 >= 3 * AF_STROKE_C;
    add_bar(sheet, x0, hollow ? x0 + AF_STROKE_C : x1, y + AF_STROKE_C, AF_BRACKET_C - AF_STROKE_C,
            AF_PAINT_INK);
    if (hollow) {
        add_bar(sheet, x1 - AF_STROKE_C, x1, y + AF_STROKE_C, AF_BRACKET_C - AF_STROKE_C,
                AF_PAINT_INK);
    }
}

void af_track_highlights_draw(af_sheet *sheet, const af_panel *panel)
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    const size_t n = panel->calls->highlights.n;
    for (size_t i = 0; i < n;) {
        const af_chart_entry *mark = af_array_at(&panel->calls->highlights, i);
        const int32_t x0 = af_chart_x(&axis, mark->start_ns);
        int32_t x1 = af_chart_x(&axis, mark->start_ns + mark->extent_ns);
        /* brackets that touch are one */
        for (i++; i < n; i++) {
            const af_chart_entry *next = af_array_at(&panel->calls->highlights, i);
            if (af_chart_x(&axis, next->start_ns) >= x1 + AF_PX / 2) {
                break;
            }
            x1 = MAX(x1, af_chart_x(&axis, next->start_ns + next->extent_ns));
        }
        draw_bracket(sheet, x0, x1, sheet->y_c);
    }
    sheet->y_c += n > 0 ? AF_BRACKETS_C : 0;
}

char *af_track_highlights_text(const af_sheet *sheet, const af_panel *panel)
{
    uint64_t calls = 0, length_ns = 0;
    for (size_t i = 0; i < panel->calls->highlights.n; i++) {
        const af_chart_entry *mark = af_array_at(&panel->calls->highlights, i);
        calls += mark->calls;
        length_ns += mark->length_ns[0];
    }
    if (calls == 0) {
        return NULL;
    }
    char time[AF_NUMBER_SIZE];
    const af_entry_words words = af_sheet_name_entries(sheet, &panel->thread, 0, 1);
    g_autofree char *count = af_sheet_count(calls, words.one, words.many);
    g_autofree char *name = af_sheet_isolate(sheet->options->chart->highlighted);
    return g_strdup_printf(AF_SAY_HIGHLIGHTED, count, name, af_number_time(time, length_ns));
}
