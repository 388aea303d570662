/* Callers and callees: a table for each method. */
#include "report/tables/callers_callees.h"

#include <stdlib.h>
#include "base/memory_error.h"
#include "model/select.h"

enum { NAME, RELATION, METHOD, FIGURES };

/* Of a page with all methods: some are called from hundreds of places. */
enum { MOST_OF_RELATION = 8, MOST_ROWS = 1760 };

typedef struct {
    const af_report_request *request;
    uint32_t most_of_relation; /* rows; 0 = all */
    uint32_t most_rows;        /* of all tables; 0 = all */
    af_figures figures;
    int of; /* the figure that count_all() fills; -1 = calls are not counted */
    af_relative_names names;
    const af_totals *totals; /* by label */
} making;

static const char *name_relative(const making *m, uint32_t relative)
{
    return relative == AF_NO_LABEL ? "(self)" : af_relative_name(&m->names, relative);
}

static void add_columns(making *m, af_table *table)
{
    const af_column name = {.id = "name", .title = "method", .kind = AF_CELL_TEXT};
    const af_column relation = {.id = "relation", .kind = AF_CELL_TEXT, .implied = TRUE};
    const af_column method = {.id = "method", .title = "of", .kind = AF_CELL_TEXT, .implied = TRUE};
    af_figures_begin(&m->figures, &m->request->scope, AF_FIGURES_OF_RELATIVES);
    af_table_add_column(table, &name);
    af_table_add_column(table, &relation);
    af_table_add_column(table, &method);
    af_figures_add_columns(&m->figures, table);
    m->of = af_figures_find(&m->figures, AF_FIGURE_OF_CALLS, AF_WALL);
}

static const char *title_relation(af_relation relation)
{
    static const char *const titles[] = {"callers", "callers while recursive", "method", "callees",
                                         "callees while recursive"};
    return titles[relation];
}

/* Traceview's total: all calls of the method in rows of callers, all calls of the callee in rows of
 * callees. */
static uint64_t count_all(const making *m, uint32_t label, const af_edge *edge)
{
    const gboolean down =
        edge->relation == AF_RELATION_CALLEE || edge->relation == AF_RELATION_RECURSIVE_CALLEE;
    const af_totals *t = &m->totals[down ? edge->relative : label];
    return edge->relative == AF_NO_LABEL ? AF_ABSENT : af_figure_calls(t, t->calls + t->nested);
}

static void add_row(const making *m, af_table *table, uint32_t label, const af_edge *edge)
{
    af_cell *row = af_table_add_row(table);
    row[NAME].text = name_relative(m, edge->relative);
    row[RELATION].text = title_relation(edge->relation);
    row[METHOD].text = name_relative(m, label);
    af_figures_fill(&m->figures, row + FIGURES, &edge->totals);
    if (edge->relative == AF_NO_LABEL) {
        af_figures_clear_calls(&m->figures, row + FIGURES); /* self time has no calls */
    }
    if (m->of >= 0) {
        row[FIGURES + m->of].number = count_all(m, label, edge);
    }
}

/* Adds the rows from edge `i` up to a relation. Returns the first edge after them. */
static uint32_t add_rows(const making *m, af_table *table, uint32_t label, const af_edge *edges,
                         uint32_t n, uint32_t i, af_relation end)
{
    uint32_t of_relation = 0;
    for (const uint32_t first = i; i < n && edges[i].relation < end; i++) {
        of_relation = i > first && edges[i].relation == edges[i - 1].relation ? of_relation + 1 : 1;
        if (m->most_of_relation == 0 || of_relation <= m->most_of_relation) {
            add_row(m, table, label, &edges[i]);
        } else {
            table->n_left_out++;
        }
    }
    return i;
}

static af_table *make_table(const making *m, const af_table *pattern, uint32_t label,
                            const af_edge *edges, uint32_t n)
{
    g_autofree char *title = g_strdup_printf("callers and callees of %s", name_relative(m, label));
    af_table *table = af_table_new_like(pattern, af_arena_text(m->request->arena, title));
    table->subject = name_relative(m, label);
    table->subtitle = "% of its inclusive time";
    for (unsigned c = 0; c < AF_MEASURES; c++) {
        table->whole_ns[c] = af_time_of_sum(m->totals[label].inclusive[c], (af_clock)c);
    }
    if (!af_table_reserve(table, n + 1)) {
        af_table_free(table);
        return NULL;
    }
    uint32_t i = add_rows(m, table, label, edges, n, 0, AF_RELATION_METHOD);
    const af_edge itself = {AF_RELATION_METHOD, label, m->totals[label]};
    add_row(m, table, label, &itself);
    add_rows(m, table, label, edges, n, i, AF_RELATION_RECURSIVE_CALLEE + 1);
    return table;
}

