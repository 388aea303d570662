/* CSV as in RFC 4180: a line of names, then lines with the same number of fields, each ended by CR
 * LF.
 *
 * All tables of all reports make one sheet: where a table lacks a column, its field is empty. If
 * there are several traces or tables, leading columns name the trace and table of each line. A table
 * for databases has the same columns in the same order whatever the input is, the trace first. */
#include "report/format.h"

#include "base/csv.h"

static void add_id(GPtrArray *ids, GHashTable *known, const char *id)
{
    if (g_hash_table_add(known, (gpointer)id)) {
        g_ptr_array_add(ids, (gpointer)id);
    }
}

/* The ids of all columns, each once, in order of first use. */
static GPtrArray *collect_ids(const af_report *const *reports, unsigned n)
{
    GPtrArray *ids = g_ptr_array_new();
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    const GArray *last = NULL;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned t = 0; t < reports[i]->tables->len; t++) {
            const af_table *table = reports[i]->tables->pdata[t];
            if (table->columns == last) {
                continue;
            }
            last = table->columns;
            for (const char *const *id = table->fixed_ids; id != NULL && *id != NULL; id++) {
                add_id(ids, known, *id);
            }
            for (unsigned c = 0; c < table->columns->len; c++) {
                if (af_table_column(table, c)->kind != AF_CELL_BAR) {
                    add_id(ids, known, af_table_column(table, c)->id);
                }
            }
        }
    }
    return ids;
}

typedef struct {
    af_out *out;
    const GPtrArray *ids;
    gboolean has_trace, has_table; /* columns */
    void (*put_text)(af_out *out, const char *text);
} sheet;

static void put_head(const sheet *s)
{
    af_out_texts(s->out, s->has_trace ? "trace," : "", s->has_table ? "table," : "");
    for (unsigned i = 0; i < s->ids->len; i++) {
        af_out_texts(s->out, i > 0 ? "," : "", s->ids->pdata[i]);
    }
    af_out_text(s->out, "\r\n");
}

/* The table's column for each column of the sheet; -1 = none. */
static int *match_columns(const sheet *s, const af_table *table)
{
    int *columns = g_new(int, MAX(s->ids->len, 1));
    for (unsigned i = 0; i < s->ids->len; i++) {
        columns[i] = af_table_find(table, s->ids->pdata[i]);
    }
    return columns;
}

static void put_rows(const sheet *s, const af_report *report, const af_table *table,
                     const int *columns)
{
    for (uint32_t r = 0; r < table->n_rows && s->out->error == NULL; r++) {
        if (s->has_trace) {
            s->put_text(s->out, report->input != NULL ? report->input : "");
            af_out_char(s->out, ',');
        }
        if (s->has_table) {
            s->put_text(s->out, table->id);
            af_out_char(s->out, ',');
        }
        for (unsigned i = 0; i < s->ids->len; i++) {
            af_out_text(s->out, i > 0 ? "," : "");
            if (columns[i] >= 0) {
                af_cell_put_plain(s->out, table, r, (unsigned)columns[i], s->put_text);
            }
        }
        af_out_text(s->out, "\r\n");
    }
}

static void put_report(const sheet *s, const af_report *report)
{
    const GArray *last = NULL;
    int *columns = NULL;
    for (unsigned t = 0; t < report->tables->len; t++) {
        const af_table *table = report->tables->pdata[t];
        if (table->columns != last) {
            g_free(columns);
            columns = match_columns(s, table);
            last = table->columns;
        }
        put_rows(s, report, table, columns);
    }
    g_free(columns);
}

static gboolean has_fixed_ids(const af_report *report)
{
    return report->tables->len > 0 &&
           ((const af_table *)report->tables->pdata[0])->fixed_ids != NULL;
}

/* Whether the tables differ in more than their subject. */
static gboolean has_kinds(const af_report *report)
{
    for (unsigned t = 1; t < report->tables->len; t++) {
        const af_table *one = report->tables->pdata[t - 1], *other = report->tables->pdata[t];
        if (strcmp(one->id, other->id) != 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean write_csv(const af_report *const *reports, unsigned n, af_out *out, GError **error)
{
    g_autoptr(GPtrArray) ids = collect_ids(reports, n);
    sheet s = {.out = out,
               .ids = ids,
               .has_trace = n > 1 || has_fixed_ids(reports[0]),
               .put_text = reports[0]->raw_csv ? af_csv_raw_text : af_csv_text};
    for (unsigned i = 0; i < n; i++) {
        s.has_table = s.has_table || has_kinds(reports[i]);
    }
    put_head(&s);
    for (unsigned i = 0; i < n; i++) {
        put_report(&s, reports[i]);
    }
    return TRUE;
}

const af_report_format af_report_format_csv = {
    .name = "csv", .extension = "csv", .title = "CSV", .write = write_csv, .one_table = TRUE};
