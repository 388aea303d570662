/* Draws the frames of frame timelines: when they were expected, and below that when they really
 * were, coloured by fault. */
#include <string.h>

#include "base/number.h"
#include "render/face.h"
#include "render/page/sheet_parts.h"

static const char *const titles[AF_FAULTS] = {AF_SAY_FAULTS};

/* Their text is readable, unlike that on the paints of lines. */
static const af_category categories[AF_FAULTS] = {
    [AF_FAULT_APP] = AF_CATEGORY_APP,
    [AF_FAULT_OTHER] = AF_CATEGORY_JAVA,
    [AF_FAULT_STUFFING] = AF_CATEGORY_LIBRARY,
    [AF_FAULT_DROPPED] = AF_CATEGORY_BLOCKED,
};

static af_paint paint_of(const af_chart_frame *frame)
{
    return frame->track == AF_FRAMES_EXPECTED ? AF_PAINT_RULE
           : frame->fault == AF_FAULT_NONE    ? AF_PAINT_BLOCK
                                              : af_paint_frame(categories[frame->fault], 1);
}

void af_frame_tracks_need(const af_sheet *sheet)
{
    for (unsigned i = AF_FAULT_NONE + 1; i < AF_FAULTS; i++) {
        af_scene_need_paint(sheet->scene, af_paint_frame(categories[i], 1), FALSE);
    }
}

/* "Frame 12345" and "48.2 ms, 31.5 ms late, by the app" */
static void describe(const af_sheet *sheet, const af_chart_frame *frame, af_scene_group *group)
{
    char length[AF_NUMBER_SIZE], late[AF_NUMBER_SIZE], token[AF_NUMBER_SIZE];
    g_snprintf(token, sizeof token, "%" G_GINT64_FORMAT, frame->token);
    g_autofree char *name = g_strdup_printf(AF_SAY_FRAME, token);
    g_autoptr(GString) details = g_string_new(af_number_time(length, frame->length_ns));
    if (frame->late_ns > 0) {
        g_string_append_printf(details, ", " AF_SAY_LATE, af_number_time(late, frame->late_ns));
    }
    g_string_append_printf(details, ", %s", titles[frame->fault]);
    group->name = af_scene_string(sheet->scene, name);
    group->details = af_scene_string(sheet->scene, details->str);
}

static void draw_swatch(af_sheet *sheet, int32_t *x, af_paint paint, uint64_t n, const char *title)
{
    char count[AF_NUMBER_SIZE];
    if (n > 0) {
        g_autofree char *text = g_strdup_printf("%s %s", af_number_count(count, n), title);
        const af_scene_rect sample = {
            .y = -AF_SWATCH_BASELINE_C, .height = AF_SWATCH_C, .paint = paint};
        af_legend_entry(sheet, x, AF_LEGEND_LINE_C, 0, &sample, text);
    }
}

static void draw_head(af_sheet *sheet, const af_chart_frames *frames)
{
    int32_t x = AF_MARGIN_C;
    sheet->y_c += AF_COUNTER_HEAD_C;
    x += af_sheet_text(sheet, x, sheet->y_c, AF_FACTS_C, sheet->graph_c, TRUE, AF_PAINT_INK,
                       AF_SAY_FRAME_TRACKS) +
         AF_ENTRY_GAP_C;
    draw_swatch(sheet, &x, AF_PAINT_RULE, frames->expected, AF_SAY_EXPECTED);
    for (unsigned i = 0; i < AF_FAULTS; i++) {
        const af_chart_frame frame = {.track = AF_FRAMES_ACTUAL, .fault = (uint8_t)i};
        draw_swatch(sheet, &x, paint_of(&frame), frames->of_fault[i], titles[i]);
    }
    sheet->y_c += AF_COUNTER_TO_AREA_C;
}

static int32_t row_top(const af_sheet *sheet, const af_chart_frames *frames,
                       const af_chart_frame *frame)
{
    const uint32_t above = frame->track == AF_FRAMES_ACTUAL ? frames->rows[AF_FRAMES_EXPECTED] : 0;
    return sheet->y_c + (int32_t)(above + frame->row) * AF_FRAME_ROW_C;
}

