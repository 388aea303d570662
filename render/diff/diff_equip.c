/* Adds the data that a viewer needs to lay out the sheet again. */
#include <string.h>

#include "render/diff/diff_parts.h"

static void need_texts(const af_diff_sheet *sheet)
{
    const af_diff *diff = sheet->diff;
    af_scene *scene = sheet->page.scene;
    for (uint32_t i = 0; i < diff->n_labels; i++) {
        const af_diff_label *label = &diff->labels[i];
        af_scene_need_paint(scene, af_paint_frame(label->category, AF_CATEGORY_DIM), FALSE);
        af_scene_need_text(scene, FALSE, label->text);
        if (label->source) {
            af_scene_need_text(scene, FALSE, label->source);
        }
    }
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        af_scene_need_text(scene, FALSE, diff->threads[t].title);
        af_scene_need_text(scene, TRUE, diff->threads[t].title);
        const af_diff_tree *tree = &diff->threads[t].tree;
        if (tree->n > 0 && memchr(tree->category, AF_CATEGORY_IDLE, tree->n) != NULL) {
            af_scene_need_paint(scene, af_paint_frame(AF_CATEGORY_IDLE, AF_CATEGORY_DIM), FALSE);
        }
    }
}

static void report_omissions(af_diff_sheet *sheet, const af_pack *pack)
{
    char width[AF_NUMBER_SIZE];
    if (pack->left_out == 0) {
        return;
    }
    g_autofree char *count = af_sheet_count(pack->left_out, "call path", "call paths");
    sheet->omissions =
        g_strdup_printf("the file omits the narrowest %s: %s wide in all", count,
                        af_number_amount(width, pack->left_out_ns, &sheet->diff->unit));
    if (sheet->options->messages) {
        g_ptr_array_add(sheet->options->messages, g_strdup(sheet->omissions));
    }
}

static gboolean attach_union(af_diff_sheet *sheet)
{
    const af_diff *diff = sheet->diff;
    gboolean *drawn = g_try_new0(gboolean, (gsize)diff->n_threads + 1);
    af_pack *pack = NULL;
    for (uint32_t i = 0; drawn && i < sheet->page.n_panels; i++) {
        drawn[sheet->page.panels[i].thread] = TRUE;
    }
    if (drawn) {
        pack = af_diff_pack_new(diff, &(af_diff_pack_options){.input = sheet->options->inputs,
                                                              .drawn = drawn,
                                                              .budget = sheet->options->pack_budget,
                                                              .jobs = sheet->options->jobs});
    }
    g_free(drawn);
    if (!pack) {
        return FALSE;
    }
    af_scene_attach(sheet->page.scene, AF_ATTACHED_TREES, pack->bytes, pack->plain_length);
    report_omissions(sheet, pack);
    af_pack_free(pack);
    return TRUE;
}

gboolean af_diff_equip(af_diff_sheet *sheet)
{
    const af_diff_sheet_options *options = sheet->options;
    af_scene_set_grid(sheet->page.scene, &(af_scene_grid){.min_width = options->min_width_c,
                                                          .inverted = options->inverted,
                                                          .full_depth = options->full_depth,
                                                          .fluid = options->fluid,
                                                          .chosen = options->chosen});
    static const af_paint hatched[] = {AF_PAINT_SHRUNK, AF_PAINT_SHRUNK_PALE};
    af_scene *scene = sheet->page.scene;
    for (unsigned paint = 0; paint < AF_PAINT_FRAME; paint++) {
        af_scene_need_paint(scene, (af_paint)paint, FALSE);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(hatched); i++) {
        af_scene_need_paint(scene, hatched[i], TRUE);
    }
    need_texts(sheet);
    return !options->packed || attach_union(sheet);
}
