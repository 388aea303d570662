/* Tables of groups of methods: classes, packages, categories, source files, and what was waited
 * for. Recursion within a group counts once. */
#include "report/diff/diff_table.h"

#include "base/textmap.h"
#include "model/path.h"
#include "model/waits.h"
#include "report/tables/group_names.h"

struct af_diff_grouping {
    const char *title, *name; /* as in af_diff_table */
    void (*append_name)(GString *to, const af_named *method);
};

static void append_category(GString *to, const af_named *method)
{
    g_string_append(to, method->origin);
}

typedef struct {
    const af_diff *diff;
    af_diff_table *table;
    af_textmap names;
    uint32_t *group_of; /* by label */
    uint32_t idle;      /* the group of idle paths, if groups are categories; or AF_TEXTMAP_NONE */
    af_path path;
} adding;

/* The group with this name, a new row if there is none; AF_TEXTMAP_NONE if memory is refused. */
static uint32_t reach_group(adding *a, const char *name, size_t length)
{
    uint32_t group = af_textmap_find(&a->names, name, length);
    if (group == AF_TEXTMAP_NONE) {
        const char *copy = af_arena_copy(a->table->texts, name, length);
        group = copy != NULL ? af_textmap_add(&a->names, copy, length) : AF_TEXTMAP_NONE;
        const af_diff_row row = {.name = copy, .counted = a->diff->counted, .p = -1};
        g_array_append_val(a->table->rows, row);
    }
    return group;
}

static gboolean name_groups(adding *a, const af_diff_grouping *g)
{
    const char *idle = af_category_title(AF_CATEGORY_IDLE);
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean ok = a->group_of != NULL;
    for (uint32_t l = 0; ok && l < a->diff->n_labels; l++) {
        const af_diff_label *label = &a->diff->labels[l];
        const af_named named = {.text = label->text,
                                .class_length = label->class_length,
                                .class_name = label->class_name,
                                .source = label->source,
                                .origin = af_category_title(label->category)};
        g_string_truncate(text, 0);
        g->append_name(text, &named);
        a->group_of[l] = reach_group(a, text->str, text->len);
        ok = a->group_of[l] != AF_TEXTMAP_NONE;
    }
    a->idle =
        g->append_name == append_category ? reach_group(a, idle, strlen(idle)) : AF_TEXTMAP_NONE;
    return ok && (a->idle != AF_TEXTMAP_NONE || g->append_name != append_category);
}

/* A method may wait for work in one path, and for anything else in another. */
static uint32_t find_group(const adding *a, const af_diff_tree *tree, uint32_t node)
{
    return a->idle != AF_TEXTMAP_NONE && tree->category[node] == AF_CATEGORY_IDLE
               ? a->idle
               : a->group_of[tree->label[node]];
}

static void add_tree(adding *a, const af_diff_tree *tree)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t group = find_group(a, tree, n);
        const gboolean nested = af_path_enter(&a->path, tree->depth[n], group) > 0;
        af_diff_row *row = &g_array_index(a->table->rows, af_diff_row, group);
        af_diff_row_add(row, a->diff, tree, n, nested);
    }
    af_path_restart(&a->path);
}

/* Groups are not tested for noise: one has changed if one of its methods has. `changed`: by group;
 * NULL = not known. */
static void judge_rows(const af_diff *diff, af_diff_table *table, const uint8_t *changed)
{
    for (guint i = 0; i < table->rows->len; i++) {
        af_diff_row *row = &g_array_index(table->rows, af_diff_row, i);
        row->status = af_diff_row_judge(diff, row,
                                        changed == NULL ? AF_DIFF_UNSURE
                                        : changed[i]    ? AF_DIFF_CHANGED
                                                        : AF_DIFF_NOISE);
    }
}

/* Whether a method of the group changed, by group. NULL if memory is refused. */
static uint8_t *find_changed(const adding *a)
{
    const af_diff *diff = a->diff;
    uint8_t *changed = g_try_malloc0((size_t)a->names.n + 1);
    g_autofree uint8_t *statuses = af_diff_list_statuses(diff);
    for (uint32_t t = 0; changed != NULL && statuses != NULL && t < diff->n_threads; t++) {
        const af_diff_tree *tree = &diff->threads[t].tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            changed[find_group(a, tree, n)] |= statuses[tree->label[n]] > AF_DIFF_NOISE;
        }
    }
    if (statuses == NULL) {
        g_clear_pointer(&changed, g_free);
    }
    return changed;
}

static void drop_absent(af_diff_table *table)
{
    for (guint i = table->rows->len; i > 0; i--) {
        const af_diff_row *row = &g_array_index(table->rows, af_diff_row, i - 1);
        if (!row->present[AF_BEFORE] && !row->present[AF_AFTER]) {
            g_array_remove_index_fast(table->rows, i - 1);
        }
    }
}

af_diff_table *af_diff_table_groups(const af_diff *diff, const af_diff_tables *wanted,
                                    const af_diff_table_kind *kind)
{
    const af_diff_grouping *g = kind->groups;
    adding a = {.diff = diff, .table = af_diff_table_new(kind->word, g->title, g->name)};
    af_textmap_init(&a.names);
    a.group_of = g_try_new(uint32_t, (size_t)diff->n_labels + 1);
    gboolean ok = name_groups(&a, g);
    g_autofree uint8_t *changed = ok ? find_changed(&a) : NULL;
    ok = af_path_begin(&a.path, a.names.n, af_diff_deepest(diff)) && changed != NULL;
    for (uint32_t t = 0; ok && t < diff->n_threads; t++) {
        add_tree(&a, &diff->threads[t].tree);
    }
    if (ok) {
        judge_rows(diff, a.table, changed);
        drop_absent(a.table);
        af_diff_table_sort(a.table, wanted->top);
    } else {
        g_clear_pointer(&a.table, af_diff_table_free);
    }
    af_path_end(&a.path);
    g_free(a.group_of);
    af_textmap_clear(&a.names);
    return a.table;
}

const af_diff_grouping af_diff_by_class = {"classes", "class", af_named_append_class};
const af_diff_grouping af_diff_by_package = {"packages", "package", af_named_append_package};
const af_diff_grouping af_diff_by_category = {"categories", "category", append_category};
const af_diff_grouping af_diff_by_file = {"source files", "source file", af_named_append_source};

/* ---- waiting ---- */

/* By cause, in waiting whatever clock is compared. */
af_diff_table *af_diff_table_waits(const af_diff *diff, const af_diff_tables *wanted)
{
    af_diff_table *table = af_diff_table_new("waits", "what methods waited for", "waiting for");
    for (unsigned kind = 0; kind < AF_WAITS_ALL; kind++) {
        af_diff_row row = {.name = af_waits_title((af_waits)kind), .p = -1};
        for (unsigned s = 0; s < AF_SIDES; s++) {
            row.time[s] = row.self[s] = diff->waits[s][kind];
            row.present[s] = diff->waits[s][kind] > 0;
        }
        g_array_append_val(table->rows, row);
    }
    drop_absent(table);
    judge_rows(diff, table, NULL);
    af_diff_table_sort(table, wanted->top);
    return table;
}