static void add_bar(af_sheet *sheet, const af_chart_frames *frames, const af_chart_frame *frame,
                    int32_t x0, int32_t x1, gboolean alone)
{
    const int32_t y = row_top(sheet, frames, frame);
    char token[AF_NUMBER_SIZE];
    x0 = MIN(x0, sheet->graph_c - AF_PX);
    x1 = MAX(x1, x0 + AF_PX);
    af_sheet_rect(sheet, AF_MARGIN_C + x0, y, x1 - x0 - (alone ? AF_PX / 2 : 0), AF_FRAME_BAR_C,
                  paint_of(frame));
    if (alone && x1 - x0 >= AF_FRAME_LABEL_C) {
        g_snprintf(token, sizeof token, "%" G_GINT64_FORMAT, frame->token);
        af_sheet_text(sheet, AF_MARGIN_C + x0 + AF_INSET_C, y + AF_FRAME_BASELINE_C, AF_SMALL_C,
                      x1 - x0 - 2 * AF_INSET_C, FALSE, AF_PAINT_LABEL, token);
    }
}

/* Narrow neighbours share a bar. */
typedef struct {
    const af_chart_frame *frame; /* the first; NULL = none yet */
    int32_t x0, x1;
    gboolean alone;
} pending_bar;

static void flush(af_sheet *sheet, const af_chart_frames *frames, const pending_bar *bar)
{
    if (bar->frame != NULL) {
        add_bar(sheet, frames, bar->frame, bar->x0, bar->x1, bar->alone);
    }
}

static void draw_plain(af_sheet *sheet, const af_chart_frames *frames)
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    pending_bar bars[AF_FRAME_TRACKS][AF_FRAME_ROWS_MAX] = {{{NULL, 0, 0, FALSE}}};
    for (size_t i = 0; i < frames->frames.n; i++) {
        const af_chart_frame *frame = af_array_at(&frames->frames, i);
        pending_bar *bar = &bars[frame->track][frame->row];
        const int32_t x0 = af_chart_x(&axis, frame->begin_ns);
        const int32_t x1 = af_chart_x(&axis, frame->end_ns);
        if (frame->fault != AF_FAULT_NONE) {
            continue;
        }
        if (bar->frame != NULL && x0 < bar->x1 + AF_PX && x1 - x0 < AF_FRAME_ALONE_C) {
            bar->x1 = MAX(bar->x1, x1);
            bar->alone = FALSE;
        } else {
            flush(sheet, frames, bar);
            *bar = (pending_bar){frame, x0, x1, x1 - x0 >= AF_FRAME_ALONE_C};
        }
    }
    for (unsigned i = 0; i < AF_FRAME_TRACKS * AF_FRAME_ROWS_MAX; i++) {
        flush(sheet, frames, &bars[i / AF_FRAME_ROWS_MAX][i % AF_FRAME_ROWS_MAX]);
    }
}

static void draw_faulty(af_sheet *sheet, const af_chart_frames *frames)
{
    const af_chart_layout_options axis = af_chart_axis(sheet);
    for (size_t i = 0; i < frames->frames.n; i++) {
        const af_chart_frame *frame = af_array_at(&frames->frames, i);
        if (frame->fault != AF_FAULT_NONE) {
            af_scene_group group = {.kind = AF_GROUP_MARKER};
            describe(sheet, frame, &group);
            af_scene_push(sheet->scene, &group);
            const int32_t x0 = af_chart_x(&axis, frame->begin_ns);
            const int32_t x1 = af_chart_x(&axis, frame->end_ns);
            add_bar(sheet, frames, frame, x0, x1, x1 - x0 >= AF_FRAME_ALONE_C);
            af_scene_pop(sheet->scene);
        }
    }
}

void af_frame_tracks_draw(af_sheet *sheet)
{
    const af_chart_frames *frames = sheet->options->chart->frames;
    if (frames == NULL || frames->frames.n == 0) {
        return;
    }
    const int32_t rows =
        (int32_t)(frames->rows[AF_FRAMES_EXPECTED] + frames->rows[AF_FRAMES_ACTUAL]);
    af_sheet_push_part(sheet, &(af_scene_group){.id = "frames"});
    draw_head(sheet, frames);
    af_ruler_extend(sheet, sheet->y_c, rows * AF_FRAME_ROW_C);
    draw_plain(sheet, frames);
    draw_faulty(sheet, frames);
    sheet->y_c += rows * AF_FRAME_ROW_C + AF_FRAMES_BOTTOM_C;
    af_sheet_rule(sheet);
    af_scene_pop(sheet->scene);
}
