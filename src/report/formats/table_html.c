#include "report/formats/table_html.h"

#include <string.h>
#include "base/number.h"
#include "base/wide.h"
#include "report/formats/tree_lines.h"

#define MOST_GUIDES 60 /* columns */
#define BLOCK_RANK  8  /* a table of one method leaves out columns of a higher rank */

typedef struct {
    const af_table *table;
    const af_anchors *anchors;
    unsigned digits;
    gboolean *shown; /* by column */
    af_tree_lines guides;
} printing;

/* Tables of a block keep quiet columns, so that all of them look alike. */
static void choose_columns(printing *p)
{
    const af_table *table = p->table;
    p->shown = g_new(gboolean, table->columns->len);
    for (unsigned c = 0; c < table->columns->len; c++) {
        const af_column *column = af_table_column(table, c);
        p->shown[c] = table->subject == NULL ? af_table_has_text(table, c)
                                             : !column->implied && column->rank <= BLOCK_RANK;
        p->shown[c] = p->shown[c] && column->kind != AF_CELL_BAR; /* shares are drawn as bars */
    }
}

unsigned af_table_digits(const af_table *table)
{
    for (unsigned c = 0; c < table->columns->len; c++) {
        const af_column *column = af_table_column(table, c);
        if (column->kind != AF_CELL_TIME || g_str_has_prefix(column->id, "mean")) {
            continue;
        }
        for (uint32_t r = 0; r < table->n_rows; r++) {
            const uint64_t ns = af_table_row(table, r)[c].number;
            if (ns != AF_ABSENT && ns % 1000 != 0) {
                return 6;
            }
        }
    }
    return 3;
}

/* ---- cells ---- */

/* Milliseconds: all times on a page have one unit, so that they can be compared. */
static void put_time(af_out *out, uint64_t ns, unsigned digits)
{
    char text[AF_NUMBER_SIZE], fraction[8];
    const uint64_t unit = digits == 3 ? 1000 : 1;
    const uint64_t parts = ns / unit + (ns % unit >= (unit + 1) / 2 && unit > 1);
    const uint64_t ms = digits == 3 ? 1000 : 1000000;
    af_out_text(out, af_number_count(text, parts / ms));
    g_snprintf(fraction, sizeof fraction, ".%0*u", (int)digits, (unsigned)(parts % ms));
    af_out_text(out, fraction);
}

/* In tenths of a percent, with a background bar in steps of five. */
static void put_share(af_out *out, uint64_t part, uint64_t whole)
{
    char text[AF_NUMBER_SIZE];
    const af_u128 twentieths = whole == 0 ? 0 : ((af_u128)part * 20 + whole / 2) / whole;
    const unsigned bar = twentieths > 20 ? 20 : (unsigned)twentieths;
    af_number_share(text, part, whole);
    char *unit = strstr(text, " %");
    if (unit != NULL) {
        *unit = '\0';
    }
    if (bar > 0) {
        af_out_text(out, "<td class=\"p");
        af_out_u64(out, bar);
        af_out_text(out, "\">");
    } else {
        af_out_text(out, "<td>");
    }
    af_markup_text(out, text);
    af_out_text(out, "</td>");
}

static void put_cell(af_out *out, const printing *p, uint32_t row, unsigned c)
{
    char text[AF_NUMBER_SIZE];
    const af_column *column = af_table_column(p->table, c);
    const af_cell *cell = af_table_row(p->table, row) + c;
    if (af_table_is_absent(p->table, row, c)) {
        af_out_text(out, "<td></td>");
        return;
    }
    switch (column->kind) {
    case AF_CELL_TEXT:
        af_out_text(out, "<td class=\"t\">");
        af_markup_text(out, cell->text);
        break;
    case AF_CELL_TIME:
    case AF_CELL_TIMESTAMP:
        af_out_text(out, "<td>");
        put_time(out, cell->number, p->digits);
        break;
    case AF_CELL_AMOUNT:
        af_out_text(out, "<td>");
        af_out_text(out, af_number_amount_cell(text, cell->number, column->unit));
        break;
    case AF_CELL_COUNT:
        af_out_text(out, "<td>");
        if (column->plain) {
            af_out_u64(out, cell->number);
        } else {
            af_out_text(out, af_number_count(text, cell->number));
        }
        break;
    case AF_CELL_SHARE:
        put_share(out, cell->number, af_table_whole(p->table, column));
        return;
    case AF_CELL_BAR:
        return;
    }
    af_out_text(out, "</td>");
}

/* The row of the method in the heading. */
static gboolean is_subject(const af_table *table, uint32_t row)
{
    const char *name = af_table_row(table, row)[0].text;
    return table->subject != NULL && name != NULL && strcmp(table->subject, name) == 0;
}

