/* Keeps the page within a height: a PNG for a ticket, which its reader does not scroll.
 *
 * The first panel matters most. The others show their first rows only; the counters of a chart share
 * what a third of the page holds; then the last panels are dropped until the page fits, and finally
 * the first one loses rows. Heights are those of a trial drawing. */
#include <string.h>

#include "render/page/sheet_parts.h"

/* Rows of a graph on a page whose head and foot leave little. */
#define TERSE_ROWS 4

int32_t af_fit_measure(af_sheet *sheet, void (*draw)(void *user), void *user)
{
    af_scene *scene = sheet->scene;
    sheet->scene = af_scene_new();
    if (sheet->scene) {
        af_scene_set_about(sheet->scene, &scene->about);
        draw(user);
        af_scene_free(sheet->scene);
    }
    sheet->scene = scene;
    /* names live as long as their scene */
    memset((void *)sheet->names, 0, sizeof *sheet->names * ((size_t)sheet->n_names + 1));
    return sheet->y_c;
}

/* The end of the rows that remain. */
static uint32_t find_least(const af_sheet *sheet, const af_panel *panel)
{
    return panel->layout->above + panel->first_row + (sheet->terse ? TERSE_ROWS : AF_TICKET_ROWS);
}

/* Reduces the page by at least `excess_c`, if it can. Returns whether it did. */
static gboolean reduce(af_sheet *sheet, int32_t excess_c)
{
    const int32_t wanted_c = excess_c;
    while (excess_c > 0 && sheet->n_panels > 1) {
        af_panel *last = &sheet->panels[--sheet->n_panels];
        excess_c -= last->height_c;
        af_panel_clear(last);
    }
    if (excess_c > 0 && sheet->n_panels == 1) {
        af_panel *panel = &sheet->panels[0];
        /* and the line that counts them */
        const uint32_t rows = (uint32_t)((excess_c + AF_MORE_ROWS_C) / AF_ROW_C + 1);
        const uint32_t least = MIN(panel->rows, find_least(sheet, panel));
        const uint32_t removed = MIN(rows, panel->rows - least);
        panel->rows -= removed;
        excess_c -= (int32_t)removed * AF_ROW_C;
    }
    return excess_c < wanted_c;
}

gboolean af_fit_run(af_sheet *sheet, int32_t limit_c, void (*draw)(void *user), void *user)
{
    gboolean fitted = FALSE;
    for (uint32_t i = 1; i < sheet->n_panels; i++) {
        af_panel *panel = &sheet->panels[i];
        const uint32_t least = find_least(sheet, panel);
        if (panel->rows > least + AF_ROWS_TO_SPARE) {
            panel->rows = least;
            fitted = TRUE;
        }
    }
    for (gboolean reduced = TRUE; reduced;) {
        const int32_t height_c = af_fit_measure(sheet, draw, user);
        reduced = height_c > limit_c && reduce(sheet, height_c - limit_c);
        fitted |= reduced;
    }
    return fitted;
}

/* The few rows of a thread should not all be those of its pool, which look alike in each thread. */
static void leave_roots_out(const af_sheet *sheet, af_panel *panel)
{
    const uint32_t trunk = af_layout_count_trunk(panel->layout, sheet->graph_c);
    /* of callers above, the lowest rows are the methods themselves */
    if (!panel->calls && !sheet->options->sandwich && !sheet->profile->callers_above &&
        panel->rows > AF_TICKET_ROWS + AF_ROWS_TO_SPARE) {
        panel->first_row = MIN(trunk, panel->rows - AF_TICKET_ROWS);
    }
}

void af_sheet_fit(af_sheet *sheet, void (*draw)(void *sheet))
{
    const int32_t limit_c = sheet->options->height_c;
    const af_chart *chart = sheet->options->chart;
    if (limit_c == 0 || sheet->options->full_depth || sheet->options->paged ||
        !af_sheet_options_have_panels(sheet->options)) {
        return;
    }
    const int32_t counter_c = AF_COUNTER_HEAD_C + AF_COUNTER_TO_AREA_C + AF_AREA_C;
    for (uint32_t i = 1; i < sheet->n_panels; i++) {
        leave_roots_out(sheet, &sheet->panels[i]);
        sheet->fitted |= sheet->panels[i].first_row > 0;
    }
    const uint32_t held = MAX((uint32_t)(limit_c / 3 / counter_c), 1);
    if (chart && chart->markers && chart->markers->n_shown > held) {
        sheet->counters_max = held;
        sheet->fitted = TRUE;
    }
    if (af_fit_run(sheet, limit_c, draw, sheet)) {
        sheet->fitted = TRUE; /* the footer says so, which takes room too */
        af_fit_run(sheet, limit_c, draw, sheet);
    }
    if (sheet->y_c > limit_c) {
        sheet->terse = TRUE;
        af_fit_run(sheet, limit_c, draw, sheet);
    }
}
