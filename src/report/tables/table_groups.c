/* Tables of groups of methods: those whose group has the same name are one row, with all figures. */
#include "report/report.h"

#include <string.h>

#include "base/number.h"
#include "base/textmap.h"
#include "model/groups.h"
#include "report/tables/group_names.h"

/* How a table groups methods. */
struct af_grouping {
    const char *title;      /* NULL = the name of the table */
    const char *name_title; /* heading of the first column */
    void (*append_name)(GString *to, const af_named *method);
    gboolean by_category; /* idle calls belong to the group of a label of that category */
    gboolean of_methods;  /* its rows are methods, with a category and a source file */
};

/* From the method, because labels may omit packages. */
static af_named name_label(const af_profile *profile, const af_label *label)
{
    const af_method *method =
        label->method < profile->n_methods ? &profile->methods[label->method] : NULL;
    const gboolean defined = method != NULL && method->defined;
    const gboolean has_class =
        defined && method->class_name != NULL && method->class_name[0] != '\0';
    return (af_named){.text = label->text,
                      .length = label->length,
                      .class_length = label->class_length,
                      .class_name = has_class ? method->class_name : NULL,
                      .source = defined ? method->source : NULL,
                      .origin = af_label_origin(profile, label)};
}

/* The names of the groups, copied into the table, and the group of each label. */
typedef struct {
    af_textmap map;
    uint32_t *group_of;
    uint32_t *first; /* label, by group */
    /* Of idle calls: one after the last if they are folded; AF_NO_IDLE_GROUP = that of their labels. */
    uint32_t idle_group;
    gboolean failed;
} names;

/* The group of a label. AF_TEXTMAP_NONE if memory is refused. */
static uint32_t add_name(names *n, const af_grouping *grouping, const af_profile *profile,
                         const af_label *label, af_arena *arena)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const af_named named = name_label(profile, label);
    grouping->append_name(text, &named);
    uint32_t group = af_textmap_find(&n->map, text->str, text->len);
    if (group == AF_TEXTMAP_NONE) {
        const char *copy = af_arena_copy(arena, text->str, text->len);
        group = copy == NULL ? AF_TEXTMAP_NONE : af_textmap_add(&n->map, copy, text->len);
    }
    n->failed = group == AF_TEXTMAP_NONE;
    return group;
}

static void collect_names(names *n, const af_report_request *request, const af_grouping *grouping)
{
    const af_profile *profile = request->scope.profile;
    af_textmap_init(&n->map);
    n->group_of = g_try_new(uint32_t, MAX(profile->n_labels, 1));
    n->first = g_try_new0(uint32_t, (gsize)profile->n_labels + 1);
    n->failed = n->group_of == NULL || n->first == NULL;
    for (uint32_t l = 0; l < profile->n_labels && !n->failed; l++) {
        const uint32_t known = n->map.n;
        n->group_of[l] = add_name(n, grouping, profile, &profile->labels[l], request->arena);
        if (n->map.n > known) {
            n->first[known] = l;
        }
    }
    const af_label idle = {.text = "", .category = AF_CATEGORY_IDLE};
    n->idle_group = request->folds_idle || n->failed ? n->map.n
                    : grouping->by_category ? add_name(n, grouping, profile, &idle, request->arena)
                                            : AF_NO_IDLE_GROUP;
}

enum { CATEGORY, SOURCE, EXTRAS };

static const af_column extras[EXTRAS] = {
    [CATEGORY] = {"category", NULL, NULL, "origin of the code", AF_CELL_TEXT, .rank = 23},
    [SOURCE] = {"source", NULL, "source file",
                "file name from the trace, in the folder of its package", AF_CELL_TEXT, .rank = 24},
};

static void fill_extras(af_cell *cells, const af_report_request *request, const af_label *label)
{
    const af_named named = name_label(request->scope.profile, label);
    cells[CATEGORY].text = af_arena_text(request->arena, named.origin);
    if (named.source != NULL && named.source[0] != '\0') {
        g_autoptr(GString) source = g_string_new(NULL);
        af_named_append_source(source, &named);
        cells[SOURCE].text = af_arena_copy(request->arena, source->str, source->len);
    }
}

