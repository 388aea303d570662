/* Keeps the page within a height: a PNG for a ticket, which its reader does not scroll.
 *
 * The first panel matters most. The others show their first rows only; the counters of a chart share
 * what a third of the page holds; then the last panels are dropped until the page fits, and finally
 * the first one loses rows. Heights are those of a trial drawing. */
#include <string.h>

#include "render/page/sheet_parts.h"

static af_fit_panel last_panel(const af_page_fit *fit)
{
    return fit->panel(fit->user, fit->n(fit->user) - 1);
}

static int32_t measure(const af_page_fit *fit)
{
    af_sheet *page = fit->page;
    af_scene *scene = page->scene;
    page->scene = af_scene_new();
    if (page->scene) {
        af_scene_set_about(page->scene, &scene->about);
        fit->draw(fit->user);
        af_scene_free(page->scene);
    }
    page->scene = scene;
    /* names live as long as their scene */
    memset((void *)page->names, 0, sizeof *page->names * ((size_t)fit->n_labels + 1));
    return page->y_c;
}

/* Reduces the page by at least `excess_c`, if it can. Returns whether it did. */
static gboolean reduce(const af_page_fit *fit, int32_t excess_c)
{
    const int32_t wanted_c = excess_c;
    while (excess_c > 0 && fit->n(fit->user) > 1) {
        excess_c -= last_panel(fit).height_c;
        fit->drop(fit->user);
    }
    if (excess_c > 0 && fit->n(fit->user) == 1) {
        const af_fit_panel panel = last_panel(fit);
        /* and the line that counts them */
        const uint32_t rows = (uint32_t)((excess_c + AF_MORE_ROWS_C) / AF_ROW_C + 1);
        const uint32_t removed = MIN(rows, *panel.rows - MIN(*panel.rows, panel.least));
        *panel.rows -= removed;
        excess_c -= (int32_t)removed * AF_ROW_C;
    }
    return excess_c < wanted_c;
}

gboolean af_fit_run(const af_page_fit *fit)
{
    gboolean fitted = FALSE;
    for (uint32_t i = 1; i < fit->n(fit->user); i++) {
        const af_fit_panel panel = fit->panel(fit->user, i);
        if (*panel.rows > panel.least + AF_ROWS_TO_SPARE) {
            *panel.rows = panel.least;
            fitted = TRUE;
        }
    }
    for (gboolean reduced = TRUE; reduced;) {
        const int32_t height_c = measure(fit);
        reduced = height_c > fit->limit_c && reduce(fit, height_c - fit->limit_c);
        fitted |= reduced;
    }
    return fitted;
}

/* ---- graphs and charts ---- */

/* Rows of a graph on a page whose head and foot leave little. */
#define TERSE_ROWS 4

static uint32_t count_panels(const void *user)
{
    return ((const af_sheet *)user)->n_panels;
}

static af_fit_panel get_panel(const void *user, uint32_t i)
{
    const af_sheet *sheet = user;
    af_panel *panel = &sheet->panels[i];
    const uint32_t least = sheet->terse ? TERSE_ROWS : AF_TICKET_ROWS;
    return (af_fit_panel){&panel->rows, panel->height_c,
                          panel->layout->above + panel->roots_left_out + least};
}

/* The few rows of a thread should not all be those of its pool, which look alike in each thread. */
static void leave_roots_out(const af_sheet *sheet, af_panel *panel)
{
    const uint32_t trunk = af_layout_count_trunk(panel->layout, sheet->graph_c);
    /* of callers above, the lowest rows are the methods themselves */
    if (!panel->calls && !sheet->options->sandwich && !sheet->profile->callers_above && trunk > 2 &&
        panel->rows > AF_TICKET_ROWS + AF_ROWS_TO_SPARE) {
        panel->roots_left_out = MIN(trunk - 1, panel->rows - AF_TICKET_ROWS);
    }
}

static void drop_panel(void *user)
{
    af_sheet *sheet = user;
    af_panel_clear(&sheet->panels[--sheet->n_panels]);
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
        sheet->fitted |= sheet->panels[i].roots_left_out > 0;
    }
    const uint32_t held = MAX((uint32_t)(limit_c / 3 / counter_c), 1);
    if (chart && chart->markers && chart->markers->n_shown > held) {
        sheet->counters_max = held;
        sheet->fitted = TRUE;
    }
    const af_page_fit fit = {.page = sheet,
                             .limit_c = limit_c,
                             .n_labels = sheet->profile->n_labels,
                             .user = sheet,
                             .n = count_panels,
                             .panel = get_panel,
                             .drop = drop_panel,
                             .draw = draw};
    if (af_fit_run(&fit)) {
        sheet->fitted = TRUE; /* the footer says so, which takes room too */
        af_fit_run(&fit);
    }
    if (sheet->y_c > limit_c) {
        sheet->terse = TRUE;
        af_fit_run(&fit);
    }
}
