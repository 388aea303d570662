#include <string.h>

#include "base/number.h"
#include "render/label.h"
#include "render/page/sheet_parts.h"

enum {
    NAME_WIDTH_MAX_C = 220 * AF_PX,
    LINE_C = 16 * AF_PX,
};

/* Keeps the first few of those that were left out so far; of equal ones the first come. */
static void add_left_out(af_left_out *left_out, uint32_t thread, uint64_t time_ns)
{
    uint32_t i = MIN(left_out->n, AF_LEFT_OUT_NAMED);
    left_out->n++;
    for (; i > 0 && left_out->first[i - 1].time_ns < time_ns; i--) {
        if (i < AF_LEFT_OUT_NAMED) {
            left_out->first[i] = left_out->first[i - 1];
        }
    }
    if (i < AF_LEFT_OUT_NAMED) {
        left_out->first[i].thread = thread;
        left_out->first[i].time_ns = time_ns;
    }
    left_out->n_first = MIN(left_out->n, AF_LEFT_OUT_NAMED);
}

gboolean af_footer_prepare(af_sheet *sheet)
{
    const af_profile *profile = sheet->profile;
    const af_clock clock = af_profile_busy_clock(profile);
    gboolean *drawn = g_try_new0(gboolean, (gsize)profile->n_threads + 1);
    for (uint32_t i = 0; drawn && i < sheet->n_panels; i++) {
        drawn[sheet->panels[i].thread] = TRUE;
    }
    for (uint32_t i = 0; drawn && i < profile->n_threads; i++) {
        /* not those of which the steps left nothing */
        const gboolean left = !af_sheet_is_reshaped(sheet) || profile->threads[i].tree->n > 1;
        if (!drawn[i] && left) {
            add_left_out(&sheet->left_out, i, af_thread_time_ns(profile, i, clock));
        }
    }
    g_free(drawn);
    return drawn != NULL;
}

static void add_thread(const af_sheet *sheet, uint32_t i, GPtrArray *pieces)
{
    char number[AF_NUMBER_SIZE];
    const uint32_t thread = sheet->left_out.first[i].thread;
    const af_fitted fitted =
        af_text_fit(sheet->profile->threads[thread].title, FALSE, AF_SMALL_C, NAME_WIDTH_MAX_C);
    char *name = af_sheet_isolate(fitted.text ? fitted.text : "(no name)");
    g_ptr_array_add(
        pieces, g_strdup_printf("%s %s%s", name,
                                af_sheet_amount(sheet, number, sheet->left_out.first[i].time_ns),
                                i + 1 < sheet->left_out.n ? "," : ""));
    g_free(name);
    g_free(fitted.text);
}

static void draw_left_out(af_sheet *sheet)
{
    const af_left_out *left_out = &sheet->left_out;
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    if (left_out->n > 0) {
        const char *by = !af_profile_has_clocks(sheet->profile)            ? ""
                         : af_profile_busy_clock(sheet->profile) == AF_CPU ? " (CPU time)"
                                                                           : " (wall time)";
        char *count = af_sheet_count(left_out->n, "thread", "threads");
        for (uint32_t i = 0; i < left_out->n_first; i++) {
            add_thread(sheet, i, pieces);
        }
        char **first = (char **)&pieces->pdata[0];
        char *rest = *first;
        *first = g_strdup_printf("%s not drawn%s: %s", count, by, rest);
        g_free(rest);
        g_free(count);
        if (left_out->n > left_out->n_first) {
            char number[AF_NUMBER_SIZE];
            g_ptr_array_add(
                pieces, g_strdup_printf("and %s more",
                                        af_number_count(number, left_out->n - left_out->n_first)));
        }
        const af_flow flow = {
            .first_x = AF_MARGIN_C,
            .size = AF_SMALL_C,
            .line_c = LINE_C,
            .paint = AF_PAINT_MUTED,
            .separator = " ",
        };
        af_sheet_flow(sheet, &flow, pieces);
        sheet->y_c += LINE_C;
    }
    g_ptr_array_unref(pieces);
}

/* What has no frame of its own on this page, and who drew it. */
static void draw_end(af_sheet *sheet, uint32_t first, uint32_t n)
{
    GPtrArray *pieces = g_ptr_array_new_with_free_func(g_free);
    uint64_t nodes = 0, hidden_ns = 0, total_ns = 0;
    for (uint32_t i = first; i < first + n; i++) {
        nodes += sheet->panels[i].layout->hidden_nodes;
        hidden_ns += sheet->panels[i].layout->hidden_ns;
        total_ns += af_panel_time_ns(sheet, &sheet->panels[i]);
    }
    if (nodes > 0) {
        char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
        const af_chart *chart = sheet->options->chart;
        const af_entry_words words =
            af_sheet_name_entries(sheet, sheet->options->threads, first, n);
        char *count = chart == NULL ? af_sheet_count(nodes, "frame too narrow", "frames too narrow")
                      : chart->options.sampled
                          ? af_sheet_count(nodes, "sample in too short a stretch",
                                           "samples in too short stretches")
                          : af_sheet_count(nodes, words.one, words.many);
        const char *too_short = chart != NULL && !chart->options.sampled ? " too short" : "";
        g_ptr_array_add(pieces, g_strdup_printf("%s%s to draw one by one: %s (%s)", count,
                                                too_short, af_sheet_amount(sheet, time, hidden_ns),
                                                af_number_share(share, hidden_ns, total_ns)));
        g_free(count);
    }
    af_sheet_add_accounts(sheet, pieces);
    char *missing = af_sheet_left_out(sheet);
    if (missing) {
        g_ptr_array_add(pieces, missing);
    }
    char *joined = af_sheet_joined(sheet);
    if (joined) {
        g_ptr_array_add(pieces, joined);
    }
    if (sheet->options->chart) {
        af_chart_markers_describe(sheet, pieces);
    }
    if (sheet->options->program) {
        g_ptr_array_add(pieces, g_strdup(sheet->options->program));
    }
    const af_flow flow = {
        .first_x = AF_MARGIN_C,
        .size = AF_SMALL_C,
        .line_c = LINE_C,
        .paint = AF_PAINT_MUTED,
        .separator = " \xc2\xb7 ",
    };
    af_sheet_flow(sheet, &flow, pieces);
    g_ptr_array_unref(pieces);
}

void af_footer_draw(af_sheet *sheet, uint32_t first, uint32_t n)
{
    sheet->y_c += 4 * AF_PX;
    af_sheet_rule(sheet);
    sheet->y_c += 19 * AF_PX;
    draw_left_out(sheet);
    draw_end(sheet, first, n);
    sheet->y_c += 16 * AF_PX;
}