/* *n_labels becomes the number of methods that have a table. */
static gboolean add_tables(making *m, const uint32_t *labels, uint32_t *n_labels,
                           const gboolean *wanted, GPtrArray *tables)
{
    uint32_t rows = 0, made = 0;
    af_callers_callees *relatives = af_callers_callees_new(&m->request->scope, wanted);
    g_autoptr(af_table) pattern = af_table_new("relatives", NULL);
    gboolean ok = relatives != NULL;
    pattern->order = AF_ROWS_GROUPED;
    add_columns(m, pattern);
    for (; ok && made < *n_labels && (m->most_rows == 0 || rows < m->most_rows); made++) {
        uint32_t n;
        const af_edge *edges = af_callers_callees_of(relatives, labels[made], &n);
        af_table *table = edges == NULL ? NULL : make_table(m, pattern, labels[made], edges, n);
        ok = table != NULL;
        if (ok) {
            g_ptr_array_add(tables, table);
            rows += table->n_rows;
        }
    }
    *n_labels = made;
    af_callers_callees_free(relatives);
    return ok;
}

typedef struct {
    const af_totals *totals;
    af_clock clock;
} ranking;

static int compare_labels(gconstpointer a, gconstpointer b, gpointer user)
{
    const ranking *r = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const uint64_t x = r->totals[one].inclusive[r->clock];
    const uint64_t y = r->totals[other].inclusive[r->clock];
    return x != y ? (x > y ? -1 : 1) : (one > other) - (one < other);
}

/* Finds the wanted methods that were called, largest first; `wanted` then holds the first `top` of
 * them. Returns their number. */
static uint32_t rank_labels(const af_report_request *request, const af_totals *totals,
                            gboolean *wanted, uint32_t *labels, uint64_t *left_out)
{
    ranking r = {totals, af_scope_first_clock(&request->scope)};
    uint32_t n = 0;
    for (uint32_t l = 0; l < request->scope.profile->n_labels; l++) {
        wanted[l] = wanted[l] && totals[l].threads > 0;
        if (wanted[l]) {
            labels[n++] = l;
        }
    }
    qsort_r(labels, n, sizeof *labels, compare_labels, &r);
    *left_out = 0;
    while (request->top > 0 && n > request->top) {
        wanted[labels[--n]] = FALSE;
        (*left_out)++;
    }
    return n;
}

/* Makes tables for all labels in `wanted`. */
static gboolean add_wanted(making m, gboolean *wanted, GPtrArray *tables, GError **error)
{
    const af_report_request *request = m.request;
    const af_profile *profile = request->scope.profile;
    g_autofree uint32_t *labels = g_try_new(uint32_t, MAX(profile->n_labels, 1));
    m.names = af_relative_names_of(request, request->scope.thread_word);
    g_autofree af_totals *totals = af_totals_new(&request->scope, NULL, profile->n_labels);
    gboolean ok = totals != NULL && labels != NULL && m.names.copies != NULL;
    m.totals = totals;
    if (ok) {
        uint64_t left_out;
        const uint32_t ranked = rank_labels(request, totals, wanted, labels, &left_out);
        uint32_t n = ranked;
        ok = add_tables(&m, labels, &n, wanted, tables);
        left_out += ranked - n;
        if (ok && left_out > 0 && n > 0) {
            ((af_table *)tables->pdata[tables->len - 1])->n_more_tables = left_out;
        }
    }
    g_free(m.names.copies);
    return ok || af_memory_error_set(error);
}

gboolean af_callers_callees_add(const af_report_request *request, GPtrArray *tables, GError **error)
{
    const af_profile *profile = request->scope.profile;
    g_autofree gboolean *wanted = g_try_new0(gboolean, MAX(profile->n_labels, 1));
    if (wanted == NULL) {
        return af_memory_error_set(error);
    }
    gboolean ok = TRUE;
    for (unsigned i = 0; ok && request->methods[i] != NULL; i++) {
        g_autofree guint8 *chosen = af_select_labels(profile, request->methods[i], error);
        for (uint32_t l = 0; chosen != NULL && l < profile->n_labels; l++) {
            wanted[l] = wanted[l] || chosen[l] != 0;
        }
        ok = chosen != NULL;
    }
    const unsigned before = tables->len;
    ok = ok && add_wanted((making){.request = request}, wanted, tables, error);
    if (ok && tables->len == before) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "no selected thread calls \"%s\"",
                    request->methods[0]);
        ok = FALSE;
    }
    return ok;
}

gboolean af_callers_callees_add_all(const af_report_request *request, GPtrArray *tables,
                                    GError **error)
{
    const uint32_t n = request->scope.profile->n_labels;
    g_autofree gboolean *wanted = g_try_new(gboolean, MAX(n, 1));
    if (wanted == NULL) {
        return af_memory_error_set(error);
    }
    for (uint32_t l = 0; l < n; l++) {
        wanted[l] = TRUE;
    }
    making m = {.request = request};
    if (request->top > 0) {
        m.most_of_relation = MOST_OF_RELATION;
        m.most_rows = MOST_ROWS;
    }
    return add_wanted(m, wanted, tables, error);
}
