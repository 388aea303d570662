#include "report/tables/branches.h"

#include "base/wide.h"
#include "model/tree_rewrite.h"

enum { NAME, DEPTH, PARENT, FIGURES };

gboolean af_branch_is_large(const af_report_request *request, uint64_t time_ns, uint64_t whole_ns)
{
    return (af_u128)time_ns * 10000 >= (af_u128)whole_ns * request->least_c;
}

/* The position of each branch in a walk from the top. */
typedef struct {
    uint32_t *row;               /* by branch, + 1; before them that of the root of all */
    uint32_t *depth, *branch_of; /* by branch; by row */
} walk;

static gboolean begin_walk(walk *w, const af_branch *branches, uint32_t n)
{
    af_array parents;
    af_array_init(&parents, sizeof(uint32_t));
    *w = (walk){NULL, g_try_new0(uint32_t, (gsize)n + 1), g_try_new(uint32_t, (gsize)n + 1)};
    if (af_array_reach(&parents, (size_t)n + 1) && w->depth != NULL && w->branch_of != NULL) {
        for (uint32_t b = 0; b < n; b++) {
            const uint32_t parent = branches[b].parent;
            AF_ARRAY_AT(&parents, uint32_t, b + 1) = parent == AF_NO_BRANCH ? 0 : parent + 1;
            w->depth[b] = parent == AF_NO_BRANCH ? 0 : w->depth[parent] + 1;
        }
        w->row = af_tree_number_nodes(&parents);
    }
    for (uint32_t b = 0; w->row != NULL && b < n; b++) {
        w->branch_of[w->row[b + 1] - 1] = b;
    }
    af_array_clear(&parents);
    return w->row != NULL;
}

static void end_walk(const walk *w)
{
    g_free(w->row);
    g_free(w->depth);
    g_free(w->branch_of);
}

static void add_columns(af_table *table, const af_figures *figures)
{
    const af_column name = {.id = "name", .title = "method", .kind = AF_CELL_TEXT};
    const af_column depth = {.id = "depth", .kind = AF_CELL_COUNT, .plain = TRUE, .implied = TRUE};
    const af_column parent = {
        .id = "parent", .kind = AF_CELL_COUNT, .plain = TRUE, .implied = TRUE};
    af_table_add_column(table, &name);
    af_table_add_column(table, &depth);
    af_table_add_column(table, &parent);
    af_figures_add_columns(figures, table);
}

static void fill_row(af_cell *row, const af_figures *figures, const af_branch_style *style,
                     const af_branch *branch)
{
    const gboolean is_thread = style->rooted && branch->parent == AF_NO_BRANCH;
    af_figures_fill(figures, row + FIGURES, &branch->totals);
    for (unsigned i = 0; is_thread && i < figures->n; i++) {
        const unsigned figure = figures->columns[i].figure;
        if (figure != AF_FIGURE_INCLUSIVE && figure != AF_FIGURE_INCLUSIVE_SHARE &&
            figure != AF_FIGURE_RUNNABLE) {
            row[FIGURES + i].number = AF_ABSENT;
        }
    }
}

static void fill_table(af_table *table, const af_figures *figures, const af_relative_names *names,
                       const af_branch_style *style, const af_branch *branches, uint32_t n_branches,
                       const walk *w)
{
    for (uint32_t r = 0; r < n_branches; r++) {
        const uint32_t b = w->branch_of[r], parent = branches[b].parent;
        af_cell *row = af_table_add_row(table);
        row[NAME].text = af_relative_name(names, branches[b].name);
        row[DEPTH].number = w->depth[b];
        if (parent != AF_NO_BRANCH) {
            row[PARENT].number = w->row[parent + 1] - 1;
        }
        fill_row(row, figures, style, &branches[b]);
    }
}

/* "largest inclusive CPU first, without branches of less than 0.5 %" */
static const char *describe_order(const af_report_request *request, const af_branch_style *style)
{
    const char *time = style->figures == AF_FIGURES_OF_TREE_UP ? "self" : "inclusive";
    const char *clock = af_clock_title(af_scope_first_clock(&request->scope));
    const unsigned c = request->least_c;
    g_autoptr(GString) text = g_string_new(NULL);
    const gboolean clocked = request->scope.unit == NULL;
    g_string_printf(text, "largest %s%s%s first", time, clocked ? " " : "", clocked ? clock : "");
    if (c > 0) {
        g_string_append_printf(text, ", without branches of less than %u", c / 100);
        if (c % 100 > 0) {
            g_string_append_printf(text, c % 10 > 0 ? ".%02u" : ".%u",
                                   c % 10 > 0 ? c % 100 : c % 100 / 10);
        }
        g_string_append(text, " %");
    }
    return af_arena_copy(request->arena, text->str, text->len);
}

af_table *af_branches_to_table(const af_report_request *request, const af_branch_style *style,
                               const af_array *branches)
{
    const af_scope *scope = &request->scope;
    const uint32_t n_branches = (uint32_t)branches->n;
    af_figures figures;
    walk w = {NULL, NULL, NULL};
    af_relative_names names =
        af_relative_names_of(request, style->rooted ? NULL : scope->thread_word);
    af_figures_begin(&figures, scope, style->figures);
    af_table *table = af_table_new(style->id, style->title);
    table->order = AF_ROWS_NESTED;
    table->subtitle = describe_order(request, style);
    af_scope_times(scope, table->whole_ns);
    add_columns(table, &figures);
    if (names.copies != NULL && af_table_reserve(table, n_branches) &&
        begin_walk(&w, branches->items, n_branches)) {
        fill_table(table, &figures, &names, style, branches->items, n_branches, &w);
    } else {
        g_clear_pointer(&table, af_table_free);
    }
    end_walk(&w);
    g_free(names.copies);
    return table;
}
