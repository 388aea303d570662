#include "report/diff/diff_table.h"

#include <string.h>

#include "base/order.h"
#include "base/wide.h"
#include "report/diff/diff_format.h"

af_diff_table *af_diff_table_new(const char *id, const char *title, const char *name)
{
    af_diff_table *table = g_new0(af_diff_table, 1);
    table->id = id;
    table->title = title;
    table->name = name;
    table->rows = g_array_new(FALSE, TRUE, sizeof(af_diff_row));
    table->texts = af_arena_new();
    return table;
}

void af_diff_table_free(gpointer user)
{
    af_diff_table *table = user;
    if (table != NULL) {
        g_array_unref(table->rows);
        af_arena_free(table->texts);
        g_free(table);
    }
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const af_diff_row *one = a, *other = b;
    const uint64_t sizes[] = {af_diff_distance(one->time[AF_BEFORE], one->time[AF_AFTER]),
                              af_diff_distance(other->time[AF_BEFORE], other->time[AF_AFTER]),
                              af_diff_distance(one->self[AF_BEFORE], one->self[AF_AFTER]),
                              af_diff_distance(other->self[AF_BEFORE], other->self[AF_AFTER])};
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i += 2) {
        if (sizes[i] != sizes[i + 1]) {
            return sizes[i] > sizes[i + 1] ? -1 : 1;
        }
    }
    return strcmp(one->name, other->name);
}

void af_diff_table_sort(af_diff_table *table, uint32_t top)
{
    g_array_sort(table->rows, compare_rows);
    if (top > 0 && table->rows->len > top) {
        table->n_left_out += table->rows->len - top;
        g_array_set_size(table->rows, top);
    }
}

void af_diff_row_add(af_diff_row *row, const af_diff *diff, const af_diff_tree *tree, uint32_t node,
                     gboolean nested)
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        row->self[s] += tree->self[s][diff->clock][node];
        row->time[s] += nested ? 0 : af_diff_path_time(tree, s, node);
        row->calls[s] += nested ? 0 : tree->calls[s][node];
        row->present[s] = row->present[s] || tree->present[s][node] != 0;
    }
}

af_diff_status af_diff_row_judge(const af_diff *diff, const af_diff_row *row,
                                 af_diff_status of_method)
{
    const uint64_t delta = af_diff_distance(row->time[AF_BEFORE], row->time[AF_AFTER]);
    if (delta == 0 && row->self[AF_BEFORE] == row->self[AF_AFTER] &&
        row->calls[AF_BEFORE] == row->calls[AF_AFTER]) {
        return AF_DIFF_SAME;
    }
    const gboolean decided = diff->ground >= AF_DIFF_BY_GAP;
    if (delta < diff->min_delta || (decided && of_method <= AF_DIFF_NOISE)) {
        return AF_DIFF_NOISE;
    }
    if (diff->ground == AF_DIFF_BY_NOTHING || (decided && of_method == AF_DIFF_UNSURE)) {
        return AF_DIFF_UNSURE;
    }
    return !row->present[AF_BEFORE]  ? AF_DIFF_NEW
           : !row->present[AF_AFTER] ? AF_DIFF_GONE
                                     : AF_DIFF_CHANGED;
}

static const af_diff_table_kind kinds[] = {
    {"methods", .make = af_diff_table_methods},
    {"threads", .make = af_diff_table_threads},
    {"classes", .groups = &af_diff_by_class},
    {"packages", .groups = &af_diff_by_package},
    {"categories", .groups = &af_diff_by_category},
    {"files", .groups = &af_diff_by_file},
    {"waits", .make = af_diff_table_waits},
    {"tree-down", .make = af_diff_table_tree_down, .is_tree = TRUE},
    {"tree-up", .make = af_diff_table_tree_up, .is_tree = TRUE},
};

const af_diff_table_kind *af_diff_table_kind_at(unsigned number)
{
    return number < G_N_ELEMENTS(kinds) ? &kinds[number] : NULL;
}

/* Trees have an option of their own. */
const char *af_diff_table_word(unsigned number)
{
    const af_diff_table_kind *kind = af_diff_table_kind_at(number);
    return kind != NULL && !kind->is_tree ? kind->word : NULL;
}

af_diff_table *af_diff_table_methods(const af_diff *diff, const af_diff_tables *wanted)
{
    af_diff_table *table = af_diff_table_new("methods", "methods", "method");
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        const af_diff_method *m = &diff->methods[i];
        af_diff_row row = {.name = diff->labels[m->label].text,
                           .status = m->status,
                           .counted = diff->counted,
                           .p = m->p,
                           .method = m};
        for (unsigned s = 0; s < AF_SIDES; s++) {
            row.time[s] = m->side[s].inclusive;
            row.self[s] = m->side[s].self;
            row.calls[s] = m->side[s].calls;
            row.present[s] = m->side[s].present;
        }
        g_array_append_val(table->rows, row);
    }
    af_diff_table_sort(table, wanted->top);
    return table;
}

