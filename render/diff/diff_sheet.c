#include <string.h>

#include "render/diff/diff_parts.h"

/* Threads are sorted by the size of their change. Without any change, the first threads are drawn. */
static gboolean has_panel(const af_diff_sheet *sheet, uint32_t thread, gboolean any_changed)
{
    if (sheet->options->chosen) {
        return sheet->page.n_panels < AF_PANELS_MAX;
    }
    const gboolean changed = !af_diff_is_pale((uint8_t)sheet->diff->threads[thread].status);
    return sheet->page.n_panels < AF_DIFF_PANELS && (changed || !any_changed);
}

static gboolean make_panels(af_diff_sheet *sheet)
{
    const af_diff *diff = sheet->diff;
    const af_diff_sheet_options *options = sheet->options;
    gboolean any_changed = FALSE;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        any_changed = any_changed || !af_diff_is_pale((uint8_t)diff->threads[t].status);
    }
    /* heads, lines and margins: about 100 pixels each */
    int64_t left_c = AF_EXTENT_MAX_C - (int64_t)MIN(diff->n_threads, AF_PANELS_MAX) * 100 * AF_PX;
    left_c = MAX(left_c, AF_EXTENT_MAX_C / 2);
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        if (!has_panel(sheet, t, any_changed)) {
            continue;
        }
        af_panel *panel = &sheet->page.panels[sheet->page.n_panels++];
        if (!af_diff_panel_lay_out(panel, diff, t, sheet->page.graph_c, options->min_width_c)) {
            return FALSE;
        }
        const int64_t held = (options->paged ? AF_EXTENT_MAX_C / 2 : left_c) / AF_ROW_C;
        panel->rows =
            af_panel_count_rows(&sheet->page, panel, (uint32_t)MAX(held, 0), af_diff_label_fit);
        left_c -= (int64_t)panel->rows * AF_ROW_C;
    }
    return TRUE;
}

static gboolean is_drawn(const af_diff_sheet *sheet, uint32_t thread)
{
    for (uint32_t i = 0; i < sheet->page.n_panels; i++) {
        if (sheet->page.panels[i].thread == thread) {
            return TRUE;
        }
    }
    return FALSE;
}

static char *describe_thread(const af_diff_sheet *sheet, const af_diff_thread *thread,
                             gboolean last)
{
    char amount[AF_NUMBER_SIZE];
    const uint64_t after = af_diff_path_time(&thread->tree, AF_AFTER, 0);
    const uint64_t before = af_diff_path_time(&thread->tree, AF_BEFORE, 0);
    if (thread->status == AF_DIFF_SAME) {
        af_number_amount(amount, after, &sheet->diff->unit);
    } else {
        af_number_change(amount, before, after, &sheet->diff->unit);
    }
    return af_sheet_list_thread(thread->title, amount, last);
}

/* "2 threads unchanged: Binder (12 ms), worker (3 ms)"; `words` is the sentence before the colon.
 */
static void draw_left_out(af_diff_sheet *sheet, unsigned status_bits, const char *words)
{
    const af_diff *diff = sheet->diff;
    g_autoptr(GArray) threads = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        if ((status_bits >> diff->threads[t].status & 1u) && !is_drawn(sheet, t)) {
            g_array_append_val(threads, t);
        }
    }
    if (threads->len > 0) {
        g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *count =
            diff->thread_word != NULL
                ? af_sheet_count(threads->len, diff->thread_word, diff->threads_word)
                : af_sheet_count(threads->len, "thread", "threads");
        g_ptr_array_add(pieces, g_strdup_printf(words, count));
        const guint named = MIN(threads->len, AF_NAMED_THREADS);
        for (guint i = 0; i < named; i++) {
            const af_diff_thread *thread = &diff->threads[g_array_index(threads, uint32_t, i)];
            g_ptr_array_add(pieces, describe_thread(sheet, thread, i + 1 == threads->len));
        }
        af_footer_write_threads(&sheet->page, pieces, threads->len - named);
    }
}

