/* The comparison in words, and its legend. */
#include <string.h>

#include "render/diff/diff_parts.h"
#include "render/face.h"

/* Writes sentences, each on lines of its own. */
static void draw_sentences(af_diff_sheet *sheet, af_paint paint, const GPtrArray *sentences)
{
    const af_flow flow = {.size = AF_FACTS_C,
                          .line_c = AF_FACTS_LINE_C,
                          .paint = paint,
                          .lines_max = AF_DIFF_SENTENCE_LINES};
    for (guint i = 0; sentences != NULL && i < sentences->len; i++) {
        g_autoptr(GPtrArray) one = g_ptr_array_new();
        g_ptr_array_add(one, sentences->pdata[i]);
        af_sheet_flow(&sheet->page, &flow, one);
        sheet->page.y_c += AF_FACTS_LINE_C;
    }
}

/* "14 methods changed, 5 are new, 4 are gone, 2 moved" */
static void add_verdict(const af_diff_sheet *sheet, GPtrArray *to)
{
    static const char *const words[AF_DIFF_STATUSES] = {AF_SAY_DIFF_STATUSES};
    static const af_diff_status order[] = {AF_DIFF_CHANGED, AF_DIFF_NEW,    AF_DIFF_GONE,
                                           AF_DIFF_MOVED,   AF_DIFF_UNSURE, AF_DIFF_NOISE,
                                           AF_DIFF_SAME};
    const af_diff *diff = sheet->diff;
    uint32_t n[AF_DIFF_STATUSES] = {0};
    char number[AF_NUMBER_SIZE];
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        n[diff->methods[i].status]++;
    }
    g_autoptr(GString) text = g_string_new("methods:");
    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
        if (n[order[i]] > 0) {
            g_string_append_printf(text, "%s %s %s", text->str[text->len - 1] == ':' ? "" : ",",
                                   af_number_count(number, n[order[i]]), words[order[i]]);
        }
    }
    if (diff->n_methods > 0) {
        g_ptr_array_add(to, g_strdup(text->str));
    }
}

/* The own differences of all paths within noise, which are drawn pale. */
static af_diff_parts sum_noise(const af_diff *diff)
{
    af_diff_parts sum = {0, 0, 0};
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (uint32_t n = 0; n < tree->n; n++) {
            const uint64_t before = tree->self[AF_BEFORE][diff->clock][n];
            const uint64_t after = tree->self[AF_AFTER][diff->clock][n];
            if (tree->status[n] == AF_DIFF_NOISE) {
                sum.grown += after > before ? after - before : 0;
                sum.shrunk += before > after ? before - after : 0;
            }
        }
    }
    return sum;
}

static void add_noise(const af_diff_sheet *sheet, GPtrArray *to)
{
    const af_diff_parts noise = sum_noise(sheet->diff);
    char grown[AF_NUMBER_SIZE], shrunk[AF_NUMBER_SIZE];
    if (noise.grown > 0 || noise.shrunk > 0) {
        g_ptr_array_add(
            to, g_strdup_printf(AF_SAY_DIFF_PALE_TIME,
                                af_number_amount(grown, noise.grown, &sheet->diff->unit),
                                af_number_amount(shrunk, noise.shrunk, &sheet->diff->unit)));
    }
}