af_diff_table *af_diff_table_threads(const af_diff *diff, const af_diff_tables *wanted)
{
    af_diff_table *table =
        af_diff_table_new("threads", af_diff_thread_word(diff, 0), af_diff_thread_word(diff, 1));
    for (uint32_t i = 0; i < diff->n_threads; i++) {
        const af_diff_thread *t = &diff->threads[i];
        af_diff_row row = {
            .name = t->title, .status = t->status, .counted = !t->uncounted, .p = -1, .thread = t};
        for (unsigned s = 0; s < AF_SIDES; s++) {
            row.time[s] = row.self[s] = af_diff_path_time(&t->tree, s, 0);
            row.present[s] = t->name[s] != NULL;
        }
        for (uint32_t n = 1; n < t->tree.n; n++) {
            for (unsigned s = 0; s < AF_SIDES; s++) {
                row.calls[s] += t->tree.calls[s][n];
            }
        }
        g_array_append_val(table->rows, row);
    }
    af_diff_table_sort(table, wanted->top);
    return table;
}

static gint compare_paths(gconstpointer a, gconstpointer b)
{
    const af_diff_row *one = a, *other = b;
    const uint64_t size = af_diff_distance(one->time[AF_BEFORE], one->time[AF_AFTER]);
    const uint64_t size_of_other = af_diff_distance(other->time[AF_BEFORE], other->time[AF_AFTER]);
    return (size < size_of_other) - (size > size_of_other);
}

/* A row of a path; its name is written later, for those rows that stay. */
static af_diff_row make_path_row(const af_diff *diff, uint32_t thread, uint32_t node)
{
    const af_diff_thread *t = &diff->threads[thread];
    af_diff_row row = {.status = (af_diff_status)t->tree.status[node],
                       .counted = !t->uncounted && node != 0, /* threads are not called */
                       .p = t->tree.p != NULL ? t->tree.p[node] : -1,
                       .depth = t->tree.depth[node]};
    af_diff_row_add(&row, diff, &t->tree, node, FALSE);
    return row;
}

typedef struct {
    af_diff_row row;
    uint32_t thread, node;
} path_row;

af_diff_table *af_diff_table_paths(const af_diff *diff, const af_diff_tables *wanted)
{
    af_diff_table *table = af_diff_table_new("paths", "paths", "path");
    g_autoptr(GArray) paths = g_array_new(FALSE, FALSE, sizeof(path_row));
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        for (uint32_t n = 1; n < diff->threads[t].tree.n; n++) {
            const path_row path = {make_path_row(diff, t, n), t, n};
            g_array_append_val(paths, path);
        }
    }
    g_array_sort(paths, compare_paths); /* a stable sort */
    if (wanted->top > 0 && paths->len > wanted->top) {
        table->n_left_out = paths->len - wanted->top;
        g_array_set_size(paths, wanted->top);
    }
    for (guint i = 0; i < paths->len; i++) {
        path_row *path = &g_array_index(paths, path_row, i);
        g_array_set_size(stack, 0);
        for (uint32_t k = path->node; k != 0; k = diff->threads[path->thread].tree.parent[k]) {
            g_array_append_val(stack, diff->threads[path->thread].tree.label[k]);
        }
        g_string_assign(text, diff->threads[path->thread].title);
        for (guint j = stack->len; j > 0; j--) {
            g_string_append_c(text, ';');
            g_string_append(text, diff->labels[g_array_index(stack, uint32_t, j - 1)].text);
        }
        path->row.name = af_arena_copy(table->texts, text->str, text->len);
        path->row.depth = 0;
        if (path->row.name == NULL) {
            g_clear_pointer(&table, af_diff_table_free);
            break;
        }
        g_array_append_val(table->rows, path->row);
    }
    return table;
}

/* The number of paths that change by at least `least`, and the change that one needs to be among the
 * first `top` of them. */
static guint find_least(const af_diff *diff, uint64_t least, uint32_t top, uint64_t *found)
{
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    *found = least;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (uint32_t n = 0; n < tree->n; n++) {
            const uint64_t change = tree->grown[n] + tree->shrunk[n];
            if (change >= least) {
                g_array_append_val(changes, change);
            }
        }
    }
    if (top > 0 && changes->len > top) {
        qsort(changes->data, changes->len, sizeof(uint64_t), af_order_u64);
        *found = g_array_index(changes, uint64_t, changes->len - top);
    }
    return changes->len;
}

/* Branches in which something changed: parents change at least as much as their children. */
af_diff_table *af_diff_table_tree_down(const af_diff *diff, const af_diff_tables *wanted)
{
    af_diff_table *table = af_diff_table_new("tree_down", "calls from the top", "path");
    const uint64_t larger = MAX(diff->side[AF_BEFORE].total, diff->side[AF_AFTER].total);
    uint64_t least = (uint64_t)((af_u128)larger * wanted->min_percent_c / 10000);
    const guint n_changed = find_least(diff, MAX(least, 1), wanted->top, &least);
    table->nested = TRUE;
    for (uint32_t t = 0; t < diff->n_threads; t++) {
        const af_diff_thread *thread = &diff->threads[t];
        for (uint32_t n = 0; n < thread->tree.n; n++) {
            const gboolean full = wanted->top > 0 && table->rows->len >= wanted->top;
            if (!full && thread->tree.grown[n] + thread->tree.shrunk[n] >= least) {
                af_diff_row row = make_path_row(diff, t, n);
                row.name = n == 0 ? thread->title : diff->labels[thread->tree.label[n]].text;
                g_array_append_val(table->rows, row);
            }
        }
    }
    table->n_left_out = n_changed - table->rows->len;
    return table;
}
