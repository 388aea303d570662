/* The strip above the panels: a bar for each thread, as long as its time on one scale, since panels
 * of their own scale cannot be compared. Its tones are CPU time, blocked and idle. Threads without
 * a panel share one row. A bar longer than all of single threads is cut and has a break mark. */
#include <string.h>

#include "base/number.h"
#include "render/face.h"
#include "render/label.h"
#include "render/page/sheet_parts.h"

typedef struct {
    const char *name;
    uint64_t time_ns, wait_ns; /* outside idle frames */
    uint64_t idle_ns;
    const af_panel *panel; /* NULL = all threads without a panel */
} row;

typedef struct {
    row rows[AF_OVERVIEW_ROWS];
    uint32_t n;
    uint64_t most_ns;      /* of a thread */
    char *others;          /* name of the last row; NULL = there is none */
    int32_t name_c, bar_c; /* widths */
    int32_t column_c;      /* from column to column */
    uint32_t per_column;
} overview;

/* Whether threads can be compared. */
static gboolean is_drawn(const af_sheet *sheet)
{
    return sheet->busy->total_ns + sheet->busy->total_idle_ns > 0 && sheet->profile->n_threads > 1;
}

/* "23.7 % of all threads", NULL where there is nothing to compare. */
char *af_overview_share(const af_sheet *sheet, const af_panel *panel)
{
    if (!is_drawn(sheet) || sheet->busy->total_ns == 0) {
        return NULL;
    }
    char share[AF_NUMBER_SIZE];
    af_number_share(share, sheet->busy->time_ns[panel->thread], sheet->busy->total_ns);
    return g_strdup_printf(AF_SAY_OF_ALL_THREADS, share, af_sheet_thread_word(sheet->profile));
}

static uint64_t measure(const row *it)
{
    return it->time_ns + it->idle_ns;
}

/* Threads without a row, as one. */
static void add_others(const af_sheet *sheet, overview *view)
{
    const uint32_t hidden = sheet->n_panels - view->n;
    const uint64_t n = (uint64_t)hidden + sheet->left_out.n;
    row rest = {.time_ns = sheet->busy->total_ns, .idle_ns = sheet->busy->total_idle_ns};
    for (uint32_t i = 0; i < sheet->profile->n_threads; i++) {
        rest.wait_ns += sheet->busy->wait_ns[i];
    }
    for (uint32_t i = 0; i < view->n; i++) {
        rest.time_ns -= view->rows[i].time_ns;
        rest.wait_ns -= view->rows[i].wait_ns;
        rest.idle_ns -= view->rows[i].idle_ns;
    }
    if (n > 0) {
        view->others = af_sheet_count_threads(sheet->profile, n, AF_SAY_OTHER);
        rest.name = view->others;
        view->most_ns = view->most_ns > 0 ? view->most_ns : measure(&rest);
        view->rows[view->n++] = rest;
    }
}

static void list_rows(const af_sheet *sheet, overview *view)
{
    const gboolean full = sheet->n_panels >= AF_OVERVIEW_ROWS;
    const uint32_t n = full ? AF_OVERVIEW_ROWS - 1 : sheet->n_panels;
    for (uint32_t i = 0; i < n; i++) {
        const af_panel *panel = &sheet->panels[i];
        const char *title = sheet->profile->threads[panel->thread].title;
        const row next = {
            .name = title && title[0] ? title : AF_SAY_NO_NAME,
            .time_ns = sheet->busy->time_ns[panel->thread],
            .wait_ns = sheet->busy->wait_ns[panel->thread],
            .idle_ns = sheet->busy->idle_ns[panel->thread],
            .panel = panel,
        };
        view->most_ns = MAX(view->most_ns, measure(&next));
        view->rows[view->n++] = next;
    }
    add_others(sheet, view);
}

/* As many columns as there is width for, but not more than are needed to be low. */
static void arrange(const af_sheet *sheet, overview *view)
{
    const int32_t fit = MAX(1, sheet->graph_c / AF_OVERVIEW_COLUMN_C);
    const uint32_t columns = MIN(MIN((uint32_t)fit, AF_OVERVIEW_COLUMNS), (view->n + 1) / 2);
    view->per_column = (view->n + columns - 1) / columns;
    view->column_c = (sheet->graph_c + AF_OVERVIEW_GAP_C) / (int32_t)columns;
    const int32_t name_max = MIN(AF_OVERVIEW_NAME_C, view->column_c / 3);
    for (uint32_t i = 0; i < view->n; i++) {
        const af_label_form fitted = af_name_fit(view->rows[i].name, FALSE, AF_SMALL_C, name_max);
        view->name_c = MAX(view->name_c, fitted.advance);
        g_free(fitted.text);
    }
    view->bar_c = MAX(0, view->column_c - AF_OVERVIEW_GAP_C - view->name_c -
                             AF_OVERVIEW_NAME_TO_BAR_C - AF_OVERVIEW_NUMBER_C);
}

