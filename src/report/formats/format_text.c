/* Text pages for a terminal. */
#include "report/format.h"

#include "base/number.h"
#include "report/tables/columns.h"
#include "report/formats/table_text.h"

static void put_wrapped(af_out *out, const char *text, unsigned width)
{
    g_autoptr(GString) page = g_string_new(NULL);
    af_columns_wrap(page, text, 2, width);
    af_out_bytes(out, page->str, page->len);
}

static void put_more(af_out *out, const char *least, uint64_t n, const char *what)
{
    char text[AF_NUMBER_SIZE];
    if (n > 0) {
        af_out_texts(out, "  ... ", least, af_number_count(text, n), what, "; --top 0 shows all\n");
    }
}

static void put_table(af_out *out, const af_report *report, const af_table *table)
{
    g_autoptr(GString) title = g_string_new(table->title);
    if (table->sorted_by >= 0) {
        const af_column *column = af_table_column(table, (unsigned)table->sorted_by);
        g_autofree char *word = g_strdelimit(g_strdup(column->word), "-", ' ');
        char *clock = strstr(word, af_clock_word(column->clock));
        const char *end = clock != NULL ? clock + strlen(af_clock_word(column->clock)) : "";
        g_string_append_printf(title, " by %.*s%s%s", clock != NULL ? (int)(clock - word) : -1,
                               word, clock != NULL ? af_clock_title(column->clock) : "", end);
        if (table->last_text != NULL && column->kind != AF_CELL_TEXT) {
            g_string_append_printf(title, ", %s last", table->last_text);
        }
    }
    if (table->subtitle != NULL) {
        g_string_append_printf(title, "; %s", table->subtitle);
    }
    g_autofree char *clean = af_columns_clean(title->str);
    af_out_char(out, '\n');
    put_wrapped(out, clean, report->width);
    if (table->n_rows == 0) {
        af_out_text(out, "  none\n");
    } else {
        af_table_put_text(out, table, report->width);
    }
    if (table->closing != NULL) {
        g_autofree char *line = g_strconcat("  ", table->closing, NULL);
        put_wrapped(out, line, report->width);
    }
    put_more(out, table->left_out_more ? "at least " : "", table->n_left_out, " more");
    put_more(out, "", table->n_more_tables, " more methods");
}

static gboolean write_text(const af_report *const *reports, unsigned n, af_out *out, GError **error)
{
    for (unsigned i = 0; i < n; i++) {
        const af_report *report = reports[i];
        if (i > 0) {
            af_out_char(out, '\n');
        }
        if (report->input != NULL) {
            g_autofree char *name = af_columns_clean(report->input);
            af_out_texts(out, name, "\n");
        }
        g_autofree char *scope = af_report_describe_scope(report);
        put_wrapped(out, scope, report->width);
        for (unsigned k = 0; k < report->n_steps; k++) {
            g_autofree char *step = af_report_describe_step(report, k),
                            *clean = af_columns_clean(step);
            put_wrapped(out, clean, report->width);
        }
        /* Information is for `info`; a warning may make the numbers below wrong. */
        int kind;
        for (unsigned j = 0; (kind = af_warnings_kind_at(&report->warnings, j)) >= 0; j++) {
            if (!af_warning_is_info((af_warning_kind)kind)) {
                g_autofree char *line = af_report_warning_line(report, j);
                g_autofree char *text = g_strconcat("warning: ", line, NULL);
                put_wrapped(out, text, report->width);
            }
        }
        for (unsigned t = 0; t < report->tables->len; t++) {
            put_table(out, report, report->tables->pdata[t]);
        }
    }
    return TRUE;
}

const af_report_format af_report_format_text = {.name = "text",
                                                .extension = "txt",
                                                .title = "text for a terminal",
                                                .write = write_text,
                                                .overview = TRUE};