static char *describe_hidden(const af_diff_sheet *sheet, uint32_t first, uint32_t n)
{
    uint64_t nodes = 0, hidden = 0, total = 0;
    for (uint32_t i = first; i < first + n; i++) {
        nodes += sheet->page.panels[i].layout->hidden_nodes;
        hidden += sheet->page.panels[i].layout->hidden_ns;
        total += sheet->page.panels[i].tree->inclusive[AF_WALL][0];
    }
    char amount[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    g_autofree char *count = af_sheet_count(nodes, AF_SAY_FRAMES);
    af_number_amount(amount, hidden, &sheet->diff->unit);
    af_number_share(share, hidden, total);
    return nodes > 0 ? g_strdup_printf(AF_SAY_HIDDEN_FRAMES, count, amount, share) : NULL;
}

void af_diff_footer_draw(af_diff_sheet *sheet, uint32_t first, uint32_t n)
{
    static const char *const words[] = {AF_SAY_DIFF_LEFT_OUT};
    const unsigned same = 1u << AF_DIFF_SAME, noise = 1u << AF_DIFF_NOISE;
    const unsigned groups[] = {~(same | noise), noise, same};
    af_sheet *page = &sheet->page;
    af_scene_group group = {.id = "foot"};
    if (sheet->omissions) {
        group.graph_facts = af_scene_string(page->scene, sheet->omissions);
    }
    af_footer_begin(page, &group);
    for (unsigned i = 0; i < G_N_ELEMENTS(groups); i++) {
        draw_left_out(sheet, groups[i], words[i]);
    }
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(g_free);
    if (sheet->omissions) {
        g_ptr_array_add(pieces, g_strdup(sheet->omissions));
    }
    af_footer_end(page, describe_hidden(sheet, first, n), pieces, sheet->options->command);
}

/* Three sentences to paste: what the picture shows, the verdict, and the largest cause. */
static void describe_ticket(const af_diff_sheet *sheet, GString *to)
{
    const af_diff_sheet_options *options = sheet->options;
    g_string_append(to, "Comparison of ");
    af_sheet_append_name(to, options->title != NULL ? options->title : options->inputs);
    g_string_append_printf(to, ", with both sides compared and a graph of their union. %s.",
                           options->verdict);
    if (sheet->diff->n_causes > 0) {
        g_string_append_printf(to, " %s.", (const char *)options->causes->pdata[0]);
    }
}

static void set_about(af_diff_sheet *sheet)
{
    static const char *const clocks[] = {[AF_WALL] = "wall", [AF_CPU] = "cpu", [AF_WAIT] = "wait"};
    const af_diff *diff = sheet->diff;
    g_autoptr(GString) description = g_string_new(NULL);
    const GPtrArray *all[] = {sheet->options->sentences, sheet->options->causes};
    const gboolean is_ticket = sheet->options->verdict != NULL;
    if (is_ticket) {
        describe_ticket(sheet, description);
    }
    for (unsigned a = 0; !is_ticket && a < G_N_ELEMENTS(all); a++) {
        for (guint i = 0; all[a] != NULL && i < all[a]->len; i++) {
            g_string_append_printf(description, "%s%s", description->len > 0 ? ". " : "",
                                   (const char *)all[a]->pdata[i]);
        }
    }
    af_scene_set_about(sheet->page.scene,
                       &(af_scene_about){.title = sheet->options->title ? sheet->options->title
                                                                        : sheet->options->inputs,
                                         .input = sheet->options->inputs,
                                         .clock = diff->unit.name ? NULL : clocks[diff->clock],
                                         .unit = diff->unit,
                                         .description = description->str,
                                         .compared = TRUE,
                                         .thread_word = diff->thread_word,
                                         .date_s = -1});
}

static void draw_page(af_diff_sheet *sheet, uint32_t first, uint32_t n, const char *title)
{
    af_sheet *page = &sheet->page;
    af_scene_page_add(page->scene, page->width_c, AF_PX, title, title);
    page->y_c = 0;
    af_diff_header_draw(sheet, first, n);
    for (uint32_t i = first; i < first + n; i++) {
        af_diff_panel_draw(sheet, &sheet->page.panels[i]);
    }
    af_diff_footer_draw(sheet, first, n);
    af_scene_page_resize(page->scene, page->width_c, page->y_c);
}

static void draw_pages(af_diff_sheet *sheet)
{
    if (!sheet->options->paged || sheet->page.n_panels == 0) {
        draw_page(sheet, 0, sheet->page.n_panels, NULL);
        return;
    }
    sheet->page.n_pages = sheet->page.n_panels;
    for (uint32_t i = 0; i < sheet->page.n_panels; i++) {
        sheet->page.page = i + 1;
        draw_page(sheet, i, 1, sheet->diff->threads[sheet->page.panels[i].thread].title);
    }
}

static void draw_trial(void *user)
{
    draw_pages(user);
}

static void fit(af_diff_sheet *sheet)
{
    if (sheet->options->height_c > 0 && !sheet->options->paged) {
        sheet->page.fitted = af_fit_run(&sheet->page, sheet->options->height_c, draw_trial, sheet);
    }
}

af_scene *af_diff_sheet_new(const af_diff *diff, const af_diff_sheet_options *options)
{
    const af_sheet_options page_options = {.paged = options->paged,
                                           .full_depth = options->full_depth,
                                           .height_c = options->height_c,
                                           .program = options->program};
    af_diff_sheet sheet = {
        .page = {.options = &page_options,
                 .scene = af_scene_new(),
                 .names = g_try_new0(const char *, (gsize)diff->n_labels + 1),
                 .n_names = diff->n_labels,
                 .panels = g_try_new0(af_panel, (gsize)diff->n_threads + 1),
                 .width_c = CLAMP(options->width_c, AF_WIDTH_MIN_C, AF_EXTENT_MAX_C)},
        .diff = diff,
        .options = options,
    };
    af_scene *scene = sheet.page.scene;
    sheet.page.graph_c = sheet.page.width_c - 2 * AF_MARGIN_C;
    gboolean done = scene && sheet.page.names && sheet.page.panels;
    const gboolean is_ticket = options->verdict != NULL;
    done = done && (is_ticket || make_panels(&sheet));
    if (done && options->interactive) {
        done = af_diff_equip(&sheet);
    }
    if (done) {
        set_about(&sheet);
    }
    if (done && is_ticket) {
        done = af_diff_ticket_draw(&sheet) && af_scene_ok(scene);
    } else if (done) {
        fit(&sheet);
        draw_pages(&sheet);
        done = af_scene_ok(scene);
    }
    for (uint32_t i = 0; i < sheet.page.n_panels; i++) {
        af_panel_clear(&sheet.page.panels[i]);
    }
    g_free(sheet.page.panels);
    g_free(sheet.page.names);
    g_free(sheet.omissions);
    if (!done) {
        g_clear_pointer(&scene, af_scene_free);
    }
    return scene;
}