/* "Wall time of each thread:" */
static char *describe_strip(const af_sheet *sheet)
{
    static const char *const clocks[] = {AF_SAY_OVERVIEW};
    const af_unit *unit = &sheet->profile->facts.weights.unit;
    const char *word = af_sheet_thread_word(sheet->profile);
    if (unit->name == NULL) {
        return g_strdup_printf(clocks[sheet->options->clock], word);
    }
    g_autofree char *isolated = af_sheet_isolate(unit->counted ? unit->name : "time");
    return g_strdup_printf(AF_SAY_OVERVIEW_UNIT, isolated, word);
}

af_paint af_tone_paint(unsigned tone)
{
    return tone == AF_TONE_CPU
               ? AF_PAINT_FOOT
               : af_paint_frame(tone == AF_TONE_BLOCKED ? AF_CATEGORY_BLOCKED : AF_CATEGORY_IDLE,
                                AF_MIDDLE_SHADE);
}

void af_tone_entry(af_sheet *sheet, int32_t *x, unsigned tone, const char *text)
{
    const af_scene_rect sample = {
        .y = -AF_OVERVIEW_BAR_C, .height = AF_OVERVIEW_BAR_C, .paint = af_tone_paint(tone)};
    af_legend_entry(sheet, x, AF_OVERVIEW_ROW_C, 0, &sample, text);
}

static void draw_caption(af_sheet *sheet)
{
    static const char *const clocks[] = {AF_SAY_CLOCKS};
    const gboolean divided = af_sheet_shows_waiting(sheet);
    const char *solid = sheet->options->clock == AF_CPU ? clocks[AF_CPU]
                        : !divided                      ? AF_SAY_RUNNING
                        : sheet->busy->undivided        ? AF_SAY_CPU_OR_WALL
                                                        : clocks[AF_CPU];
    uint64_t blocked_ns = sheet->options->clock == AF_WAIT ? sheet->busy->total_ns : 0;
    for (uint32_t i = 0; i < sheet->profile->n_threads; i++) {
        blocked_ns += sheet->busy->wait_ns[i];
    }
    g_autofree char *text = describe_strip(sheet);
    int32_t x = AF_MARGIN_C;
    x += AF_ENTRY_GAP_C + af_sheet_text(sheet, x, sheet->y_c, AF_SMALL_C, sheet->graph_c, FALSE,
                                        AF_PAINT_MUTED, text);
    if (divided ||
        (sheet->options->clock != AF_WAIT && (blocked_ns > 0 || sheet->busy->total_idle_ns > 0))) {
        af_tone_entry(sheet, &x, AF_TONE_CPU, solid);
    }
    if (blocked_ns > 0) {
        af_tone_entry(sheet, &x, AF_TONE_BLOCKED, AF_SAY_BLOCKED);
    }
    if (sheet->busy->total_idle_ns > 0) {
        af_tone_entry(sheet, &x, AF_TONE_IDLE, AF_SAY_IDLE);
    }
}

/* Two slits in the colour of the page, in steps that lean to the right. */
static void draw_break(af_sheet *sheet, int32_t end)
{
    enum { STEPS = 3 };
    for (int32_t i = 0; i < 2 * STEPS; i++) {
        const int32_t step = i % STEPS;
        af_sheet_rect(sheet,
                      end - AF_OVERVIEW_BREAK_C + i / STEPS * AF_OVERVIEW_SLITS_C - step * AF_PX,
                      sheet->y_c + AF_OVERVIEW_BAR_TOP_C + step * AF_OVERVIEW_BAR_C / STEPS,
                      AF_OVERVIEW_SLIT_C, AF_OVERVIEW_BAR_C / STEPS, AF_PAINT_PAGE);
    }
}

