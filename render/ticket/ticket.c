#include "render/ticket/ticket_parts.h"

#include <string.h>

#include "base/memory_error.h"
#include "calls/input.h"

#define BAR_X_C   2600 /* of findings, from the margin */
#define BAR_C     11000
#define TEXT_X_C  14800
#define BAR_TOP_C 1050 /* above the baseline */

/* ---- text ---- */

/* Whether a line may end before the space at `end`: not between a number and its unit. */
static gboolean may_break(const char *text, gsize end)
{
    return text[end] == '\0' || !g_ascii_isdigit(text[end - 1]) ||
           strchr("msn%\xc2", text[end + 1]) == NULL;
}

/* Writes text in at most three lines, from the baseline `y_c`, which moves to the last one. */
static void write_text(af_sheet *sheet, af_flow flow, const char *text)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    for (gsize end = 0; text[end] != '\0';) {
        end += 1 + strcspn(text + end + 1, " ");
        if (may_break(text, end)) {
            g_ptr_array_add(words, g_strndup(text, end));
            text += end + (text[end] == ' ');
            end = 0;
        }
    }
    flow.separator = " ";
    flow.lines_max = 3;
    af_sheet_flow(sheet, &flow, words);
}

void af_ticket_write_headline(af_sheet *sheet, const char *text)
{
    sheet->y_c += 3000;
    write_text(
        sheet,
        (af_flow){
            .size = AF_TICKET_HEADLINE_C, .line_c = 2500, .bold = TRUE, .paint = AF_PAINT_INK},
        text);
}

/* ---- head ---- */

void af_ticket_write_pieces(af_sheet *sheet, af_paint paint, unsigned lines,
                            const GPtrArray *pieces)
{
    const af_flow flow = {
        .size = AF_TICKET_BODY_C, .line_c = AF_TICKET_LINE_C, .paint = paint, .lines_max = lines};
    af_sheet_flow(sheet, &flow, pieces);
}

static void draw_head(const af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    const af_explanation *e = ticket->explanation;
    const char *title = sheet->options->title ? sheet->options->title : sheet->options->input;
    g_autofree char *headline =
        e->n > 0 ? af_sheet_isolate(e->findings[0].text) : g_strdup(AF_SAY_NO_FINDINGS);
    af_ticket_write_headline(sheet, headline);
    g_autoptr(GPtrArray) facts = af_header_list_facts(sheet);
    g_ptr_array_insert(facts, 0, af_sheet_isolate(title ? title : "Method trace"));
    sheet->y_c += AF_TITLE_TO_FACTS_C;
    af_ticket_write_pieces(sheet, AF_PAINT_MUTED, 2, facts);
    g_autoptr(GPtrArray) problems = af_header_list_problems(sheet->profile);
    if (problems->len > 0) {
        sheet->y_c += AF_TICKET_LINE_C;
        af_ticket_write_pieces(sheet, AF_PAINT_ALERT, 2, problems);
    }
}

/* ---- findings ---- */

void af_ticket_write_item(af_sheet *sheet, unsigned number, double share, af_paint paint,
                          const char *text)
{
    sheet->y_c += AF_TICKET_ROW_C;
    af_sheet_badge(sheet, number, AF_MARGIN_C + AF_BADGE_C / 2, sheet->y_c - 430);
    if (share > 0) {
        const int32_t x = AF_MARGIN_C + BAR_X_C, y = sheet->y_c - BAR_TOP_C;
        af_sheet_rect(sheet, x, y, BAR_C, AF_TICKET_BODY_C, AF_PAINT_RULE);
        af_sheet_rect(sheet, x, y, MAX((int32_t)(MIN(share, 1) * BAR_C), AF_PX), AF_TICKET_BODY_C,
                      paint);
    }
    write_text(sheet,
               (af_flow){.indent_c = TEXT_X_C,
                         .size = AF_TICKET_BODY_C,
                         .line_c = AF_TICKET_LINE_C,
                         .paint = AF_PAINT_INK},
               text);
}

