#include "base/number.h"
#include "base/wide.h"
#include "model/waits.h"
#include "render/graph/sandwich.h"
#include "render/page/sheet_parts.h"

G_STATIC_ASSERT(AF_CATEGORIES == AF_CATEGORY_COUNT);
G_STATIC_ASSERT(AF_SHADES == AF_CATEGORY_SHADES + 1 && AF_CATEGORY_DIM < AF_SHADES);

static void report_panels(const af_sheet *sheet, uint32_t n)
{
    char drawn[AF_NUMBER_SIZE];
    if (n < sheet->options->n_threads && sheet->options->messages) {
        g_autofree char *all =
            af_sheet_count_threads(sheet->profile, sheet->options->n_threads, "");
        g_ptr_array_add(
            sheet->options->messages,
            g_strdup_printf("%s do not fit into one picture: only the first %s are drawn", all,
                            af_number_count(drawn, n)));
    }
}

static af_layout *lay_out_sandwich(const af_sheet *sheet, const af_panel *panel,
                                   const af_layout_options *layout)
{
    const gboolean all = sheet->options->full_depth;
    return af_sandwich_layout_new(panel->tree, panel->turn, layout,
                                  all ? UINT32_MAX : AF_CALLER_ROWS,
                                  all ? 0 : AF_LABEL_MIN_C + AF_GAP_C + 2 * AF_INSET_C);
}

void af_panel_clear(af_panel *panel)
{
    af_layout_free(panel->layout);
    af_tree_free(panel->own_tree);
    g_free(panel->size);
}

/* `waits` comes from af_waits_of_labels(). */
static gboolean lay_out(const af_sheet *sheet, af_panel *panel, const uint8_t *waits)
{
    const af_sheet_options *options = sheet->options;
    const af_tree *tree = sheet->profile->threads[panel->thread].tree;
    if (!af_sheet_options_have_panels(options)) {
        panel->tree = tree;
        panel->layout = g_try_new0(af_layout, 1); /* of no frames */
        return panel->layout != NULL;
    }
    if (!options->chart) {
        const af_layout_options layout = {
            .clock = options->clock,
            .width_c = sheet->graph_c,
            .min_width_c = options->min_width_c,
            .waits = af_sheet_shows_waiting(sheet),
            .callers_above = sheet->profile->callers_above,
        };
        panel->tree = tree;
        if (options->sandwich) {
            panel->tree = panel->own_tree = af_sandwich_new(tree, options->method, &panel->turn);
            panel->layout = panel->tree ? lay_out_sandwich(sheet, panel, &layout) : NULL;
            return panel->layout != NULL;
        }
        panel->layout = af_layout_new(panel->tree, &layout);
        return panel->layout != NULL;
    }
    const af_chart_layout_options axis = af_chart_axis(sheet);
    panel->calls = &options->chart->threads[panel->thread];
    panel->tree = panel->own_tree = af_chart_tree(panel->calls, af_tree_clocks(tree));
    if (panel->own_tree) {
        af_waits_decide(sheet->profile, panel->thread, panel->own_tree, waits);
    }
    panel->layout = panel->tree ? af_chart_layout_new(panel->tree, panel->calls, &axis) : NULL;
    return panel->layout != NULL;
}

static gboolean make_panels(af_sheet *sheet)
{
    const af_sheet_options *options = sheet->options;
    const uint32_t n = options->paged ? options->n_threads : MIN(options->n_threads, AF_PANELS_MAX);
    /* heads, lines and margins: about 60 pixels each */
    const int64_t fixed_c = ((int64_t)n + 100) * 100 * AF_PX;
    int64_t left_c = AF_EXTENT_MAX_C - MIN(fixed_c, AF_EXTENT_MAX_C / 2);
    g_autofree uint8_t *waits = af_waits_of_labels(sheet->profile);
    gboolean ok = waits != NULL;
    report_panels(sheet, n);
    for (uint32_t i = 0; ok && i < n; i++) {
        af_panel *panel = &sheet->panels[i];
        panel->thread = options->threads[i];
        sheet->n_panels = i + 1;
        ok = lay_out(sheet, panel, waits);
        int64_t held = options->paged ? AF_EXTENT_MAX_C / 2 / AF_ROW_C : left_c / AF_ROW_C;
        if (options->n_tall > 0 && i >= options->n_tall && !options->full_depth) {
            held = MIN(held, AF_SHORT_TRACK_ROWS);
        }
        panel->rows =
            ok ? af_panel_count_rows(sheet, panel, (uint32_t)held, af_panel_fit_label) : 0;
        left_c -= (int64_t)panel->rows * AF_ROW_C;
    }
    return ok;
}

