/* Callers and callees of a method, with the numbers of both sides; and the tree of callers above
 * the methods whose own time changed. */
#include "report/diff/diff_table.h"

#include <stdlib.h>
#include <string.h>

#include <aflame/error.h>
#include "base/memory_error.h"
#include "base/nearest.h"
#include "base/wide.h"
#include "model/pattern.h"

/* Rows by label; threads come after the labels. */
typedef struct {
    const af_diff *diff;
    uint32_t label; /* of the subject */
    af_diff_table *table;
    uint32_t *row_of; /* number of the row + 1 */
} relating;

static const char *name_relative(const af_diff *diff, uint32_t relative)
{
    const uint32_t n = diff->n_labels;
    return relative < n ? diff->labels[relative].text : diff->threads[relative - n].title;
}

static af_diff_row *find_row(relating *r, uint32_t relative)
{
    if (r->row_of[relative] == 0) {
        const af_diff_row row = {
            .name = name_relative(r->diff, relative), .counted = r->diff->counted, .p = -1};
        g_array_append_val(r->table->rows, row);
        r->row_of[relative] = r->table->rows->len;
    }
    return &g_array_index(r->table->rows, af_diff_row, r->row_of[relative] - 1);
}

static void add_node(relating *r, const af_diff_tree *tree, uint32_t node, uint32_t relative)
{
    af_diff_row_add(find_row(r, relative), r->diff, tree, node, FALSE);
}

/* Outermost calls of the subject, by who called them. */
static void add_callers(relating *r, uint32_t thread)
{
    const af_diff_tree *tree = &r->diff->threads[thread].tree;
    uint32_t inside = 0; /* depth of the open outermost call; 0 = none */
    for (uint32_t n = 1; n < tree->n; n++) {
        inside = inside != 0 && tree->depth[n] <= inside ? 0 : inside;
        if (inside == 0 && tree->label[n] == r->label) {
            const uint32_t parent = tree->parent[n];
            inside = tree->depth[n];
            add_node(r, tree, n, parent == 0 ? r->diff->n_labels + thread : tree->label[parent]);
        }
    }
}

/* The methods that the subject calls directly; calls to itself are part of the subject. */
static void add_callees(relating *r, uint32_t thread)
{
    const af_diff_tree *tree = &r->diff->threads[thread].tree;
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t parent = tree->parent[n];
        if (parent != 0 && tree->label[parent] == r->label && tree->label[n] != r->label) {
            add_node(r, tree, n, tree->label[n]);
        }
    }
}

/* The time of a callee is its own, that of a caller is the subject's. */
static gboolean judge_relatives(relating *r, gboolean callers)
{
    const uint32_t n = r->diff->n_labels + r->diff->n_threads;
    g_autofree uint8_t *statuses = af_diff_list_statuses(r->diff);
    for (uint32_t i = 0; statuses != NULL && i < n; i++) {
        if (r->row_of[i] != 0) {
            af_diff_row *row = &g_array_index(r->table->rows, af_diff_row, r->row_of[i] - 1);
            row->status =
                af_diff_row_judge(r->diff, row, (af_diff_status)statuses[callers ? r->label : i]);
        }
    }
    return statuses != NULL;
}

static af_diff_table *make_relatives(const af_diff *diff, const af_diff_tables *wanted,
                                     uint32_t label, gboolean callers)
{
    relating r = {.diff = diff,
                  .label = label,
                  .table = callers ? af_diff_table_new("callers", "callers", "caller")
                                   : af_diff_table_new("callees", "callees", "callee"),
                  .row_of = g_try_new0(uint32_t, (size_t)diff->n_labels + diff->n_threads + 1)};
    r.table->subject = diff->labels[label].text;
    for (uint32_t t = 0; r.row_of != NULL && t < diff->n_threads; t++) {
        (callers ? add_callers : add_callees)(&r, t);
    }
    if (r.row_of != NULL && judge_relatives(&r, callers)) {
        af_diff_table_sort(r.table, wanted->top);
    } else {
        g_clear_pointer(&r.table, af_diff_table_free);
    }
    g_free(r.row_of);
    return r.table;
}

static gboolean add_method(const af_diff *diff, const af_diff_tables *wanted, uint32_t label,
                           GPtrArray *tables)
{
    for (unsigned callers = 2; callers > 0; callers--) {
        af_diff_table *table = make_relatives(diff, wanted, label, callers == 2);
        if (table == NULL) {
            return FALSE;
        }
        g_ptr_array_add(tables, table);
    }
    return TRUE;
}