/* The headline has the sentence of the first one already. Free with g_free(). */
static char *word_finding(const af_ticket *ticket, unsigned i)
{
    const af_finding *f = &ticket->explanation->findings[i];
    const af_profile *profile = ticket->sheet->profile;
    if (i > 0) {
        return af_sheet_isolate(f->text);
    }
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    const uint64_t whole = af_thread_time_ns(profile, f->thread, ticket->explanation->clock);
    GString *text = g_string_new(f->title);
    if (f->node != AF_NO_NODE && f->node > 0) {
        const uint32_t label = profile->threads[f->thread].tree->label[f->node];
        g_autoptr(GString) name = g_string_new(NULL);
        af_sheet_append_short(name, &profile->labels[label]);
        /* of a sum, the frame is only the largest part, which the sentence does not name */
        if (strstr(f->text, name->str) != NULL) {
            g_string_append_printf(text, ": %s", name->str);
        }
    }
    if (f->time > 0) {
        g_string_append_printf(text, " \xc2\xb7 %s, %s",
                               af_sheet_amount(ticket->sheet, time, f->time),
                               af_number_share(share, f->time, whole));
    }
    return g_string_free(text, FALSE);
}

/* What the findings explain together; NULL = no time. Free with g_free(). */
static char *word_coverage(const af_ticket *ticket)
{
    const af_explanation *e = ticket->explanation;
    const af_profile *profile = ticket->sheet->profile;
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    if (e->n == 0 || e->explained == 0 || e->thread == AF_NO_NODE) {
        return NULL;
    }
    const char *own = af_thread_shown(profile, &profile->threads[e->thread]);
    g_autofree char *name = af_sheet_isolate(own != NULL ? own : "");
    return g_strdup_printf(AF_SAY_TICKET_EXPLAINED,
                           e->n > 1 ? AF_SAY_TICKET_FINDINGS : AF_SAY_TICKET_FINDING,
                           af_number_share(share, e->explained, e->total),
                           af_sheet_amount(ticket->sheet, time, e->total), name);
}

static void draw_findings(const af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    const af_explanation *e = ticket->explanation;
    uint64_t whole = e->total;
    for (unsigned i = 0; i < ticket->n_findings; i++) {
        whole = MAX(whole, e->findings[i].time);
    }
    sheet->y_c += ticket->n_findings > 0 ? 600 : 0;
    for (unsigned i = 0; i < ticket->n_findings; i++) {
        g_autofree char *text = word_finding(ticket, i);
        const double share = whole > 0 ? (double)e->findings[i].time / (double)whole : 0;
        af_ticket_write_item(sheet, i + 1, share, AF_PAINT_FOOT, text);
    }
    g_autofree char *coverage = word_coverage(ticket);
    if (coverage != NULL) {
        sheet->y_c += AF_TICKET_ROW_C;
        af_sheet_text(sheet, AF_MARGIN_C + TEXT_X_C, sheet->y_c, AF_TICKET_BODY_C,
                      sheet->graph_c - TEXT_X_C, FALSE, AF_PAINT_MUTED, coverage);
    }
    sheet->y_c += AF_LEGEND_BOTTOM_C;
    af_sheet_rule(sheet);
}

/* ---- foot ---- */

static void draw_foot(const af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    const uint32_t others =
        sheet->profile->n_threads - MIN(ticket->n_threads, sheet->profile->n_threads);
    if (others > 0) {
        g_autofree char *threads = af_sheet_count_threads(sheet->profile, others, AF_SAY_OTHER);
        g_ptr_array_add(pieces, g_strdup_printf(AF_SAY_TICKET_OTHERS, threads));
    }
    if (ticket->is_folded) {
        g_ptr_array_add(pieces, g_strdup(AF_SAY_TICKET_FOLDED));
    }
    char *left_out = af_sheet_left_out(sheet);
    if (left_out != NULL) {
        g_ptr_array_add(pieces, left_out);
    }
    af_sheet_add_accounts(sheet, pieces);
    g_ptr_array_add(pieces, g_strdup(sheet->options->program));
    if (ticket->options->command != NULL) {
        g_ptr_array_add(pieces, af_sheet_isolate(ticket->options->command));
    }
    af_sheet_rule(sheet);
    sheet->y_c += AF_FOOT_BASELINE_C;
    af_ticket_write_pieces(sheet, AF_PAINT_MUTED, 4, pieces);
    sheet->y_c += AF_FOOT_BOTTOM_C;
}

/* ---- the page ---- */

/* Three sentences to paste: what the picture shows, the first finding, and the second one or what
 * the only one explains. Free with g_free(). */