static uint32_t sum_rows(const af_sheet *sheet, uint32_t most)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < sheet->n_panels; i++) {
        sum += MIN(sheet->panels[i].rows, most);
    }
    return sum;
}

/* Several deep threads draw fewer rows each, so that a sheet has not ten times the height of its
 * parts that a reader looks at. */
static void share_rows(af_sheet *sheet)
{
    uint32_t most = AF_FIRST_ROWS;
    while (most > AF_SHARED_ROWS && sum_rows(sheet, most) > AF_SHEET_ROWS) {
        most--;
    }
    for (uint32_t i = 0; i < sheet->n_panels && most < AF_FIRST_ROWS; i++) {
        af_panel *panel = &sheet->panels[i];
        if (panel->rows > most + AF_ROWS_TO_SPARE) {
            panel->rows = MAX(most, panel->layout->above + 1);
        }
    }
    sheet->first_rows = most < AF_FIRST_ROWS ? most : 0;
}

static char *list_threads(const af_sheet *sheet)
{
    enum { NAMES_MAX = 20 };
    GString *list = g_string_new(NULL);
    for (uint32_t i = 0; i < sheet->n_panels && i < NAMES_MAX; i++) {
        g_string_append(list, i ? ", " : "");
        af_sheet_append_name(list, sheet->profile->threads[sheet->panels[i].thread].title);
    }
    if (sheet->n_panels > NAMES_MAX) {
        g_string_append_printf(list, " and %u more", sheet->n_panels - NAMES_MAX);
    }
    return g_string_free(list, FALSE);
}

af_scene_about af_sheet_about(const af_sheet *sheet, const char *description)
{
    static const char *const clocks[] = {[AF_WALL] = "wall", [AF_CPU] = "cpu", [AF_WAIT] = "wait"};
    const af_sheet_options *options = sheet->options;
    const af_facts *facts = &sheet->profile->facts;
    return (af_scene_about){.title = options->title ? options->title : options->input,
                            .input = options->input,
                            .clock = facts->weights.unit.name ? NULL : clocks[options->clock],
                            .unit = facts->weights.unit,
                            .thread_word = facts->format.thread,
                            .description = description,
                            .app = sheet->profile->app,
                            .date_s = af_profile_date_s(sheet->profile)};
}

static gboolean set_about(af_sheet *sheet)
{
    g_autofree char *selection = list_threads(sheet);
    g_autofree char *description = af_sheet_describe(sheet);
    g_autoptr(GPtrArray) accounts = g_ptr_array_new_with_free_func(g_free);
    af_sheet_add_accounts(sheet, accounts);
    g_ptr_array_add(accounts, NULL);
    g_autofree char *steps = g_strjoinv("\n", (char **)(void *)accounts->pdata);
    af_scene_about about = af_sheet_about(sheet, description);
    about.selection = selection;
    about.accounts = af_sheet_is_reshaped(sheet) ? steps : NULL;
    about.callers_above = sheet->profile->callers_above;
    about.linked = sheet->options->map != NULL;
    about.in_time = sheet->options->chart != NULL;
    about.has_chart = af_sheet_chart(sheet) != NULL;
    af_scene_set_about(sheet->scene, &about);
    return description != NULL;
}

void af_sheet_push_part(af_sheet *sheet, const af_scene_group *part)
{
    af_scene_group group = *part;
    group.kind = AF_GROUP_PART;
    group.id = sheet->options->paged || sheet->options->into
                   ? NULL
                   : part->id; /* each page has such a part */
    group.y = sheet->y_c;
    af_scene_push(sheet->scene, &group);
}

/* Draws panels `first` ... `first + n - 1`, or the counters, or both, on a page of their own. */
static void draw_page(af_sheet *sheet, uint32_t first, uint32_t n, gboolean counters,
                      const char *title)
{
    af_scene_page_add(sheet->scene, sheet->width_c, AF_PX, title, title);
    sheet->y_c = 0;
    af_header_draw(sheet, first, sheet->options->startup ? 0 : n);
    const int32_t below_c = af_findings_draw(sheet);
    if (sheet->options->map) {
        af_call_map_draw(sheet, sheet->options->map);
        n = 0;
    } else if (sheet->options->startup) {
        af_waterfall_draw(sheet, sheet->options->startup);
        n = 0;
    } else {
        af_overview_draw(sheet, n == sheet->n_panels ? NULL : &sheet->panels[first]);
    }
    if (sheet->options->chart && !af_sheet_is_empty(sheet)) {
        af_sheet_push_part(sheet, &(af_scene_group){.id = "ruler"});
        af_ruler_draw(sheet);
        af_instants_draw(sheet, UINT32_MAX);
        af_sheet_rule(sheet);
        af_scene_pop(sheet->scene);
        af_frame_tracks_draw(sheet);
    }
    for (uint32_t i = first; i < first + n; i++) {
        af_panel_draw(sheet, &sheet->panels[i]);
    }
    if (counters) {
        af_sheet_push_part(sheet, &(af_scene_group){.id = "counters"});
        af_counters_draw(sheet);
        af_scene_pop(sheet->scene);
    }
    af_sheet_finish_pack(sheet);
    af_footer_draw(sheet, first, n);
    if (below_c > 0) {
        af_scene_pop(sheet->scene);
    }
    af_scene_page_resize(sheet->scene, sheet->width_c, sheet->y_c + below_c);
}

