/* The sheet for a ticket about a comparison: the verdict, the largest causes, both recordings along
 * time, and the graph of the thread that changed most. */
#include <string.h>

#include "render/diff/diff_parts.h"
#include "render/face.h"
#include "render/ticket/pieces.h"

#define UNIT_C 5000

/* The thread of the largest cause; without causes the one that changed most. */
static uint32_t choose_thread(const af_diff *diff)
{
    return diff->n_causes > 0 ? diff->causes[0].thread : 0;
}

/* ---- head ---- */

static void draw_head(af_diff_sheet *sheet)
{
    const af_diff_sheet_options *options = sheet->options;
    af_sheet *page = &sheet->page;
    g_autoptr(GPtrArray) facts = g_ptr_array_new_with_free_func(g_free);
    if (options->title != NULL) {
        g_ptr_array_add(facts, af_sheet_isolate(options->title));
    }
    for (guint i = 0; i < options->sentences->len; i++) {
        g_ptr_array_add(facts, g_strdup(options->sentences->pdata[i]));
    }
    af_ticket_write_headline(page, options->verdict);
    page->y_c += AF_TITLE_TO_FACTS_C;
    af_ticket_write_pieces(page, AF_PAINT_MUTED, 4, facts);
}

static void draw_causes(af_diff_sheet *sheet)
{
    const af_diff *diff = sheet->diff;
    uint64_t most = 0;
    for (uint32_t i = 0; i < diff->n_causes; i++) {
        most = MAX(most, af_diff_size(diff->causes[i].delta));
    }
    sheet->page.y_c += diff->n_causes > 0 ? 600 : 0;
    for (uint32_t i = 0; i < diff->n_causes; i++) {
        const int64_t delta = diff->causes[i].delta;
        af_ticket_write_item(
            &sheet->page, i + 1, most > 0 ? (double)af_diff_size(delta) / (double)most : 0,
            delta > 0 ? AF_PAINT_GROWN : AF_PAINT_SHRUNK, sheet->options->causes->pdata[i]);
    }
    sheet->page.y_c += AF_LEGEND_BOTTOM_C;
    af_sheet_rule(&sheet->page);
}

/* ---- both sides along time ---- */

typedef struct {
    const af_profile *profile;
    uint32_t thread;
    af_chart *chart;
} recording;

static gboolean find_thread(const af_profile *profile, const char *name, uint32_t *thread)
{
    for (uint32_t t = 0; name != NULL && t < profile->n_threads; t++) {
        if (g_strcmp0(profile->threads[t].title, name) == 0 ||
            g_strcmp0(profile->threads[t].name, name) == 0) {
            *thread = t;
            return TRUE;
        }
    }
    return FALSE;
}

/* FALSE if memory is refused. */
static gboolean read_recordings(const af_diff_sheet *sheet, const af_diff_thread *thread,
                                recording recordings[AF_SIDES])
{
    gboolean ok = TRUE;
    for (unsigned s = 0; ok && s < AF_SIDES; s++) {
        recording *r = &recordings[s];
        const af_sheet_options options = {.clock = sheet->diff->clock,
                                          .threads = &r->thread,
                                          .n_threads = 1,
                                          .width_c = sheet->page.width_c,
                                          .jobs = sheet->options->jobs};
        r->profile = sheet->options->profiles != NULL ? sheet->options->profiles[s] : NULL;
        if (r->profile != NULL && find_thread(r->profile, thread->name[s], &r->thread)) {
            ok = af_ticket_read_calls(r->profile, &options, NULL, &r->chart, NULL);
        }
    }
    return ok;
}

/* How long a side takes on its chart. */
static uint64_t measure_extent(const recording *r)
{
    const uint64_t last_ns = MIN(r->chart->threads[r->thread].last_ns, r->chart->to_ns);
    return last_ns - MIN(last_ns, r->chart->from_ns);
}

static void draw_side(af_diff_sheet *sheet, const recording *r, unsigned side,
                      const af_diff_thread *thread, uint64_t extent)
{
    static const char *const names[AF_SIDES] = {"before", "after"};
    af_sheet *page = &sheet->page;
    char number[AF_NUMBER_SIZE];
    af_sheet own = *page; /* tones are those of its profile */
    own.profile = r->profile;
    af_tones tones = af_tones_new(&own, r->chart);
    const uint64_t amount = af_diff_path_time(&thread->tree, side, 0);
    const int32_t baseline = page->y_c + AF_TICKET_BAR_TOP_C + AF_FRAME_C - 700;
    af_sheet_text(page, AF_MARGIN_C, baseline, AF_TICKET_BODY_C, AF_TICKET_NAME_C, FALSE,
                  AF_PAINT_INK, names[side]);
    /* units may be long */
    const int32_t number_c = AF_TICKET_NUMBER_C + (sheet->diff->unit.name != NULL ? UNIT_C : 0);
    tones.axis.width_c -= number_c - AF_TICKET_NUMBER_C;
    tones.axis.from_ns = r->chart != NULL ? r->chart->from_ns : 0;
    tones.axis.to_ns = tones.axis.from_ns + extent;
    if (r->chart != NULL) {
        af_tones_draw_calls(&tones, r->thread);
    } else {
        const uint64_t sums[AF_TONES] = {amount, 0, 0};
        af_tones_draw_sums(&tones, sums);
    }
    af_sheet_text(page, tones.x + tones.axis.width_c + AF_OVERVIEW_BAR_TO_NUMBER_C, baseline,
                  AF_TICKET_BODY_C, number_c - AF_OVERVIEW_BAR_TO_NUMBER_C, FALSE, AF_PAINT_INK,
                  af_number_amount(number, amount, &sheet->diff->unit));
    page->y_c += AF_TICKET_ROW_C;
}