static char *describe(const af_ticket *ticket)
{
    const af_explanation *e = ticket->explanation;
    const af_sheet_options *options = ticket->sheet->options;
    const char *title = options->title ? options->title : options->input;
    g_autofree char *threads =
        af_sheet_count_threads(ticket->sheet->profile, ticket->n_threads, "");
    g_autofree char *coverage = word_coverage(ticket);
    GString *text = g_string_new("What stands out in ");
    af_sheet_append_name(text, title != NULL ? title : "a method trace");
    const char *owner = af_sheet_owner(ticket->sheet->profile);
    if (owner != NULL) {
        g_string_append(text, " of ");
        af_sheet_append_name(text, owner);
    }
    g_string_append_printf(text, ", with %s %s and a flame graph.", threads,
                           ticket->chart != NULL ? "over time" : "compared");
    g_string_append_printf(text, e->n > 0 ? " %s." : " %s",
                           e->n > 0 ? e->findings[0].text : AF_SAY_NO_FINDINGS);
    if (e->n > 1) {
        g_string_append_printf(text, " %s.", e->findings[1].text);
    } else if (coverage != NULL) {
        g_string_append_printf(text, " %s", coverage);
    }
    return g_string_free(text, FALSE);
}

static void add_thread(af_ticket *ticket, uint32_t thread)
{
    gboolean any = thread == AF_NO_NODE || ticket->n_threads == AF_TICKET_THREADS;
    for (uint32_t i = 0; !any && i < ticket->n_threads; i++) {
        any = ticket->threads[i] == thread;
    }
    if (!any) {
        ticket->threads[ticket->n_threads++] = thread;
    }
}

static gboolean is_drawn(const af_sheet_options *options, uint32_t thread)
{
    gboolean any = options->choices == NULL || options->choices[0] == NULL;
    for (uint32_t i = 0; !any && i < options->n_threads; i++) {
        any = options->threads[i] == thread;
    }
    return any;
}

/* The thread of the explanation, those of its findings, then those that any picture draws. */
static void choose_threads(af_ticket *ticket)
{
    const af_sheet_options *options = ticket->sheet->options;
    const af_explanation *e = ticket->explanation;
    ticket->thread = AF_NO_NODE;
    if (e->thread != AF_NO_NODE && is_drawn(options, e->thread)) {
        add_thread(ticket, e->thread);
        ticket->thread = e->thread;
    }
    for (unsigned i = 0; i < ticket->n_findings; i++) {
        if (is_drawn(options, e->findings[i].thread)) {
            add_thread(ticket, e->findings[i].thread);
            ticket->thread = i == 0 ? e->findings[i].thread : ticket->thread;
        }
    }
    for (uint32_t i = 0; i < options->n_threads; i++) {
        add_thread(ticket, options->threads[i]);
    }
    if (ticket->thread == AF_NO_NODE && ticket->n_threads > 0) {
        ticket->thread = ticket->threads[0];
    }
    if (ticket->thread != AF_NO_NODE &&
        !af_tree_has(ticket->sheet->profile->threads[ticket->thread].tree, options->clock)) {
        ticket->thread = AF_NO_NODE;
    }
}

gboolean af_ticket_read_calls(const af_profile *profile, const af_sheet_options *given,
                              const af_chart_walk *walk, af_chart **chart, GError **error)
{
    af_sheet_options options = *given;
    *chart = NULL;
    options.min_width_c = AF_PX / 4;
    const af_clock wanted = options.clock == AF_WAIT ? AF_WALL : options.clock;
    if (options.n_threads == 0 || !af_chart_calls_check(profile, wanted, &options.clock, NULL) ||
        !af_input_exists(profile)) {
        return TRUE;
    }
    const gboolean ok = af_chart_calls_try(profile, &options, walk, chart, error);
    if (*chart != NULL && (*chart)->calls == 0) {
        g_clear_pointer(chart, af_chart_free);
    }
    return ok;
}

gboolean af_ticket_read_along(const af_profile *profile, const af_sheet_options *given,
                              const af_chart_walk *walk, af_chart **chart, GError **error)
{
    *chart = NULL;
    g_autoptr(GArray) threads = af_sheet_chart_threads(profile, NULL, given->clock);
    if (threads == NULL) {
        return af_memory_error_set(error);
    }
    g_array_append_vals(threads, given->threads, MIN(given->n_threads, AF_TICKET_THREADS));
    af_sheet_options options = *given;
    options.threads = (const uint32_t *)(const void *)threads->data;
    options.n_threads = threads->len;
    return af_ticket_read_calls(profile, &options, walk, chart, error);
}

