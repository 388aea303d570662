#include "report/report.h"

#include "base/number.h"
#include "base/textmap.h"

/* The names of the groups, copied into the table, and the group of each label. */
typedef struct {
    af_textmap map;
    uint32_t *group_of;
    uint32_t *first; /* label, by group */
    uint32_t
        idle_group; /* of idle calls, one more than there are if they are folded; AF_NO_IDLE_GROUP = that of their labels */
    gboolean failed;
} names;

/* The group of a label. AF_TEXTMAP_NONE if memory is refused. */
static uint32_t add_name(names *n, const af_grouping *grouping, const af_profile *profile,
                         const af_label *label, af_arena *arena)
{
    g_autoptr(GString) text = g_string_new(NULL);
    grouping->append_name(text, profile, label);
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
    af_table_add_columns(table, grouping->extras, grouping->n_extras);
    if (!af_table_reserve(table, n_groups)) {
        return FALSE;
    }
    for (uint32_t g = 0; g < n->map.n; g++) {
        if (totals[g].threads > 0) {
            af_cell *row = af_table_add_row(table);
            row[0].text = n->map.entries[g].bytes;
            af_figures_fill(&figures, row + 1, &totals[g]);
            if (grouping->n_extras > 0) {
                grouping->fill_extras(row + 1 + figures.n, request,
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

af_table *af_table_of_groups(const af_report_request *request, const af_grouping *grouping)
{
    const af_scope *scope = &request->scope;
    af_table *table = af_table_new(grouping->id, grouping->title);
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
