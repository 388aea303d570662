/* CSV as in RFC 4180: a line of names, then lines of as many fields, ended by CR LF.
 *
 * All tables of all reports make one: what a table lacks is an empty field. Columns in front say
 * which trace and which table a line is of, where there are several. */
#include "report/format.h"

static void put_text(af_out *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        af_out_text(out, text);
        return;
    }
    af_out_char(out, '"');
    for (const char *quote; (quote = strchr(text, '"')) != NULL; text = quote + 1) {
        af_out_bytes(out, text, (size_t)(quote + 1 - text));
        af_out_char(out, '"');
    }
    af_out_text(out, text);
    af_out_char(out, '"');
}

/* The ids of all columns, each once, in the order in which they are met. */
static GPtrArray *collect_ids(const af_report *const *reports, unsigned n)
{
    GPtrArray *ids = g_ptr_array_new();
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    const GArray *last = NULL;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned t = 0; t < reports[i]->tables->len; t++) {
            const af_table *table = reports[i]->tables->pdata[t];
            if (table->columns == last) {
                continue;
            }
            last = table->columns;
            for (unsigned c = 0; c < table->columns->len; c++) {
                const char *id = af_table_column(table, c)->id;
                if (af_table_column(table, c)->kind != AF_CELL_BAR &&
                    g_hash_table_add(seen, (gpointer)id)) {
                    g_ptr_array_add(ids, (gpointer)id);
                }
            }
        }
    }
    g_hash_table_unref(seen);
    return ids;
}

typedef struct {
    af_out *out;
    const GPtrArray *ids;
    gboolean says_trace, says_table;
} sheet;

static void put_head(const sheet *s)
{
    af_out_text(s->out, s->says_trace ? "trace," : "");
    af_out_text(s->out, s->says_table ? "table," : "");
    for (unsigned i = 0; i < s->ids->len; i++) {
        af_out_text(s->out, i > 0 ? "," : "");
        af_out_text(s->out, s->ids->pdata[i]);
    }
    af_out_text(s->out, "\r\n");
}

/* The column of the table that stands in each column of the sheet; -1 = none. */
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
        if (s->says_trace) {
            put_text(s->out, report->input != NULL ? report->input : "");
            af_out_char(s->out, ',');
        }
        if (s->says_table) {
            put_text(s->out, table->id);
            af_out_char(s->out, ',');
        }
        for (unsigned i = 0; i < s->ids->len; i++) {
            af_out_text(s->out, i > 0 ? "," : "");
            if (columns[i] >= 0) {
                af_cell_put_plain(s->out, table, r, (unsigned)columns[i], put_text);
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

/* Whether there are tables that differ in more than what they are about. */
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
    (void)error;
    GPtrArray *ids = collect_ids(reports, n);
    sheet s = {out, ids, n > 1, FALSE};
    for (unsigned i = 0; i < n; i++) {
        s.says_table = s.says_table || has_kinds(reports[i]);
    }
    put_head(&s);
    for (unsigned i = 0; i < n; i++) {
        put_report(&s, reports[i]);
    }
    g_ptr_array_unref(ids);
    return TRUE;
}

const af_report_format af_report_format_csv = {
    .name = "csv", .extension = "csv", .title = "CSV", .write = write_csv, .one_table = TRUE};
