/* Advice in the header of a graph that shows little of its content. */
#include "base/number.h"
#include "render/page/sheet_parts.h"

/* Deeper recursions fill the first screens and hide everything above. */
enum { RECURSION_MIN = 100 };

typedef struct {
    uint32_t depth, label;
} recursion;

/* The longest path of calls of a method to itself. */
static void find_recursion(const af_tree *tree, recursion *longest)
{
    uint32_t *depth = g_try_new0(uint32_t, (gsize)tree->n + 1);
    for (uint32_t i = 1; depth && i < tree->n; i++) {
        const uint32_t parent = tree->parent[i];
        depth[i] = parent > 0 && tree->label[parent] == tree->label[i] ? depth[parent] + 1 : 1;
        if (depth[i] > longest->depth) {
            *longest = (recursion){depth[i], tree->label[i]};
        }
    }
    g_free(depth); /* NULL if memory was refused: then the advice is left out */
}

static void add_recursion(const af_sheet *sheet, uint32_t first, uint32_t n, GPtrArray *pieces)
{
    recursion longest = {0};
    for (uint32_t i = first; i < first + n; i++) {
        if (sheet->panels[i].layout->rows_in_tree > AF_FIRST_ROWS) {
            find_recursion(sheet->panels[i].tree, &longest);
        }
    }
    if (longest.depth >= RECURSION_MIN) {
        char number[AF_NUMBER_SIZE];
        GString *name = g_string_new(NULL);
        af_sheet_append_name(name, sheet->profile->labels[longest.label].text);
        g_ptr_array_add(pieces, g_strdup_printf("%s calls itself up to %s times in a row: "
                                                "--collapse-recursion makes that one frame",
                                                name->str, af_number_count(number, longest.depth)));
        g_string_free(name, TRUE);
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

void af_advice_add(const af_sheet *sheet, uint32_t first, uint32_t n, GPtrArray *pieces)
{
    if (sheet->options->chart) {
        return;
    }
    add_recursion(sheet, first, n, pieces);
    if (!is_mostly_hidden(sheet, first, n)) {
        return;
    }
    if (af_profile_timeline_clock(sheet->profile) >= 0) {
        g_ptr_array_add(pieces, g_strdup("over half of the time is in frames too narrow to draw: "
                                         "--view chart shows single calls"));
    } else if (sheet->profile->n_threads > 1) {
        g_ptr_array_add(pieces, g_strdup("over half is in frames too narrow to draw: "
                                         "--merge-threads shows threads as one"));
    }
}