/* Whether any thread has time on one side only. */
static gboolean differs(const af_diff *diff)
{
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        if (tree->n > 0 && (tree->grown[0] > 0 || tree->shrunk[0] > 0)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* An entry whose sample looks like a frame with this status; `ends` as in af_diff_bar_draw(). */
static void draw_entry(af_diff_sheet *sheet, int32_t *x, af_paint paint, const int32_t ends[2],
                       af_diff_status status, const char *text)
{
    af_legend_wrap(&sheet->page, x, AF_LEGEND_LINE_C, text);
    const af_scene_rect sample = {
        .x = *x, .y = sheet->page.y_c, .width = AF_SWATCH_C, .height = AF_SWATCH_C, .paint = paint};
    af_diff_bar_draw(sheet, &sample, ends, af_diff_is_pale((uint8_t)status));
    if (paint == af_paint_frame(AF_CATEGORY_IDLE, AF_CATEGORY_DIM)) {
        af_sheet_texture(&sheet->page, &sample, AF_TEXTURE_DOTS);
    } else if (status == AF_DIFF_MOVED) {
        af_diff_bar_dash(sheet, &sample);
    }
    *x += AF_SWATCH_TO_TEXT_C;
    af_legend_text(&sheet->page, x, AF_SWATCH_BASELINE_C, AF_PAINT_INK, text);
}

static gboolean has_moved(const af_diff_sheet *sheet)
{
    for (uint32_t i = 0; i < sheet->page.n_panels; i++) {
        const af_diff_tree *tree = &sheet->diff->threads[sheet->page.panels[i].thread].tree;
        for (uint32_t n = 0; n < tree->n; n++) {
            if (tree->status[n] == AF_DIFF_MOVED) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

/* Whether anything that differs is drawn pale. */
static gboolean has_pale(const af_diff_sheet *sheet)
{
    for (uint32_t i = 0; i < sheet->page.n_panels; i++) {
        const af_diff_thread *thread = &sheet->diff->threads[sheet->page.panels[i].thread];
        const af_diff_tree *tree = &thread->tree;
        for (uint32_t n = 0; n < tree->n; n++) {
            const uint8_t status = n == 0 ? (uint8_t)thread->status : tree->status[n];
            if (af_diff_is_pale(status) && (tree->grown[n] > 0 || tree->shrunk[n] > 0)) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

void af_diff_meanings_draw(af_diff_sheet *sheet)
{
    static const int32_t common[2] = {AF_SWATCH_C, AF_SWATCH_C}, grown[2] = {0, AF_SWATCH_C},
                         shrunk[2] = {0, 0}, half[2] = {0, AF_SWATCH_C / 2};
    static const char *const widths[] = {AF_SAY_DIFF_WIDTHS};
    const af_paint paint = AF_PAINT_BLOCK;
    int32_t x = AF_MARGIN_C;
    g_autofree char *title = g_strconcat(widths[0], ":", NULL);
    af_legend_text(&sheet->page, &x, AF_SWATCH_BASELINE_C, AF_PAINT_MUTED, title);
    draw_entry(sheet, &x, paint, common, AF_DIFF_CHANGED, AF_SAY_DIFF_COMMON);
    if (differs(sheet->diff)) {
        draw_entry(sheet, &x, paint, grown, AF_DIFF_CHANGED, AF_SAY_DIFF_GROWN);
        draw_entry(sheet, &x, paint, shrunk, AF_DIFF_CHANGED, AF_SAY_DIFF_SHRUNK);
        if (has_pale(sheet)) {
            draw_entry(sheet, &x, paint, half, AF_DIFF_NOISE, AF_SAY_DIFF_PALE);
        }
    }
    if (has_moved(sheet)) {
        draw_entry(sheet, &x, paint, common, AF_DIFF_MOVED, AF_SAY_DIFF_MOVED);
    }
    sheet->page.y_c += AF_LEGEND_LINE_C;
}

static void draw_categories(af_diff_sheet *sheet, uint32_t first, uint32_t n)
{
    static const int32_t common[2] = {AF_SWATCH_C, AF_SWATCH_C};
    uint64_t sums[AF_SIDES][AF_CATEGORY_COUNT] = {{0}};
    gboolean drawn[AF_CATEGORY_COUNT] = {FALSE};
    int32_t x = AF_MARGIN_C;
    for (uint32_t i = first; i < first + n; i++) {
        /* Adds up the self times of a panel by category, and finds the categories of frames with
         * any time. */
        const af_diff_tree *tree = &sheet->diff->threads[sheet->page.panels[i].thread].tree;
        for (unsigned s = 0; s < AF_SIDES; s++) {
            for (uint32_t k = 1; k < tree->n; k++) {
                const uint8_t category = tree->category[k];
                sums[s][category] += tree->self[s][sheet->diff->clock][k];
                drawn[category] |= af_diff_path_time(tree, s, k) > 0;
            }
        }
    }
    const char *unit = sheet->diff->unit.name;
    g_autofree char *base = g_strdup_printf(AF_SAY_DIFF_CATEGORIES, unit ? unit : "time");
    af_legend_text(&sheet->page, &x, AF_SWATCH_BASELINE_C, AF_PAINT_MUTED, base);
    for (unsigned c = 0; c < AF_CATEGORY_COUNT; c++) {
        char change[AF_NUMBER_SIZE];
        if (drawn[c]) {
            af_number_change(change, sums[AF_BEFORE][c], sums[AF_AFTER][c], &sheet->diff->unit);
            g_autofree char *text = g_strdup_printf("%s %s", af_category_title(c), change);
            draw_entry(sheet, &x, af_paint_frame(c, AF_CATEGORY_DIM), common, AF_DIFF_CHANGED,
                       text);
        }
    }
    sheet->page.y_c += AF_SWATCH_C + AF_LEGEND_BOTTOM_C;
}

void af_diff_header_draw(af_diff_sheet *sheet, uint32_t first, uint32_t n)
{
    af_sheet *page = &sheet->page;
    /* The sentences about the whole. */
    g_autoptr(GPtrArray) sentences = g_ptr_array_new_with_free_func(g_free);
    const GPtrArray *given = sheet->options->sentences;
    for (guint i = 0; given != NULL && i < given->len; i++) {
        g_ptr_array_add(sentences, g_strdup(given->pdata[i]));
    }
    add_verdict(sheet, sentences);
    add_noise(sheet, sentences);
    const GPtrArray *causes = sheet->options->causes;
    const af_scene_group head = {.id = "head",
                                 .facts = af_sheet_lines(page, sentences),
                                 .graph_facts = causes ? af_sheet_lines(page, causes) : NULL};
    af_sheet_push_part(page, &head);
    page->y_c += AF_TITLE_BASELINE_C;
    af_sheet_text(page, AF_MARGIN_C, page->y_c, AF_TITLE_C, page->graph_c, TRUE, AF_PAINT_INK,
                  page->scene->about.title);
    page->y_c += AF_TITLE_TO_FACTS_C;
    draw_sentences(sheet, AF_PAINT_MUTED, sentences);
    draw_sentences(sheet, AF_PAINT_INK, causes);
    page->y_c += AF_FACTS_TO_LEGEND_C - AF_FACTS_LINE_C;
    af_diff_meanings_draw(sheet);
    draw_categories(sheet, first, n);
    af_sheet_rule(page);
    af_scene_pop(page->scene);
}
