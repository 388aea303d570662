#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "render/page/sheet_parts.h"

#define FEW_THREADS 2 /* named on a page that is too high */

gboolean af_footer_prepare(af_sheet *sheet)
{
    const af_profile *profile = sheet->profile;
    af_left_out *left_out = &sheet->left_out;
    g_autofree gboolean *drawn = g_try_new0(gboolean, (gsize)profile->n_threads + 1);
    g_autofree af_thread_rank *others = g_try_new(af_thread_rank, (gsize)profile->n_threads + 1);
    left_out->n = 0;
    if (!drawn || !others) {
        return FALSE;
    }
    for (uint32_t i = 0; i < sheet->n_panels; i++) {
        drawn[sheet->panels[i].thread] = TRUE;
    }
    for (uint32_t i = 0; i < profile->n_threads; i++) {
        /* not threads that the steps emptied */
        if (!drawn[i] && (!af_sheet_is_reshaped(sheet) || profile->threads[i].tree->n > 1)) {
            others[left_out->n++] = (af_thread_rank){
                i, af_busy_rank_ns(sheet->busy, profile, i, sheet->options->clock)};
        }
    }
    qsort(others, left_out->n, sizeof *others, af_thread_rank_compare);
    memcpy(left_out->first, others, MIN(left_out->n, AF_NAMED_THREADS) * sizeof *others);
    return TRUE;
}

static void add_thread(const af_sheet *sheet, uint32_t i, GPtrArray *pieces)
{
    char number[AF_NUMBER_SIZE];
    const uint32_t thread = sheet->left_out.first[i].thread;
    const gboolean timed = af_thread_has(sheet->profile, thread, sheet->options->clock);
    if (timed) {
        af_sheet_amount(sheet, number, sheet->left_out.first[i].time_ns);
    }
    g_ptr_array_add(pieces,
                    af_sheet_list_thread(sheet->profile->threads[thread].title,
                                         timed ? number : NULL, i + 1 == sheet->left_out.n));
}

/* "6 threads not drawn (wall time, without idle frames):" */
static char *describe_count(const af_sheet *sheet, const char *count)
{
    static const char *const clocks[] = {AF_SAY_CLOCK_NAMES};
    const char *by = clocks[sheet->options->clock];
    const gboolean busy = sheet->busy->total_idle_ns > 0 && sheet->busy->total_ns > 0;
    return !af_profile_has_clocks(sheet->profile) ? g_strdup_printf(AF_SAY_NOT_DRAWN, count)
           : busy ? g_strdup_printf(AF_SAY_NOT_DRAWN_BUSY, count, by)
                  : g_strdup_printf(AF_SAY_NOT_DRAWN_BY, count, by);
}

static void write_pieces(af_sheet *sheet, const char *separator, const GPtrArray *pieces)
{
    af_sheet_flow(sheet,
                  &(af_flow){.size = AF_SMALL_C,
                             .line_c = AF_FOOT_LINE_C,
                             .paint = AF_PAINT_MUTED,
                             .separator = separator},
                  pieces);
}

void af_footer_write_threads(af_sheet *sheet, GPtrArray *pieces, uint64_t unnamed)
{
    if (unnamed > 0) {
        char number[AF_NUMBER_SIZE];
        g_ptr_array_add(pieces, g_strdup_printf(AF_SAY_AND_MORE, af_number_count(number, unnamed)));
    }
    write_pieces(sheet, " ", pieces);
    sheet->y_c += AF_FOOT_LINE_C;
}

/* A user who chose the threads knows the others. */
static void draw_left_out(af_sheet *sheet)
{
    const af_left_out *left_out = &sheet->left_out;
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    if (left_out->n > 0 && (!af_sheet_is_chosen(sheet) || sheet->fitted)) {
        g_autofree char *count = af_sheet_count_threads(sheet->profile, left_out->n, "");
        g_ptr_array_add(pieces, describe_count(sheet, count));
        const uint32_t named = MIN(left_out->n, sheet->terse ? FEW_THREADS : AF_NAMED_THREADS);
        for (uint32_t i = 0; i < named; i++) {
            add_thread(sheet, i, pieces);
        }
        af_footer_write_threads(sheet, pieces, left_out->n - named);
    }
}

