/* Keeps the page within a height: a PNG for a ticket, which its reader does not scroll.
 *
 * The first panel matters most. The others show their first rows only; the last of them are dropped
 * until the page fits, and then the first panel loses rows. Heights are those of a trial drawing. */
#include <string.h>

#include "render/page/sheet_parts.h"

static int32_t measure(af_sheet *sheet, void (*draw)(af_sheet *sheet))
{
    af_scene *scene = sheet->scene;
    sheet->scene = af_scene_new();
    if (sheet->scene) {
        draw(sheet);
        af_scene_free(sheet->scene);
    }
    sheet->scene = scene;
    /* names live as long as their scene */
    memset((void *)sheet->names, 0, sizeof *sheet->names * ((size_t)sheet->profile->n_labels + 1));
    return sheet->y_c;
}

static void drop_panel(af_sheet *sheet)
{
    af_panel *panel = &sheet->panels[--sheet->n_panels];
    af_panel_clear(panel);
}

/* Reduces the page by at least `excess_c`, if it can. Returns whether it did. */
static gboolean reduce(af_sheet *sheet, int32_t excess_c)
{
    const int32_t wanted_c = excess_c;
    while (excess_c > 0 && sheet->n_panels > 1) {
        excess_c -= sheet->panels[sheet->n_panels - 1].height_c;
        drop_panel(sheet);
    }
    if (excess_c > 0 && sheet->n_panels == 1) {
        af_panel *panel = &sheet->panels[0];
        const uint32_t least = panel->layout->above + AF_TICKET_ROWS;
        /* and the line that counts them */
        const uint32_t rows = (uint32_t)((excess_c + AF_MORE_ROWS_C) / AF_ROW_C + 1);
        const uint32_t removed = MIN(rows, panel->rows - MIN(panel->rows, least));
        panel->rows -= removed;
        excess_c -= (int32_t)removed * AF_ROW_C;
    }
    return excess_c < wanted_c;
}

gboolean af_sheet_fit(af_sheet *sheet, void (*draw)(af_sheet *sheet))
{
    const int32_t limit_c = sheet->options->height_c;
    if (limit_c == 0 || sheet->options->full_depth || sheet->options->paged ||
        sheet->options->map) {
        return TRUE;
    }
    for (uint32_t i = 1; i < sheet->n_panels; i++) {
        af_panel *panel = &sheet->panels[i];
        const uint32_t most = panel->layout->above + AF_TICKET_ROWS;
        if (panel->rows > most + AF_ROWS_TO_SPARE) {
            panel->rows = most;
            sheet->fitted = TRUE;
        }
    }
    for (gboolean reduced = TRUE; reduced;) {
        if (!af_footer_prepare(sheet)) {
            return FALSE;
        }
        const int32_t height_c = measure(sheet, draw);
        reduced = height_c > limit_c && reduce(sheet, height_c - limit_c);
        sheet->fitted |= reduced;
    }
    return TRUE;
}
