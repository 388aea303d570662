#include <string.h>

#include "base/number.h"
#include "model/groups.h"
#include "model/waits.h"
#include "render/page/sheet_parts.h"

/* The titles of colours that do not mean their category; NULL = none. */
static const char *list_hues(const af_sheet *sheet)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    for (unsigned hue = 0; hue < AF_CATEGORY_COUNT; hue++) {
        const char *title = af_groups_hue_title(sheet->profile, hue);
        if (strcmp(title, af_category_title((af_category)hue)) != 0) {
            g_string_append_printf(lines, "%s%c %s", lines->len > 0 ? "\n" : "", 'a' + hue, title);
        }
    }
    return lines->len > 0 ? af_scene_string(sheet->scene, lines->str) : NULL;
}

void af_sheet_set_grid(const af_sheet *sheet)
{
    af_scene_set_grid(sheet->scene,
                      &(af_scene_grid){
                          .min_width = sheet->options->min_width_c,
                          .inverted = sheet->options->inverted && !sheet->options->sandwich,
                          .method = sheet->options->sandwich
                                        ? sheet->profile->labels[sheet->options->method].text
                                        : NULL,
                          .full_depth = sheet->options->full_depth,
                          .fluid = sheet->options->fluid,
                          .chosen = af_sheet_is_chosen(sheet),
                          .n_tall = sheet->options->n_tall,
                          .first_rows = sheet->first_rows,
                          .hues = list_hues(sheet),
                      });
}

static void need_text(const af_sheet *sheet, gboolean bold, const char *text)
{
    if (text) {
        af_scene_need_text(sheet->scene, bold, text);
    }
}

/* The paints of frames with this hue, and that of the legend, which has the middle shade. */
static void need_hue(const af_sheet *sheet, unsigned hue, unsigned shade)
{
    const unsigned both = 1u << AF_WALL | 1u << AF_CPU;
    const gboolean waits = (sheet->profile->clocks & both) == both;
    af_scene_need_paint(sheet->scene, af_paint_frame(hue, shade), FALSE);
    af_scene_need_paint(sheet->scene, af_paint_frame(hue, 2), FALSE);
    if (waits) {
        af_scene_need_paint(sheet->scene, af_paint_frame(hue, shade), TRUE);
        af_scene_need_paint(sheet->scene, af_paint_frame(hue, 2), TRUE);
    }
}

static void need_label(const af_sheet *sheet, const af_label *label)
{
    need_hue(sheet, af_label_hue(sheet->profile, label), label->shade);
    if (label->category == AF_CATEGORY_BLOCKED || label->category == AF_CATEGORY_KERNEL) {
        need_hue(sheet, AF_CATEGORY_IDLE, label->shade);
    }
    need_text(sheet, FALSE, label->text);
    if (label->methods == 1) {
        const af_method *method = &sheet->profile->methods[label->method];
        need_text(sheet, FALSE, method->signature);
        need_text(sheet, FALSE, method->source);
    }
}

/* By label: whether a packed thread has it; NULL = all. Free with g_free(). */
static guint8 *list_labels(const af_sheet *sheet)
{
    if (!sheet->options->drawn_only) {
        return NULL;
    }
    guint8 *packed = g_malloc0((size_t)sheet->profile->n_labels + 1);
    for (uint32_t t = 0; t < sheet->options->n_threads; t++) {
        const af_tree *tree = sheet->profile->threads[sheet->options->threads[t]].tree;
        for (uint32_t i = 1; i < tree->n; i++) {
            packed[tree->label[i]] = 1;
        }
    }
    return packed;
}

static void make_pack(void *user, unsigned piece)
{
    af_sheet *sheet = user;
    const af_pack_options options = {
        .clock = sheet->options->clock,
        .input = sheet->options->input,
        .threads = sheet->options->threads,
        .n_threads = sheet->options->n_threads,
        .drawn_only = sheet->options->drawn_only,
        .budget = sheet->options->pack_budget,
        .jobs = sheet->options->jobs,
        .chart = af_sheet_chart(sheet),
        .rank_ns = sheet->busy && sheet->busy->total_ns > 0 ? sheet->busy->time_ns : NULL,
    };
    sheet->pack = af_pack_new(sheet->profile, &options);
    sheet->pack_failed = sheet->pack == NULL;
}

