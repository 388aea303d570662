/* Draws the scheduler states of a thread as a band whose height shows the state. */
#include "base/number.h"
#include "render/page/sheet_parts.h"

int32_t af_run_height(af_run_state state)
{
    static const int32_t heights[AF_RUN_STATES] = {AF_RUN_RUNNING_C, AF_RUN_RUNNABLE_C,
                                                   AF_RUN_BLOCKED_C};
    return heights[state];
}

af_paint af_run_paint(af_run_state state)
{
    static const af_paint paints[AF_RUN_STATES] = {AF_PAINT_FOOT, AF_PAINT_ALERT, AF_PAINT_MUTED};
    return paints[state];
}

/* A rectangle that the next one may extend. */
typedef struct {
    af_sheet *sheet;
    int32_t x0, x1;
    af_run_state state;
} pending_bar;

static void flush(pending_bar *bar)
{
    const int32_t height = af_run_height(bar->state);
    af_sheet_rect(bar->sheet, AF_MARGIN_C + bar->x0, bar->sheet->y_c + AF_RUN_RUNNING_C - height,
                  bar->x1 - bar->x0, height, af_run_paint(bar->state));
}

static void add_bar(pending_bar *bar, int32_t x0, int32_t x1, af_run_state state)
{
    if (x1 <= x0) {
        return;
    }
    if (bar->x1 != x0 || bar->state != state) {
        flush(bar);
        bar->x0 = x0;
        bar->state = state;
    }
    bar->x1 = x1;
}

static const char *describe(const af_sheet *sheet, const af_array *states)
{
    uint64_t sums[AF_RUN_STATES] = {0};
    char text[AF_RUN_STATES][AF_NUMBER_SIZE];
    for (size_t i = 0; i < states->n; i++) {
        for (unsigned k = 0; k < AF_RUN_STATES; k++) {
            sums[k] += AF_ARRAY_AT(states, af_chart_state, i).length_ns[k];
        }
    }
    g_autofree char *said =
        g_strdup_printf(AF_SAY_RUN_TIMES, af_number_time(text[0], sums[AF_STATE_RUNNING]),
                        af_number_time(text[1], sums[AF_STATE_RUNNABLE]),
                        af_number_time(text[2], sums[AF_STATE_BLOCKED]));
    return af_scene_string(sheet->scene, said);
}

void af_run_band_draw(af_sheet *sheet, const af_panel *panel)
{
    const af_array *states = &panel->calls->states;
    if (states->n == 0) {
        return;
    }
    const af_chart_layout_options axis = af_chart_axis(sheet);
    pending_bar bar = {.sheet = sheet};
    af_scene_push(sheet->scene,
                  &(af_scene_group){.kind = AF_GROUP_MARKER, .name = describe(sheet, states)});
    for (size_t i = 0; i < states->n;) {
        af_chart_state column = AF_ARRAY_AT(states, af_chart_state, i++);
        if (column.end_ns <= axis.from_ns || column.start_ns >= axis.to_ns) {
            continue;
        }
        const int32_t x0 = af_chart_x(&axis, column.start_ns);
        int32_t x1 = af_chart_x(&axis, column.end_ns);
        for (; i < states->n && x1 - x0 < AF_RUN_COLUMN_C; i++) {
            const af_chart_state *next = af_array_at(states, i);
            const int32_t end = af_chart_x(&axis, next->end_ns);
            if (end - x0 >= 2 * AF_RUN_COLUMN_C || next->start_ns >= axis.to_ns) {
                break;
            }
            column.end_ns = next->end_ns;
            x1 = end;
            for (unsigned k = 0; k < AF_RUN_STATES; k++) {
                column.length_ns[k] += next->length_ns[k];
            }
        }
        /* Draws states from `x0` on, each as wide as its part of the time until `end_ns`. */
        const uint64_t all_ns = column.end_ns - column.start_ns;
        uint64_t sum_ns = 0;
        for (unsigned k = 0; k < AF_RUN_STATES; k++) {
            const uint64_t before_ns = sum_ns;
            sum_ns += column.length_ns[k];
            add_bar(&bar, x0 + af_axis_x(x1 - x0, before_ns, all_ns),
                    x0 + af_axis_x(x1 - x0, sum_ns, all_ns), (af_run_state)k);
        }
    }
    flush(&bar);
    af_scene_pop(sheet->scene);
    sheet->y_c += AF_RUNS_C;
}
