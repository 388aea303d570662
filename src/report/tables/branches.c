#include "report/tables/branches.h"

#include <string.h>
#include "base/wide.h"

enum { NAME, DEPTH, PARENT, FIGURES };

gboolean af_branch_is_large(const af_report_request *request, uint64_t time_ns, uint64_t whole_ns)
{
    return (af_u128)time_ns * 10000 >= (af_u128)whole_ns * request->least_c;
}

/* The position of each branch in a walk from the top. */
typedef struct {
    uint32_t *first, *last, *next; /* child and sibling, AF_NO_BRANCH = none */
    uint32_t *depth, *row;
    uint32_t *block;
} walk;

static gboolean begin_walk(walk *w, uint32_t n)
{
    w->block = g_try_new(uint32_t, (size_t)MAX(n, 1) * 5);
    if (w->block == NULL) {
        return FALSE;
    }
    w->first = w->block;
    w->last = w->first + n;
    w->next = w->last + n;
    w->depth = w->next + n;
    w->row = w->depth + n;
    memset(w->block, 0xFF, (size_t)n * 5 * sizeof *w->block);
    return TRUE;
}

/* Returns the first root. */
static uint32_t link_branches(walk *w, const af_branch *branches, uint32_t n)
{
    uint32_t root = AF_NO_BRANCH, last_root = AF_NO_BRANCH;
    for (uint32_t b = 0; b < n; b++) {
        const uint32_t parent = branches[b].parent;
        uint32_t *first = parent == AF_NO_BRANCH ? &root : &w->first[parent];
        uint32_t *last = parent == AF_NO_BRANCH ? &last_root : &w->last[parent];
        w->depth[b] = parent == AF_NO_BRANCH ? 0 : w->depth[parent] + 1;
        if (*last == AF_NO_BRANCH) {
            *first = b;
        } else {
            w->next[*last] = b;
        }
        *last = b;
    }
    return root;
}

/* The branch after `b` in a walk from the top. */
static uint32_t step(const walk *w, const af_branch *branches, uint32_t b)
{
    if (w->first[b] != AF_NO_BRANCH) {
        return w->first[b];
    }
    while (b != AF_NO_BRANCH && w->next[b] == AF_NO_BRANCH) {
        b = branches[b].parent;
    }
    return b == AF_NO_BRANCH ? b : w->next[b];
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
                       walk *w)
{
    for (uint32_t b = link_branches(w, branches, n_branches); b != AF_NO_BRANCH;
         b = step(w, branches, b)) {
        af_cell *row = af_table_add_row(table);
        w->row[b] = table->n_rows - 1;
        row[NAME].text = af_relative_name(names, branches[b].name);
        row[DEPTH].number = w->depth[b];
        if (branches[b].parent != AF_NO_BRANCH) {
            row[PARENT].number = w->row[branches[b].parent];
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
    walk w;
    af_relative_names names =
        af_relative_names_of(request, style->rooted ? NULL : scope->thread_word);
    af_figures_begin(&figures, scope, style->figures);
    af_table *table = af_table_new(style->id, style->title);
    table->order = AF_ROWS_NESTED;
    table->subtitle = describe_order(request, style);
    af_scope_times(scope, table->whole_ns);
    add_columns(table, &figures);
    if (names.copies != NULL && af_table_reserve(table, n_branches) && begin_walk(&w, n_branches)) {
        fill_table(table, &figures, &names, style, branches->items, n_branches, &w);
        g_free(w.block);
    } else {
        af_table_free(table);
        table = NULL;
    }
    g_free(names.copies);
    return table;
}