static gboolean fill_table(af_table *table, const af_report_request *request,
                           const af_grouping *grouping, const names *n, const af_totals *totals)
{
    uint32_t n_groups = 0;
    for (uint32_t g = 0; g < n->map.n; g++) {
        n_groups += totals[g].threads > 0;
    }
    af_figures figures;
    af_figures_begin(&figures, &request->scope, AF_FIGURES_OF_GROUPS);
    af_scope_times(&request->scope, table->whole_ns);
    const af_column name = {"name", "name", grouping->name_title, NULL, .kind = AF_CELL_TEXT};
    af_table_add_column(table, &name);
    af_figures_add_columns(&figures, table);
    af_table_add_columns(table, extras, grouping->of_methods ? EXTRAS : 0);
    if (!af_table_reserve(table, n_groups)) {
        return FALSE;
    }
    for (uint32_t g = 0; g < n->map.n; g++) {
        if (totals[g].threads > 0) {
            af_cell *row = af_table_add_row(table);
            row[0].text = n->map.entries[g].bytes;
            af_figures_fill(&figures, row + 1, &totals[g]);
            if (grouping->of_methods) {
                fill_extras(row + 1 + figures.n, request,
                            &request->scope.profile->labels[n->first[g]]);
            }
        }
    }
    return TRUE;
}

/* "idle: 5.02 s wall, 3.2 ms CPU of 4 threads waiting for work; --by methods lists it" */
static gboolean add_closing(af_table *table, const af_report_request *request,
                            const af_totals *idle)
{
    const af_scope *scope = &request->scope;
    af_clock clocks[AF_MEASURES];
    const unsigned n = af_scope_clocks(scope, clocks);
    char text[AF_NUMBER_SIZE];
    g_autoptr(GString) line = g_string_new("idle, waiting for work: ");
    if (idle->threads == 0) {
        return TRUE;
    }
    for (unsigned c = 0; c < n; c++) {
        const gboolean clocked = scope->unit == NULL;
        const uint64_t ns = af_time_of_sum(idle->self[clocks[c]], clocks[c]);
        af_number_amount(text, ns, &scope->profile->facts.weights.unit);
        g_string_append_printf(line, "%s%s%s%s", c > 0 ? ", " : "", text, clocked ? " " : "",
                               clocked ? af_clock_title(clocks[c]) : "");
    }
    g_string_append(line, "; --by methods lists it");
    table->closing = af_arena_copy(request->arena, line->str, line->len);
    return table->closing != NULL;
}

af_table *af_table_of_groups(const af_report_request *request, const af_table_kind *kind)
{
    const af_scope *scope = &request->scope;
    const af_grouping *grouping = kind->groups;
    af_table *table =
        af_table_new(kind->name, grouping->title != NULL ? grouping->title : kind->name);
    names n;
    collect_names(&n, request, grouping);
    g_autofree af_totals *totals =
        n.failed ? NULL : af_totals_new_busy(scope, n.group_of, n.map.n, n.idle_group);
    if (totals == NULL || !fill_table(table, request, grouping, &n, totals) ||
        (request->folds_idle && !add_closing(table, request, &totals[n.idle_group]))) {
        af_table_free(table);
        table = NULL;
    }
    g_free(n.group_of);
    g_free(n.first);
    af_textmap_clear(&n.map);
    return table;
}

static void append_label(GString *to, const af_named *method)
{
    g_string_append_len(to, method->text, method->length);
}

static void append_origin(GString *to, const af_named *method)
{
    g_string_append(to, method->origin);
}

const af_table_kind af_table_kind_methods = {
    .name = "methods",
    .groups = &(const af_grouping){
        .name_title = "method", .append_name = append_label, .of_methods = TRUE}};
const af_table_kind af_table_kind_classes = {
    .name = "classes",
    .groups = &(const af_grouping){.name_title = "class", .append_name = af_named_append_class}};
const af_table_kind af_table_kind_packages = {
    .name = "packages",
    .groups =
        &(const af_grouping){.name_title = "package", .append_name = af_named_append_package}};
const af_table_kind af_table_kind_categories = {
    .name = "categories",
    .groups = &(const af_grouping){
        .name_title = "category", .append_name = append_origin, .by_category = TRUE}};
const af_table_kind af_table_kind_sources = {
    .name = "sources",
    .groups = &(const af_grouping){.name_title = "source file",
                                   .append_name = af_named_append_source,
                                   .title = "source files"}};
