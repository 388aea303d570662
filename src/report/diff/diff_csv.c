/* CSV as in RFC 4180, in whole units: one line for each row, and a column for the table if there
 * are several. */
#include "report/diff/diff_format.h"

#include "base/csv.h"

static void put_head(const af_diff *diff, af_out *out, gboolean several)
{
    static const char *const amounts[] = {"self_before", "self_after", "inclusive_before",
                                          "inclusive_after", "delta"};
    const char *unit = af_diff_unit_id(diff);
    af_out_text(out, several ? "table,of,name" : "name");
    for (unsigned i = 0; i < G_N_ELEMENTS(amounts); i++) {
        g_autofree char *column = g_strdup_printf(",%s_%s", amounts[i], unit);
        af_out_text(out, column);
    }
    g_autofree char *rest =
        g_strdup_printf(",calls_before,calls_after,by_calls_%s,by_mean_%s,status,p,"
                        "low_%s,high_%s,runs_before_%s,runs_after_%s\r\n",
                        unit, unit, unit, unit, unit, unit);
    af_out_text(out, rest);
}

static void put_number(af_out *out, uint64_t number, gboolean known)
{
    af_out_char(out, ',');
    if (known) {
        af_out_u64(out, number);
    }
}

static void put_signed(af_out *out, int64_t number, gboolean known)
{
    af_out_char(out, ',');
    if (known) {
        af_out_i64(out, number);
    }
}

static void put_runs(af_out *out, const uint64_t *runs, uint32_t n)
{
    af_out_char(out, ',');
    for (uint32_t i = 0; runs != NULL && i < n; i++) {
        af_out_number(out, i > 0 ? " " : "", runs[i], "");
    }
}

static void put_row(const af_diff *diff, af_out *out, const af_diff_row *row)
{
    const af_diff_method *m = row->method;
    const gboolean split = m != NULL && m->split;
    const gboolean runs = m != NULL && m->side[AF_BEFORE].runs != NULL;
    put_number(out, row->self[AF_BEFORE], TRUE);
    put_number(out, row->self[AF_AFTER], TRUE);
    put_number(out, row->time[AF_BEFORE], TRUE);
    put_number(out, row->time[AF_AFTER], TRUE);
    put_signed(out, af_diff_of(row->time[AF_BEFORE], row->time[AF_AFTER]), TRUE);
    put_number(out, row->calls[AF_BEFORE], row->counted);
    put_number(out, row->calls[AF_AFTER], row->counted);
    put_signed(out, split ? m->by_calls : 0, split);
    put_signed(out, split ? m->by_mean : 0, split);
    af_out_texts(out, ",", af_diff_status_word(row->status), ",");
    if (row->p == AF_DIFF_FACT) {
        af_out_text(out, "fact");
    } else if (row->p >= 0) {
        af_out_decimal(out, (uint64_t)(row->p * 1000000 + 0.5), 6);
    }
    put_signed(out, runs ? m->low : 0, runs);
    put_signed(out, runs ? m->high : 0, runs);
    put_runs(out, runs ? m->side[AF_BEFORE].runs : NULL, diff->side[AF_BEFORE].n_tested);
    put_runs(out, runs ? m->side[AF_AFTER].runs : NULL, diff->side[AF_AFTER].n_tested);
    af_out_text(out, "\r\n");
}

static gboolean write_csv(const af_diff *diff, const GPtrArray *tables,
                          const af_diff_tables *wanted, GBytes *carried, af_out *out,
                          GError **error)
{
    const gboolean several = tables->len > 1;
    void (*put_text)(af_out * to, const char *text) =
        wanted->raw_csv ? af_csv_raw_text : af_csv_text;
    put_head(diff, out, several);
    for (guint t = 0; t < tables->len; t++) {
        const af_diff_table *table = tables->pdata[t];
        for (guint i = 0; i < table->rows->len && out->error == NULL; i++) {
            const af_diff_row *row = &g_array_index(table->rows, af_diff_row, i);
            if (several) {
                af_out_texts(out, table->id, ",");
                put_text(out, table->subject != NULL ? table->subject : "");
                af_out_char(out, ',');
            }
            put_text(out, row->name);
            put_row(diff, out, row);
        }
    }
    return TRUE;
}

const af_diff_format af_diff_format_csv = {
    .name = "csv", .extension = "csv", .title = "CSV", .write = write_csv};