static void refuse_pattern(const af_diff *diff, const af_pattern *pattern, GError **error)
{
    const char *word = af_pattern_word(pattern);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        const af_diff_label *label = &diff->labels[diff->methods[i].label];
        g_ptr_array_add(names, (gpointer)(label->text + label->method_at));
        g_ptr_array_add(names, (gpointer)label->text);
    }
    g_ptr_array_add(names, NULL);
    const char *nearest =
        word != NULL ? af_word_nearest(word, (const char *const *)(void *)names->pdata) : NULL;
    g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "no method matches \"%s\"%s%s%s",
                af_pattern_text(pattern), nearest != NULL ? "; did you mean \"" : "",
                nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
}

/* The number of changed methods whose callers and callees are listed by default. */
enum { MOST_CHANGED = 20 };

gboolean af_diff_table_add_changed(const af_diff *diff, const af_diff_tables *wanted,
                                   GPtrArray *tables)
{
    unsigned n = 0;
    gboolean ok = TRUE;
    for (uint32_t i = 0; ok && i < diff->n_methods && n < MOST_CHANGED; i++) {
        const af_diff_method *method = &diff->methods[i];
        if (method->status != AF_DIFF_SAME && method->status != AF_DIFF_NOISE) {
            ok = add_method(diff, wanted, method->label, tables);
            n++;
        }
    }
    return ok;
}