static char *describe_hidden(const af_sheet *sheet, uint32_t first, uint32_t n)
{
    const af_chart *chart = sheet->options->chart;
    uint64_t nodes = 0, hidden_ns = 0, total_ns = 0;
    for (uint32_t i = first; i < first + n; i++) {
        nodes += sheet->panels[i].layout->hidden_nodes;
        hidden_ns += sheet->panels[i].layout->hidden_ns;
        total_ns += af_panel_time_ns(sheet, &sheet->panels[i]);
    }
    if (nodes == 0) {
        return NULL;
    }
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    const af_entry_words words =
        chart == NULL            ? (af_entry_words){AF_SAY_FRAMES}
        : chart->options.sampled ? (af_entry_words){AF_SAY_SAMPLES}
                                 : af_sheet_name_entries(sheet, sheet->options->threads, first, n);
    g_autofree char *count = af_sheet_count(nodes, words.one, words.many);
    af_sheet_amount(sheet, time, hidden_ns);
    af_number_share(share, hidden_ns, total_ns);
    return chart == NULL            ? g_strdup_printf(AF_SAY_HIDDEN_FRAMES, count, time, share)
           : chart->options.sampled ? g_strdup_printf(AF_SAY_HIDDEN_SAMPLES, count, time)
                                    : g_strdup_printf(AF_SAY_HIDDEN_CALLS, count, time);
}

static void take_text(GPtrArray *pieces, char *text)
{
    if (text != NULL) {
        g_ptr_array_add(pieces, text);
    }
}

/* Adds what the file omits; a chart also counts merged calls. */
static void add_omissions(const af_sheet *sheet, gboolean chart, GPtrArray *pieces)
{
    if (chart) {
        take_text(pieces, af_sheet_joined(sheet));
        af_chart_markers_describe(sheet, pieces);
    } else {
        take_text(pieces, af_sheet_left_out(sheet));
    }
}

/* The same for the script, one line each; NULL = nothing. */
static const char *list_omissions(af_sheet *sheet, gboolean chart)
{
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    add_omissions(sheet, chart, pieces);
    return af_sheet_lines(sheet, pieces);
}

void af_footer_begin(af_sheet *sheet, const af_scene_group *part)
{
    af_sheet_push_part(sheet, part);
    sheet->y_c += AF_FOOT_TOP_C;
    af_sheet_rule(sheet);
    sheet->y_c += AF_FOOT_BASELINE_C;
}

void af_footer_end(af_sheet *sheet, char *hidden, GPtrArray *pieces, const char *command)
{
    if (sheet->fitted) {
        char height[AF_NUMBER_SIZE];
        af_number_count(height, (uint64_t)sheet->options->height_c / AF_PX);
        g_ptr_array_insert(pieces, 0, g_strdup_printf(AF_SAY_TICKET, height));
    }
    if (hidden != NULL) {
        g_ptr_array_insert(pieces, 0, hidden);
    }
    take_text(pieces, g_strdup(sheet->options->program));
    take_text(pieces, command ? af_sheet_isolate(command) : NULL);
    if (sheet->n_pages > 1) {
        char page[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE];
        take_text(pieces, g_strdup_printf(AF_SAY_PAGE, af_number_count(page, sheet->page),
                                          af_number_count(all, sheet->n_pages)));
    }
    write_pieces(sheet, NULL, pieces);
    sheet->y_c += AF_FOOT_BOTTOM_C;
    af_scene_pop(sheet->scene);
}

void af_footer_draw(af_sheet *sheet, uint32_t first, uint32_t n)
{
    /* Starts the footer, with facts for the script, which draws it again when the view changes. */
    af_scene_group group = {.id = "foot"};
    if (sheet->options->interactive) {
        group.graph_facts = list_omissions(sheet, FALSE);
        group.chart_facts = af_sheet_chart(sheet) ? list_omissions(sheet, TRUE) : NULL;
    }
    af_footer_begin(sheet, &group);
    draw_left_out(sheet);
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    af_sheet_add_accounts(sheet, pieces);
    add_omissions(sheet, sheet->options->chart != NULL, pieces);
    af_footer_end(sheet, describe_hidden(sheet, first, n), pieces, NULL);
}