void af_sheet_equip(af_sheet *sheet)
{
    const af_profile *profile = sheet->profile;
    /* the calls of a chart are packed after drawing, because packing merges some of them */
    if (sheet->options->packed && !sheet->options->chart) {
        af_work_begin(&sheet->packer, 1, sheet->options->jobs, make_pack, sheet);
    }
    for (unsigned paint = 0; paint < AF_PAINT_FRAME; paint++) {
        af_scene_need_paint(sheet->scene, (af_paint)paint, FALSE);
    }
    if (af_profile_has(profile, AF_WAIT)) {
        af_hues_need(sheet);
    }
    if (af_sheet_chart(sheet) && af_sheet_chart(sheet)->frames) {
        af_frame_tracks_need(sheet);
    }
    guint8 *packed = list_labels(sheet);
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        if (packed == NULL || packed[i]) {
            need_label(sheet, &profile->labels[i]);
        }
    }
    g_free(packed);
    const gboolean drawn_only = sheet->options->drawn_only;
    for (uint32_t i = 0; i < (drawn_only ? sheet->options->n_threads : profile->n_threads); i++) {
        const char *title = profile->threads[drawn_only ? sheet->options->threads[i] : i].title;
        need_text(sheet, FALSE, title);
        need_text(sheet, TRUE, title);
    }
    for (uint32_t i = 0; af_sheet_chart(sheet) && i < profile->markers.n_series; i++) {
        need_text(sheet, FALSE, profile->markers.series[i].name);
        need_text(sheet, TRUE, profile->markers.series[i].name);
    }
}

char *af_sheet_joined(const af_sheet *sheet)
{
    const af_chart *chart = af_sheet_chart(sheet);
    uint64_t joined = 0;
    if (!sheet->pack || !chart || chart->shortest_ns == 0) {
        return NULL;
    }
    for (uint32_t t = 0; t < chart->options.n_threads; t++) {
        const af_chart_thread *thread = &chart->threads[t];
        for (uint32_t i = 0; i < af_chart_n(thread); i++) {
            const af_chart_entry *entry = af_chart_at(thread, i);
            joined += entry->label == AF_NO_LABEL ? entry->calls : 0;
        }
    }
    char time[AF_NUMBER_SIZE], all[AF_NUMBER_SIZE], some[AF_NUMBER_SIZE];
    return g_strdup_printf("%s shorter than %s are merged in the file: %s of %s%s",
                           af_sheet_name_entries(sheet, NULL, 0, sheet->profile->n_threads).many,
                           af_number_time(time, chart->shortest_ns), af_number_count(some, joined),
                           af_number_count(all, chart->calls),
                           chart->options.sampled ? " samples" : "");
}

char *af_sheet_left_out(const af_sheet *sheet)
{
    if (!sheet->pack || sheet->pack->left_out == 0) {
        return NULL;
    }
    char time[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
    uint64_t total_ns = 0;
    for (uint32_t i = 0; i < sheet->profile->n_threads; i++) {
        total_ns += af_thread_time_ns(sheet->profile, i, sheet->options->clock);
    }
    const uint64_t time_ns = sheet->pack->left_out_ns;
    g_autofree char *count = af_sheet_count(sheet->pack->left_out, "call path", "call paths");
    return g_strdup_printf("the file omits the %s with the least time: %s (%s)", count,
                           af_sheet_amount(sheet, time, time_ns),
                           af_number_share(share, time_ns, total_ns));
}

static void add_message(const af_sheet *sheet, char *message)
{
    if (message && sheet->options->messages) {
        g_ptr_array_add(sheet->options->messages, message);
    } else {
        g_free(message);
    }
}

gboolean af_sheet_finish_pack(af_sheet *sheet)
{
    if (sheet->options->packed && sheet->options->chart && !sheet->pack) {
        make_pack(sheet, 0);
    }
    af_work_end(&sheet->packer);
    if (sheet->pack && sheet->scene->attachments->len == 0) {
        af_scene_attach(sheet->scene, AF_ATTACHED_TREES, sheet->pack->bytes,
                        sheet->pack->plain_length);
        add_message(sheet, af_sheet_left_out(sheet));
        add_message(sheet, af_sheet_joined(sheet));
    }
    return !sheet->pack_failed;
}