static void draw_pages(af_sheet *sheet)
{
    const af_chart *chart = sheet->options->chart;
    const gboolean counters = chart && chart->markers && chart->markers->n_counters > 0;
    if (sheet->options->thumbnail && sheet->n_panels > 0) {
        af_thumbnail_draw(sheet);
        return;
    }
    if (!sheet->options->paged || sheet->n_panels == 0) {
        draw_page(sheet, 0, sheet->n_panels, counters, NULL);
        return;
    }
    sheet->n_pages = sheet->n_panels + (counters ? 1 : 0);
    for (uint32_t i = 0; i < sheet->n_panels; i++) {
        const af_thread *thread = &sheet->profile->threads[sheet->panels[i].thread];
        sheet->page = i + 1;
        draw_page(sheet, i, 1, FALSE, af_sheet_thread_name(sheet, thread));
    }
    if (counters) {
        sheet->page = sheet->n_pages;
        draw_page(sheet, 0, 0, TRUE, "Counters");
    }
}

static void draw_trial(void *user)
{
    af_sheet *sheet = user;
    af_footer_prepare(sheet);
    draw_pages(sheet);
}

gboolean af_sheet_is_chosen(const af_sheet *sheet)
{
    return sheet->options->choices != NULL && sheet->options->choices[0] != NULL;
}

static int32_t find_width(const af_sheet_options *options)
{
    return CLAMP(options->width_c, AF_WIDTH_MIN_C, AF_EXTENT_MAX_C);
}

uint64_t af_sheet_shortest_ns(const af_sheet_options *options, uint64_t axis_ns)
{
    const uint32_t graph_c = (uint32_t)(find_width(options) - 2 * AF_MARGIN_C);
    const af_u128 part = (af_u128)axis_ns * (uint32_t)options->min_width_c;
    return (uint64_t)((part + graph_c - 1) / graph_c);
}

static gboolean compact(af_sheet *sheet)
{
    if (sheet->options->full_depth || sheet->options->sandwich) {
        return TRUE;
    }
    const gboolean done = af_recursion_compact(sheet->profile, sheet->scene, &sheet->recursion);
    sheet->profile = sheet->recursion ? &sheet->recursion->profile : sheet->profile;
    return done;
}

af_scene *af_sheet_new(const af_profile *profile, const af_sheet_options *options)
{
    af_sheet sheet = {
        .profile = profile,
        .options = options,
        .scene = options->into ? options->into : af_scene_new(),
        .panels = g_try_new0(af_panel, (gsize)options->n_threads + 1),
        .width_c = find_width(options),
    };
    sheet.graph_c = sheet.width_c - (options->thumbnail ? 0 : 2 * AF_MARGIN_C);
    gboolean done = sheet.scene && sheet.panels && compact(&sheet);
    sheet.n_names = sheet.profile->n_labels;
    sheet.names = g_try_new0(const char *, (gsize)sheet.n_names + 1);
    sheet.busy = af_busy_new(sheet.profile, options->clock);
    done = done && sheet.names && sheet.busy;
    if (done && options->interactive) {
        af_sheet_equip(&sheet);
    }
    done = done && make_panels(&sheet);
    if (done && !options->chart && !options->full_depth && !options->paged &&
        options->height_c == 0) {
        share_rows(&sheet);
    }
    if (done && options->interactive) {
        af_sheet_set_grid(&sheet);
    }
    if (done && !options->thumbnail) {
        af_sheet_fit(&sheet, draw_trial);
    }
    done = done && af_footer_prepare(&sheet) && set_about(&sheet);
    if (done) {
        draw_pages(&sheet);
    }
    done = af_sheet_finish_pack(&sheet) && done && af_scene_ok(sheet.scene);
    af_pack_free(sheet.pack);
    for (uint32_t i = 0; i < sheet.n_panels; i++) {
        af_panel_clear(&sheet.panels[i]);
    }
    g_free(sheet.panels);
    g_free(sheet.names);
    af_busy_free(sheet.busy);
    af_recursion_free(sheet.recursion);
    if (!done && !options->into) {
        af_scene_free(sheet.scene);
    }
    return done ? sheet.scene : NULL;
}