/* CPU, blocked, idle. Returns where the bar ends. */
static int32_t draw_bar(af_sheet *sheet, const overview *view, const row *it, int32_t x)
{
    const uint64_t blocked_ns = sheet->options->clock == AF_WAIT ? it->time_ns : it->wait_ns;
    const uint64_t ends_ns[AF_TONES] = {it->time_ns - blocked_ns, it->time_ns, measure(it)};
    int32_t from = 0;
    for (unsigned tone = 0; tone < AF_TONES; tone++) {
        const gboolean last = tone + 1 == AF_TONES;
        const int32_t to =
            MAX(af_axis_x(view->bar_c, MIN(ends_ns[tone], view->most_ns), view->most_ns),
                last && measure(it) > 0 ? AF_PX : 0);
        af_sheet_rect(sheet, x + from, sheet->y_c + AF_OVERVIEW_BAR_TOP_C, to - from,
                      AF_OVERVIEW_BAR_C, af_tone_paint(tone));
        from = MAX(from, to);
    }
    if (measure(it) > view->most_ns) {
        draw_break(sheet, x + from);
    }
    return x + from;
}

/* The length of the bar. Amounts other than times may have long units, so their share is shown. */
static void write_number(const af_sheet *sheet, const row *it, char number[AF_NUMBER_SIZE])
{
    if (af_profile_has_clocks(sheet->profile)) {
        af_sheet_amount(sheet, number, measure(it));
    } else {
        af_number_share(number, measure(it), sheet->busy->total_ns + sheet->busy->total_idle_ns);
    }
}

static void link_row(af_sheet *sheet, const overview *view, const af_panel *panel, int32_t x)
{
    af_scene_link_add(sheet->scene,
                      &(af_scene_link){
                          .x = x,
                          .y = sheet->y_c,
                          .width = view->column_c - AF_OVERVIEW_GAP_C,
                          .height = AF_OVERVIEW_ROW_C,
                          .page = sheet->options->paged ? (unsigned)(panel - sheet->panels) : 0,
                          .target = sheet->options->paged ? NULL : af_panel_id(sheet, panel, ""),
                      });
}

static void draw_row(af_sheet *sheet, const overview *view, const row *it, int32_t x, gboolean bold)
{
    char number[AF_NUMBER_SIZE];
    const int32_t baseline = sheet->y_c + AF_OVERVIEW_BASELINE_C;
    const int32_t bar = x + view->name_c + AF_OVERVIEW_NAME_TO_BAR_C;
    const af_paint paint = it->panel ? AF_PAINT_INK : AF_PAINT_MUTED;
    af_sheet_name(sheet, x, baseline, AF_SMALL_C, view->name_c, bold, paint, it->name);
    const int32_t end = draw_bar(sheet, view, it, bar) + AF_OVERVIEW_BAR_TO_NUMBER_C;
    write_number(sheet, it, number);
    af_sheet_text(sheet, end, baseline, AF_SMALL_C,
                  MIN(AF_OVERVIEW_NUMBER_C, AF_MARGIN_C + sheet->graph_c - end), bold, paint,
                  number);
    if (it->panel) {
        link_row(sheet, view, it->panel, x);
    }
}

/* For the script: what it could compute only from complete call trees; a line for each row, that of
 * the others without a name. */
static const char *list_numbers(af_sheet *sheet, const overview *view)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < view->n; i++) {
        const row *it = &view->rows[i];
        const char *title =
            it->panel ? af_sheet_thread_name(sheet, &sheet->profile->threads[it->panel->thread])
                      : "";
        g_ptr_array_add(lines, g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                                               " %" G_GUINT64_FORMAT " %s",
                                               it->time_ns, it->wait_ns, it->idle_ns, title));
    }
    return af_sheet_lines(sheet, lines);
}

void af_overview_draw(af_sheet *sheet, const af_panel *current)
{
    overview view = {.n = 0};
    if (!is_drawn(sheet)) {
        return;
    }
    list_rows(sheet, &view);
    if (view.n > 1) {
        arrange(sheet, &view);
        af_sheet_push_part(
            sheet, &(af_scene_group){
                       .id = "overview",
                       .facts = sheet->options->interactive ? list_numbers(sheet, &view) : NULL,
                   });
        sheet->y_c += AF_OVERVIEW_CAPTION_C;
        draw_caption(sheet);
        sheet->y_c += AF_OVERVIEW_CAPTION_TO_ROWS_C;
        const int32_t top = sheet->y_c;
        for (uint32_t i = 0; i < view.n; i++) {
            const int32_t column = (int32_t)(i / view.per_column);
            sheet->y_c = top + (int32_t)(i % view.per_column) * AF_OVERVIEW_ROW_C;
            draw_row(sheet, &view, &view.rows[i], AF_MARGIN_C + column * view.column_c,
                     view.rows[i].panel != NULL && view.rows[i].panel == current);
        }
        sheet->y_c = top + (int32_t)view.per_column * AF_OVERVIEW_ROW_C + AF_OVERVIEW_BOTTOM_C;
        af_sheet_rule(sheet);
        af_scene_pop(sheet->scene);
    }
    g_free(view.others);
}