static void put_name(af_out *out, printing *p, uint32_t row)
{
    const char *name = af_table_row(p->table, row)[0].text;
    const char *anchor = name == NULL ? NULL : af_anchors_lookup(p->anchors, name);
    const gboolean itself = is_subject(p->table, row);
    af_out_text(out, "<td class=\"n\">");
    if (p->table->order == AF_ROWS_NESTED) {
        GString *lines = g_string_new(NULL);
        af_tree_lines_append(&p->guides, row, MOST_GUIDES, lines);
        af_out_bytes(out, lines->str, lines->len);
        g_string_free(lines, TRUE);
    }
    if (anchor != NULL && !itself) {
        af_out_text(out, "<a");
        af_markup_href(out, anchor);
        af_out_char(out, '>');
    }
    if (p->table->order == AF_ROWS_NESTED) { /* the bar stays on its line, after the tree lines */
        af_markup_text(out, name != NULL ? name : "");
    } else {
        af_markup_name(out, name != NULL ? name : "");
    }
    af_out_text(out, anchor != NULL && !itself ? "</a></td>" : "</td>");
}

/* ---- rows ---- */

static void put_headings(af_out *out, const printing *p)
{
    const af_table *table = p->table;
    af_out_text(out, "<thead><tr>");
    for (unsigned c = 0; c < table->columns->len; c++) {
        const af_column *column = af_table_column(table, c);
        if (!p->shown[c]) {
            continue;
        }
        af_out_text(out, "<th scope=\"col\"");
        af_out_text(out, c == 0                         ? " class=\"n\""
                         : column->kind == AF_CELL_TEXT ? " class=\"t\""
                                                        : "");
        if (table->sorted_by == (int)c && table->subject == NULL) {
            const gboolean upward = column->kind == AF_CELL_TEXT || column->plain;
            af_out_text(out, upward ? " aria-sort=\"ascending\"" : " aria-sort=\"descending\"");
        }
        if (column->about != NULL && table->subject == NULL) {
            af_out_text(out, " title=\"");
            af_markup_text(out, column->about);
            af_out_char(out, '"');
        }
        af_out_char(out, '>');
        af_markup_text(out, column->title);
        if (column->kind == AF_CELL_AMOUNT) {
            af_out_char(out, ' ');
            af_markup_text(out, column->unit->name);
        }
        af_out_text(out, column->kind == AF_CELL_TIME || column->kind == AF_CELL_TIMESTAMP
                             ? " ms</th>"
                             : "</th>");
    }
    af_out_text(out, "</tr></thead>\n");
}

static void put_group(af_out *out, const printing *p, uint32_t row)
{
    const af_table *table = p->table;
    unsigned n = 0;
    for (unsigned c = 0; c < table->columns->len; c++) {
        n += p->shown[c];
    }
    af_out_text(out, row > 0 ? "</tbody><tbody>\n" : "");
    af_out_text(out, "<tr><th class=\"g\" colspan=\"");
    af_out_u64(out, n);
    af_out_text(out, "\">");
    af_markup_text(out, af_table_row(table, row)[1].text);
    af_out_text(out, "</th></tr>\n");
}

/* A long table scrolls in its own box, which the keyboard can reach. */
static void begin_table(af_out *out, const af_table *table)
{
    if (table->subject != NULL) {
        af_out_text(out, "<div class=\"scroll\"><table>");
        return;
    }
    af_out_text(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    af_markup_text(out, table->title);
    af_out_text(out, table->order == AF_ROWS_NESTED ? "\"><table class=\"main tree\">"
                                                    : "\"><table class=\"main\">");
}

void af_table_put_html(af_out *out, const af_table *table, const af_anchors *anchors,
                       unsigned digits)
{
    printing p = {.table = table, .anchors = anchors, .digits = digits};
    choose_columns(&p);
    const gboolean nested = table->order == AF_ROWS_NESTED;
    begin_table(out, table);
    put_headings(out, &p);
    af_out_text(out, "<tbody>\n");
    if (nested && !af_tree_lines_begin(&p.guides, table)) {
        af_out_refuse(out);
    }
    for (uint32_t r = 0; r < table->n_rows && out->error == NULL; r++) {
        if (af_table_begins_group(table, r)) {
            put_group(out, &p, r);
        }
        af_out_text(out, is_subject(table, r) ? "<tr class=\"i\">" : "<tr>");
        put_name(out, &p, r);
        for (unsigned c = 1; c < table->columns->len; c++) {
            if (p.shown[c]) {
                put_cell(out, &p, r, c);
            }
        }
        af_out_text(out, "</tr>\n");
    }
    if (nested) {
        af_tree_lines_end(&p.guides);
    }
    af_out_text(out, "</tbody></table></div>\n");
    g_free(p.shown);
}