gboolean af_diff_table_add_relatives(const af_diff *diff, const af_diff_tables *wanted,
                                     GPtrArray *tables, GError **error)
{
    for (const char *const *text = wanted->methods; text != NULL && *text != NULL; text++) {
        af_pattern *pattern = af_pattern_new(*text, error);
        gboolean any = FALSE, ok = pattern != NULL;
        for (uint32_t i = 0; ok && i < diff->n_methods; i++) {
            const uint32_t label = diff->methods[i].label;
            if (af_pattern_matches(pattern, diff->labels[label].text)) {
                any = TRUE;
                ok = add_method(diff, wanted, label, tables) || af_memory_error_set(error);
            }
        }
        if (ok && !any) {
            refuse_pattern(diff, pattern, error);
            ok = FALSE;
        }
        g_clear_pointer(&pattern, af_pattern_free);
        if (!ok) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The methods whose own time changed most, and how many callers are followed. */
enum { MOST_ROOTS = 40, MOST_CALLERS = 30 };

typedef struct {
    const af_diff *diff;
    af_diff_table *table;
    GArray *nodes;     /* of caller_node */
    uint8_t *statuses; /* by label */
} inverting;

/* A node of the tree of callers. */
typedef struct {
    af_diff_row row;
    uint32_t relative; /* label, or n_labels + thread */
    uint32_t first_child, next;
} caller_node;

static caller_node *node_at(const inverting *v, uint32_t n)
{
    return &g_array_index(v->nodes, caller_node, n);
}

static uint32_t find_child(inverting *v, uint32_t parent, uint32_t relative)
{
    uint32_t last = 0;
    for (uint32_t c = node_at(v, parent)->first_child; c != 0; c = node_at(v, c)->next) {
        if (node_at(v, c)->relative == relative) {
            return c;
        }
        last = c;
    }
    const uint32_t added = v->nodes->len;
    const caller_node node = {
        .relative = relative,
        .row = {.name = name_relative(v->diff, relative),
                .counted = v->diff->counted,
                .p = -1,
                .depth = parent == 0 ? 0 : node_at(v, parent)->row.depth + 1}};
    g_array_append_val(v->nodes, node);
    if (last != 0) {
        node_at(v, last)->next = added;
    } else {
        node_at(v, parent)->first_child = added;
    }
    return added;
}

static void add_path(inverting *v, uint32_t thread, uint32_t node)
{
    const af_diff_tree *tree = &v->diff->threads[thread].tree;
    uint32_t at = 0;
    uint32_t above = node;
    for (unsigned i = 0; i <= MOST_CALLERS; i++) {
        at = find_child(v, at, above == 0 ? v->diff->n_labels + thread : tree->label[above]);
        af_diff_row_add(&node_at(v, at)->row, v->diff, tree, node, FALSE);
        if (above == 0) {
            break;
        }
        above = tree->parent[above];
    }
}

static gint compare_roots(gconstpointer a, gconstpointer b)
{
    const af_diff_method *one = *(const af_diff_method *const *)a;
    const af_diff_method *other = *(const af_diff_method *const *)b;
    const uint64_t size = af_diff_distance(one->side[AF_BEFORE].self, one->side[AF_AFTER].self);
    const uint64_t size_of_other =
        af_diff_distance(other->side[AF_BEFORE].self, other->side[AF_AFTER].self);
    return (size < size_of_other) - (size > size_of_other);
}

static gint compare_children(gconstpointer a, gconstpointer b, gpointer user)
{
    const inverting *v = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const uint64_t *self = node_at(v, one)->row.self;
    const uint64_t *self_of_other = node_at(v, other)->row.self;
    const uint64_t size = af_diff_distance(self[AF_BEFORE], self[AF_AFTER]);
    const uint64_t size_of_other =
        af_diff_distance(self_of_other[AF_BEFORE], self_of_other[AF_AFTER]);
    return size != size_of_other ? (size > size_of_other ? 1 : -1) /* the largest on top */
                                 : (one > other) - (one < other);
}

static void push_children(const inverting *v, uint32_t parent, GArray *stack)
{
    const guint begin = stack->len;
    for (uint32_t c = node_at(v, parent)->first_child; c != 0; c = node_at(v, c)->next) {
        g_array_append_val(stack, c);
    }
    qsort_r(&g_array_index(stack, uint32_t, begin), stack->len - begin, sizeof(uint32_t),
            compare_children, (gpointer)v);
}

static void add_rows(inverting *v, uint64_t least, uint32_t top)
{
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    af_diff_status of_root = AF_DIFF_SAME; /* the time of a branch is that of its root */
    push_children(v, 0, stack);
    while (stack->len > 0) {
        const uint32_t at = g_array_index(stack, uint32_t, stack->len - 1);
        af_diff_row row = node_at(v, at)->row;
        g_array_set_size(stack, stack->len - 1);
        if (af_diff_distance(row.self[AF_BEFORE], row.self[AF_AFTER]) < least) {
            continue;
        }
        push_children(v, at, stack);
        of_root = row.depth == 0 ? (af_diff_status)v->statuses[node_at(v, at)->relative] : of_root;
        if (top > 0 && v->table->rows->len >= top) {
            v->table->n_left_out++;
            continue;
        }
        memcpy(row.time, row.self, sizeof row.time); /* of the root only */
        row.status = af_diff_row_judge(v->diff, &row, of_root);
        g_array_append_val(v->table->rows, row);
    }
}

af_diff_table *af_diff_table_tree_up(const af_diff *diff, const af_diff_tables *wanted)
{
    inverting v = {.diff = diff,
                   .table = af_diff_table_new("tree_up", "self time and its callers", "method"),
                   .nodes = g_array_new(FALSE, FALSE, sizeof(caller_node)),
                   .statuses = af_diff_list_statuses(diff)};
    const uint64_t larger = MAX(diff->side[AF_BEFORE].total, diff->side[AF_AFTER].total);
    const caller_node root = {.relative = 0};
    /* A byte for each label: whether it is one of the roots. */
    g_autofree uint8_t *roots = g_try_malloc0((size_t)diff->n_labels + 1);
    GPtrArray *methods = g_ptr_array_new();
    for (uint32_t i = 0; i < diff->n_methods; i++) {
        g_ptr_array_add(methods, &diff->methods[i]);
    }
    g_ptr_array_sort(methods, compare_roots); /* a stable sort */
    for (guint i = 0; roots != NULL && i < methods->len && i < MOST_ROOTS; i++) {
        roots[((const af_diff_method *)methods->pdata[i])->label] = 1;
    }
    g_ptr_array_unref(methods);
    v.table->nested = TRUE;
    g_array_append_val(v.nodes, root);
    const gboolean ok = roots != NULL && v.statuses != NULL;
    for (uint32_t t = 0; ok && t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            if (roots[tree->label[n]] != 0 &&
                tree->self[AF_BEFORE][diff->clock][n] + tree->self[AF_AFTER][diff->clock][n] > 0) {
                add_path(&v, t, n);
            }
        }
    }
    add_rows(&v, MAX((uint64_t)((af_u128)larger * wanted->min_percent_c / 10000), 1), wanted->top);
    g_array_unref(v.nodes);
    if (!ok) {
        g_clear_pointer(&v.table, af_diff_table_free);
    }
    g_free(v.statuses);
    return v.table;
}
