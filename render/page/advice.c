/* Advice in the header of a graph that shows little of its content. */
#include "base/number.h"
#include "model/numbered.h"
#include "render/page/sheet_parts.h"

static void add_recursion(const af_sheet *sheet, uint32_t first, uint32_t n, GPtrArray *pieces)
{
    const af_recursion *compact = sheet->recursion;
    uint32_t deepest = compact ? compact->deepest : 0, label = compact ? compact->label : 0;
    for (uint32_t i = first; !compact && i < first + n; i++) {
        uint32_t one = 0;
        const gboolean is_high = sheet->panels[i].layout->rows_in_tree > AF_FIRST_ROWS;
        const uint32_t depth = is_high ? af_recursion_depth(sheet->panels[i].tree, &one) : 0;
        label = depth > deepest ? one : label;
        deepest = MAX(deepest, depth);
    }
    if (deepest >= AF_RECURSION_MIN) {
        char number[AF_NUMBER_SIZE];
        g_autoptr(GString) name = g_string_new(NULL);
        af_sheet_append_name(name, sheet->profile->labels[label].text);
        g_ptr_array_add(
            pieces, g_strdup_printf(compact ? "%s calls itself up to %s times in a row, drawn as "
                                              "one frame: --full-depth draws each call"
                                            : "%s calls itself up to %s times in a row: "
                                              "--collapse-recursion makes that one frame",
                                    name->str, af_number_count(number, deepest)));
    }
}

/* Whether the panels show less than half of their time in frames of its own methods. */
static gboolean is_mostly_hidden(const af_sheet *sheet, uint32_t first, uint32_t n)
{
    uint64_t hidden_ns = 0, total_ns = 0;
    for (uint32_t i = first; i < first + n; i++) {
        hidden_ns += sheet->panels[i].layout->hidden_ns;
        total_ns += af_panel_time_ns(sheet, &sheet->panels[i]);
    }
    return hidden_ns > total_ns / 2;
}

/* Offers to merge numbered names, if most labels have few other forms. */
static void add_numbered(const af_sheet *sheet, GPtrArray *pieces)
{
    enum { ALIKE_MIN = 10 };
    const af_profile *profile = sheet->profile;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const char *example = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < profile->n_labels; i++) {
        char *name = af_numbered_name(profile->labels[i].text);
        if (name) {
            example = example ? example : profile->labels[i].text;
            n++;
            g_hash_table_add(names, name);
        }
    }
    if (n > profile->n_labels / 2 && n >= ALIKE_MIN * g_hash_table_size(names)) {
        g_autofree char *name = af_numbered_name(example);
        g_autoptr(GString) from = g_string_new(NULL), to = g_string_new(NULL);
        af_sheet_append_name(from, example);
        af_sheet_append_name(to, name);
        g_ptr_array_add(pieces, g_strdup_printf("--merge-numbers draws %s and the like as %s",
                                                from->str, to->str));
    }
}

void af_advice_add(const af_sheet *sheet, uint32_t first, uint32_t n, GPtrArray *pieces)
{
    if (sheet->options->chart) {
        return;
    }
    add_recursion(sheet, first, n, pieces);
    if (!is_mostly_hidden(sheet, first, n)) {
        return;
    }
    add_numbered(sheet, pieces);
    if (af_profile_timeline_clock(sheet->profile) >= 0) {
        g_ptr_array_add(pieces, g_strdup("over half of the time is in frames too narrow to draw: "
                                         "--view chart shows single calls"));
    } else if (sheet->profile->n_threads > 1) {
        g_ptr_array_add(pieces, g_strdup("over half is in frames too narrow to draw: "
                                         "--merge-threads shows threads as one"));
    }
}