/* Whether the calls that were read along are those of all threads of the sheet. */
static gboolean has_calls(const af_ticket *ticket)
{
    const af_chart *chart = ticket->options->chart;
    for (uint32_t i = 0; chart != NULL && i < ticket->n_threads; i++) {
        const uint32_t thread = ticket->threads[i];
        if (!chart->threads[thread].is_wanted &&
            af_thread_has(ticket->sheet->profile, thread, chart->options.clock)) {
            return FALSE;
        }
    }
    return chart != NULL;
}

static void draw_page(af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    af_scene_page_add(sheet->scene, sheet->width_c, AF_PX, NULL, NULL);
    sheet->y_c = 0;
    memset((void *)sheet->names, 0, sizeof *sheet->names * ((size_t)sheet->profile->n_labels + 1));
    draw_head(ticket);
    draw_findings(ticket);
    af_ticket_timeline_draw(ticket);
    af_ticket_graph_draw(ticket);
    af_ticket_tables_draw(ticket);
    draw_foot(ticket);
    af_scene_page_resize(sheet->scene, sheet->width_c, sheet->y_c);
}

/* Gives up rows of the graph, then of the tables, then threads. FALSE if nothing is left to give
 * up. */
static gboolean shorten(af_ticket *ticket, int32_t excess_c)
{
    const struct {
        uint32_t *rows, least;
        int32_t row_c;
    } parts[] = {{&ticket->graph_rows, AF_TICKET_ROWS_LEAST, AF_ROW_C},
                 {&ticket->table_rows, 0, AF_TICKET_ROW_C},
                 {&ticket->n_threads, 1, AF_TICKET_ROW_C}};
    for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (*parts[i].rows > parts[i].least) {
            const uint32_t rows = (uint32_t)(excess_c / parts[i].row_c) + 1;
            *parts[i].rows -= MIN(rows, *parts[i].rows - parts[i].least);
            return TRUE;
        }
    }
    return FALSE;
}

/* Draws until the page is low enough. FALSE if memory is refused. */
static gboolean draw_fitting(af_ticket *ticket)
{
    af_sheet *sheet = ticket->sheet;
    for (;;) {
        sheet->scene = af_scene_new();
        if (sheet->scene == NULL) {
            return FALSE;
        }
        g_autofree char *description = describe(ticket);
        const af_scene_about about = af_sheet_about(sheet, description);
        af_scene_set_about(sheet->scene, &about);
        draw_page(ticket);
        const int32_t excess_c = sheet->y_c - ticket->options->height_c;
        if (!af_scene_ok(sheet->scene) || ticket->options->height_c == 0 || excess_c <= 0 ||
            !shorten(ticket, excess_c)) {
            return af_scene_ok(sheet->scene);
        }
        af_scene_free(sheet->scene);
    }
}

af_scene *af_ticket_new(const af_profile *profile, const af_sheet_options *options,
                        const af_ticket_options *ticket_options, GError **error)
{
    const af_explanation *e = ticket_options->explanation;
    af_sheet sheet = {.profile = profile, .options = options};
    af_ticket ticket = {.sheet = &sheet,
                        .options = ticket_options,
                        .explanation = e,
                        .n_findings = MIN(e->n, AF_TICKET_FINDINGS),
                        .graph_rows = options->full_depth ? UINT32_MAX / 2 : AF_TICKET_ROWS_MOST,
                        .table_rows = AF_TICKET_TABLE_ROWS};
    sheet.width_c = options->width_c;
    sheet.graph_c = sheet.width_c - 2 * AF_MARGIN_C;
    sheet.names = g_try_new0(const char *, (gsize)profile->n_labels + 1);
    sheet.busy = af_busy_new(profile, options->clock);
    g_autoptr(af_chart) own_chart = NULL;
    gboolean done = sheet.names != NULL && sheet.busy != NULL;
    gboolean refused = !done;
    if (done) {
        choose_threads(&ticket);
        af_sheet_options own = *options;
        own.threads = ticket.threads;
        own.n_threads = ticket.n_threads;
        ticket.chart = ticket_options->chart;
        if (!has_calls(&ticket)) {
            done = af_ticket_read_calls(profile, &own, NULL, &own_chart, error);
            ticket.chart = own_chart;
        }
        refused = done && !draw_fitting(&ticket);
    }
    if (refused) {
        done = af_memory_error_set(error);
    }
    g_free(sheet.names);
    af_busy_free(sheet.busy);
    if (!done && sheet.scene != NULL) {
        af_scene_free(sheet.scene);
    }
    return done ? sheet.scene : NULL;
}