/* Both sides need single calls: a bar of a sum tells nothing next to them. */
static void draw_timelines(af_diff_sheet *sheet, recording recordings[AF_SIDES],
                           const af_diff_thread *thread)
{
    af_sheet *page = &sheet->page;
    const gboolean timed =
        recordings[AF_BEFORE].chart != NULL && recordings[AF_AFTER].chart != NULL;
    uint64_t extent = 1;
    for (unsigned s = 0; s < AF_SIDES; s++) {
        if (!timed) {
            g_clear_pointer(&recordings[s].chart, af_chart_free);
        }
        extent = MAX(extent, timed ? measure_extent(&recordings[s])
                                   : af_diff_path_time(&thread->tree, s, 0));
    }
    g_autofree char *name = af_sheet_isolate(thread->title);
    g_autofree char *title = g_strdup_printf(timed ? AF_SAY_DIFF_OVER_TIME
                                             : sheet->options->profiles != NULL ? AF_SAY_DIFF_SUMS
                                                                                : AF_SAY_DIFF_MEANS,
                                             name);
    if (timed) {
        af_sheet own = *page;
        own.profile = recordings[AF_AFTER].profile;
        af_tones tones = af_tones_new(&own, recordings[AF_AFTER].chart);
        tones.axis.from_ns = tones.chart->from_ns;
        tones.axis.to_ns = tones.axis.from_ns + extent;
        af_tones_draw_caption(&tones, title);
        af_tones_draw_axis(&tones);
        page->y_c = own.y_c;
    } else {
        page->y_c += AF_TICKET_ROW_C;
        af_sheet_text(page, AF_MARGIN_C, page->y_c, AF_TICKET_BODY_C, page->graph_c, TRUE,
                      AF_PAINT_INK, title);
        page->y_c += AF_OVERVIEW_CAPTION_TO_ROWS_C;
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        draw_side(sheet, &recordings[s], s, thread, extent);
    }
    page->y_c += AF_OVERVIEW_BOTTOM_C;
    af_sheet_rule(page);
}

/* ---- the graph ---- */

/* Leaves out rows below: those of the trunk, and more if the first cause would not be drawn. */
static void choose_rows(af_diff_sheet *sheet, af_panel *panel, uint32_t most)
{
    const af_diff *diff = sheet->diff;
    const uint32_t all =
        af_panel_count_rows(&sheet->page, panel, panel->layout->rows, af_diff_label_fit);
    const uint32_t trunk = af_layout_count_trunk(panel->layout, sheet->page.graph_c);
    panel->first_row = !sheet->options->inverted && trunk < all ? trunk : 0;
    for (uint32_t i = 0; diff->n_causes > 0 && i < panel->layout->n; i++) {
        const af_frame *frame = &panel->layout->frames[i];
        if (frame->node == diff->causes[0].node && frame->nodes == 0 &&
            frame->row >= panel->first_row + most && !sheet->options->inverted) {
            panel->first_row = frame->row + 1 - most;
        }
    }
    panel->rows = MIN(MAX(all, panel->first_row + 1), panel->first_row + most);
    panel->rows = MIN(panel->rows, panel->layout->rows);
}

/* ---- the page ---- */

typedef struct {
    af_diff_sheet *sheet;
    recording recordings[AF_SIDES];
    uint32_t rows; /* of the graph, at most */
} ticket;

static void draw_page(void *user)
{
    ticket *t = user;
    af_diff_sheet *sheet = t->sheet;
    af_sheet *page = &sheet->page;
    af_scene_page_add(page->scene, page->width_c, AF_PX, NULL, NULL);
    page->y_c = 0;
    draw_head(sheet);
    draw_causes(sheet);
    if (sheet->page.n_panels > 0) {
        af_panel *panel = &sheet->page.panels[0];
        draw_timelines(sheet, t->recordings, &sheet->diff->threads[panel->thread]);
        page->y_c += AF_LEGEND_BOTTOM_C;
        af_diff_meanings_draw(sheet);
        choose_rows(sheet, panel, t->rows);
        af_diff_panel_draw(sheet, panel);
    }
    af_diff_footer_draw(sheet, 0, sheet->page.n_panels);
    af_scene_page_resize(page->scene, page->width_c, page->y_c);
}

/* Leaves out rows of the graph until the page is low enough. */
static void fit(ticket *t, int32_t limit_c)
{
    int32_t excess_c;
    while (t->rows > AF_TICKET_ROWS_LEAST &&
           (excess_c = af_fit_measure(&t->sheet->page, draw_page, t) - limit_c) > 0) {
        const uint32_t rows = (uint32_t)((excess_c + AF_MORE_ROWS_C) / AF_ROW_C + 1);
        t->rows -= MIN(rows, t->rows - AF_TICKET_ROWS_LEAST);
    }
}

gboolean af_diff_ticket_draw(af_diff_sheet *sheet)
{
    const af_diff *diff = sheet->diff;
    ticket t = {.sheet = sheet,
                .rows = sheet->options->full_depth ? UINT32_MAX / 2 : AF_TICKET_ROWS_MOST};
    gboolean ok = TRUE;
    if (diff->n_threads > 0) {
        const uint32_t thread = choose_thread(diff);
        sheet->page.n_panels = 1;
        ok = af_diff_panel_lay_out(&sheet->page.panels[0], diff, thread, sheet->page.graph_c,
                                   sheet->options->min_width_c) &&
             read_recordings(sheet, &diff->threads[thread], t.recordings);
    }
    if (ok && diff->n_threads > 0 && sheet->options->height_c > 0) {
        fit(&t, sheet->options->height_c);
    }
    if (ok) {
        draw_page(&t);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_chart_free(t.recordings[s].chart);
    }
    return ok;
}
