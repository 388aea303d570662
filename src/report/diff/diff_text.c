/* A page for a terminal. */
#include "report/diff/diff_format.h"

#include <string.h>

#include "base/number.h"
#include "report/formats/table_text.h"
#include "report/table.h"
#include "report/tables/columns.h"

enum { NAME, DEPTH, BEFORE, AFTER, DELTA, RATIO, CALLS, MEAN, CAUSE, P, INTERVAL, COLUMNS };

static const af_column columns[COLUMNS] = {
    [NAME] = {.id = "name", .title = "method", .kind = AF_CELL_TEXT},
    [DEPTH] = {.id = "depth", .title = "depth", .kind = AF_CELL_COUNT, .implied = TRUE},
    [BEFORE] = {.id = "before", .title = "before", .kind = AF_CELL_TEXT, .rank = 4, .right = TRUE},
    [AFTER] = {.id = "after", .title = "after", .kind = AF_CELL_TEXT, .rank = 3, .right = TRUE},
    [DELTA] = {.id = "delta", .title = "delta", .kind = AF_CELL_TEXT, .right = TRUE},
    [RATIO] = {.id = "ratio", .title = "", .kind = AF_CELL_TEXT, .rank = 5, .right = TRUE},
    [CALLS] = {.id = "calls", .title = "calls", .kind = AF_CELL_TEXT, .rank = 6, .right = TRUE},
    [MEAN] = {.id = "mean", .title = "mean", .kind = AF_CELL_TEXT, .rank = 7, .right = TRUE},
    [CAUSE] = {.id = "cause", .title = "cause", .kind = AF_CELL_TEXT, .rank = 1},
    [P] = {.id = "p", .title = "p", .kind = AF_CELL_TEXT, .rank = 2, .right = TRUE},
    [INTERVAL] =
        {.id = "interval", .title = "95 %", .kind = AF_CELL_TEXT, .rank = 8, .right = TRUE},
};

/* Texts of a page live as long as its table. */
typedef struct {
    const af_diff *diff;
    GPtrArray *texts;
} page;

static const char *keep(page *p, char *text)
{
    if (*text == '\0') {
        g_free(text);
        return NULL;
    }
    g_ptr_array_add(p->texts, text);
    return text;
}

static char *join_change(char *before, char *after)
{
    char *text =
        strcmp(before, after) == 0 ? g_strdup(before) : g_strdup_printf("%s → %s", before, after);
    g_free(before);
    g_free(after);
    return text;
}

static char *say_count(uint64_t count)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(af_number_count(text, count));
}

static char *say_mean(const af_diff *diff, const af_diff_row *row, unsigned s)
{
    return row->calls[s] > 0 ? af_diff_say_amount(diff, row->time[s] / row->calls[s])
                             : g_strdup("-");
}

static char *say_interval(const af_diff *diff, const af_diff_method *m)
{
    g_autofree char *low = af_diff_say_change(diff, m->low),
                    *high = af_diff_say_change(diff, m->high);
    return g_strdup_printf("%s .. %s", low, high);
}

static void fill_row(page *p, af_cell *cells, const af_diff_row *row)
{
    const af_diff *diff = p->diff;
    const uint64_t before = row->time[AF_BEFORE], after = row->time[AF_AFTER];
    cells[NAME].text = row->name;
    cells[DEPTH].number = row->depth;
    cells[BEFORE].text = row->present[AF_BEFORE] ? keep(p, af_diff_say_amount(diff, before)) : "-";
    cells[AFTER].text = row->present[AF_AFTER] ? keep(p, af_diff_say_amount(diff, after)) : "-";
    cells[DELTA].text = keep(p, af_diff_say_change(diff, af_diff_of(before, after)));
    cells[RATIO].text = keep(p, af_diff_say_ratio(before, after));
    if (row->counted) {
        cells[CALLS].text =
            keep(p, join_change(say_count(row->calls[AF_BEFORE]), say_count(row->calls[AF_AFTER])));
        cells[MEAN].text =
            keep(p, join_change(say_mean(diff, row, AF_BEFORE), say_mean(diff, row, AF_AFTER)));
    }
    cells[CAUSE].text = keep(p, g_strdup(af_diff_say_cause(row)));
    cells[P].text = keep(p, af_diff_say_p(row));
    if (row->method != NULL && row->method->side[AF_BEFORE].runs != NULL) {
        cells[INTERVAL].text = keep(p, say_interval(diff, row->method));
    }
}

static void put_wrapped(af_out *out, const char *text, unsigned indent, unsigned width)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    g_autofree char *clean = af_columns_clean(text);
    af_columns_wrap(lines, clean, indent, width);
    af_out_bytes(out, lines->str, lines->len);
}

static void put_title(af_out *out, const af_diff_table *table, unsigned width)
{
    g_autofree char *title =
        table->subject != NULL ? g_strdup_printf("%s of %s", table->title, table->subject)
                               : g_strdup_printf("%s%s", table->title,
                                                 table->nested ? "" : " by size of the difference");
    af_out_char(out, '\n');
    put_wrapped(out, title, 2, width);
}

static void put_rows(page *p, af_out *out, const af_diff_table *table, unsigned width)
{
    g_autoptr(af_table) shown = af_table_new(table->id, table->title);
    for (unsigned c = 0; c < COLUMNS; c++) {
        af_column column = columns[c];
        column.title = c == NAME ? table->name : column.title;
        af_table_add_column(shown, &column);
    }
    shown->order = table->nested ? AF_ROWS_NESTED : AF_ROWS_EQUAL;
    shown->sorted_by = -1;
    if (af_table_reserve(shown, table->rows->len)) {
        for (guint i = 0; i < table->rows->len; i++) {
            fill_row(p, af_table_add_row(shown), &g_array_index(table->rows, af_diff_row, i));
        }
        af_table_put_text(out, shown, width);
    } else {
        af_out_refuse(out);
    }
}

static void put_table(const af_diff *diff, af_out *out, const af_diff_table *table, unsigned width)
{
    page p = {diff, g_ptr_array_new_with_free_func(g_free)};
    put_title(out, table, width);
    if (table->rows->len == 0) {
        af_out_text(out, "  none\n");
    } else {
        put_rows(&p, out, table, width);
    }
    if (table->n_left_out > 0) {
        char text[AF_NUMBER_SIZE];
        af_out_texts(out, "  ... ", af_number_count(text, table->n_left_out),
                     " more; --top 0 shows all\n");
    }
    g_ptr_array_unref(p.texts);
}

static gboolean write_text(const af_diff *diff, const GPtrArray *tables,
                           const af_diff_tables *wanted, GBytes *carried, af_out *out,
                           GError **error)
{
    GPtrArray *lines = af_diff_describe(diff);
    for (guint i = 0; i < lines->len; i++) {
        put_wrapped(out, lines->pdata[i], 2, wanted->width);
    }
    g_ptr_array_unref(lines);
    for (guint i = 0; i < tables->len && out->error == NULL; i++) {
        put_table(diff, out, tables->pdata[i], wanted->width);
    }
    return TRUE;
}

const af_diff_format af_diff_format_text = {
    .name = "text", .extension = "txt", .title = "text for a terminal", .write = write_text};
