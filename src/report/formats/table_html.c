#include "report/formats/table_html.h"

#include <string.h>
#include "base/number.h"
#include "base/wide.h"
#include "report/formats/rest_html.h"
#include "report/formats/tree_lines.h"

#define MOST_LINES   60  /* columns */
#define BLOCK_RANK   8   /* a table of one method leaves out columns of a higher rank */
#define STATIC_ROWS  30  /* the script adds the others as the reader scrolls */
#define STATIC_NODES 200 /* the same in trees */
#define MINOR_RANK   9   /* a narrow page leaves out columns of this and higher ranks */

typedef struct {
    const af_table *table;
    const af_anchors *anchors;
    unsigned *order; /* columns as the page shows them */
    unsigned n;
    gboolean grouped; /* several clocks, each under a heading of its own */
    af_tree_lines tree_lines;
} printing;

/* ---- columns: the name, then those of each clock, then the others ---- */

/* Tables of a block keep quiet columns, so that all of them look alike. */
static gboolean is_shown(const af_table *table, unsigned c)
{
    const af_column *column = af_table_column(table, c);
    const gboolean wanted = table->subject == NULL ? af_table_has_text(table, c)
                                                   : !column->implied && column->rank <= BLOCK_RANK;
    return wanted && column->kind != AF_CELL_BAR; /* shares are drawn as bars */
}

static void add_columns(printing *p, gboolean clocked, int clock)
{
    for (unsigned c = 1; c < p->table->columns->len; c++) {
        const af_column *column = af_table_column(p->table, c);
        if (is_shown(p->table, c) && (column->stem != NULL) == clocked &&
            (!clocked || (int)column->clock == clock)) {
            p->order[p->n++] = c;
        }
    }
}

static void choose_columns(printing *p)
{
    unsigned clocks = 0;
    p->order = g_new(unsigned, (gsize)p->table->columns->len + 1);
    p->order[p->n++] = 0;
    for (unsigned c = 1; c < p->table->columns->len; c++) {
        const af_column *column = af_table_column(p->table, c);
        const unsigned bit = 1u << (unsigned)column->clock;
        if (column->stem != NULL && is_shown(p->table, c) && (clocks & bit) == 0) {
            p->grouped = clocks != 0;
            clocks |= bit;
            add_columns(p, TRUE, (int)column->clock);
        }
    }
    add_columns(p, FALSE, -1);
}

/* class="wall minor t" and the like; `more` may be NULL. */
static void put_class(af_out *out, const printing *p, const af_column *column, const char *more)
{
    const gboolean clocked = p->grouped && column->stem != NULL,
                   minor = column->minor || (column->stem == NULL && column->rank >= MINOR_RANK);
    if (!clocked && !minor && more == NULL) {
        return;
    }
    af_out_texts(out, " class=\"", clocked ? af_clock_word(column->clock) : "",
                 clocked && minor ? " " : "", minor ? "minor" : "",
                 more != NULL && (clocked || minor) ? " " : "", more != NULL ? more : "", "\"");
}

/* Milliseconds with three significant digits and at most three decimals: all times on a page have
 * one unit, so that they can be compared. *exact becomes all digits, or NULL if these are all. */
static void describe_time(uint64_t ns, char shown[AF_NUMBER_SIZE], char exact[AF_NUMBER_SIZE])
{
    const unsigned decimals = ns >= 99950000 ? 0 : ns >= 9995000 ? 1 : ns >= 999500 ? 2 : 3;
    static const uint64_t units[] = {1000000, 100000, 10000, 1000};
    static const unsigned powers[] = {1, 10, 100, 1000};
    const uint64_t parts = ns / units[decimals] + (ns % units[decimals] >= units[decimals] / 2);
    const unsigned fraction = (unsigned)(parts % powers[decimals]);
    exact[0] = '\0';
    if (parts == 0 && ns > 0) {
        g_strlcpy(shown, "<0.001", AF_NUMBER_SIZE);
    } else {
        af_number_count(shown, parts / powers[decimals]);
        if (decimals > 0 && ns > 0) {
            const size_t length = strlen(shown);
            g_snprintf(shown + length, AF_NUMBER_SIZE - length, ".%0*u", (int)decimals, fraction);
        }
    }
    if (parts * units[decimals] != ns) {
        g_snprintf(exact, AF_NUMBER_SIZE, "%" G_GUINT64_FORMAT ".%06u", ns / 1000000,
                   (unsigned)(ns % 1000000));
        for (char *end = exact + strlen(exact) - 1; *end == '0'; end--) {
            *end = '\0';
        }
    }
}

/* In tenths of a percent, with a background bar in steps of five. */
static void put_share(af_out *out, const printing *p, const af_column *column, uint64_t part)
{
    char text[AF_NUMBER_SIZE], bar[8] = "";
    const uint64_t whole = af_table_whole(p->table, column);
    const af_u128 twentieths = whole == 0 ? 0 : ((af_u128)part * 20 + whole / 2) / whole;
    const unsigned steps = twentieths > 20 ? 20 : (unsigned)twentieths;
    af_number_share(text, part, whole);
    char *unit = strstr(text, " %");
    if (unit != NULL) {
        *unit = '\0';
    }
    if (steps > 0) {
        g_snprintf(bar, sizeof bar, "p%u", steps);
    }
    af_out_text(out, "<td");
    put_class(out, p, column, steps > 0 ? bar : NULL);
    af_out_char(out, '>');
    af_markup_text(out, text);
}

static void put_plain(af_out *out, const printing *p, const af_column *column, const af_cell *cell)
{
    char text[AF_NUMBER_SIZE];
    const char *slash = column->kind == AF_CELL_TEXT ? strrchr(cell->text, '/') : NULL;
    af_out_text(out, "<td");
    put_class(out, p, column, column->kind == AF_CELL_TEXT ? "t" : NULL);
    if (slash != NULL) { /* the name of the method has the folder too */
        af_out_text(out, " title=\"");
        af_markup_text(out, cell->text);
        af_out_char(out, '"');
    }
    af_out_char(out, '>');
    if (column->kind == AF_CELL_TEXT) {
        af_markup_text(out, slash != NULL ? slash + 1 : cell->text);
    } else if (column->kind == AF_CELL_AMOUNT) {
        af_out_text(out, af_number_amount_cell(text, cell->number, column->unit));
    } else if (column->plain) {
        af_out_u64(out, cell->number);
    } else {
        af_out_text(out, af_number_count(text, cell->number));
    }
}

static void put_cell(af_out *out, const printing *p, uint32_t row, unsigned c)
{
    const af_column *column = af_table_column(p->table, c);
    const af_cell *cell = af_table_row(p->table, row) + c;
    if (af_table_is_absent(p->table, row, c)) {
        af_out_text(out, "<td");
        put_class(out, p, column, NULL);
        af_out_char(out, '>');
    } else if (column->kind == AF_CELL_LIST) {
        g_autofree char *text = af_cell_list_text(cell->list, UINT_MAX);
        af_out_text(out, "<td");
        put_class(out, p, column, "t");
        af_out_char(out, '>');
        af_markup_text(out, text);
    } else if (column->kind == AF_CELL_SHARE) {
        put_share(out, p, column, cell->number);
    } else if (column->kind == AF_CELL_TIME || column->kind == AF_CELL_TIMESTAMP) {
        /* The title is what the script sorts by and copies. */
        const uint64_t ns = cell->number;
        char shown[AF_NUMBER_SIZE], exact[AF_NUMBER_SIZE];
        const gboolean is_negative = column->kind == AF_CELL_TIMESTAMP && (int64_t)ns < 0;
        const char *sign = is_negative ? "-" : "";
        describe_time(is_negative ? -ns : ns, shown, exact);
        af_out_text(out, "<td");
        put_class(out, p, column, NULL);
        if (exact[0] != '\0') {
            af_out_texts(out, " title=\"", sign, exact, " ms\"");
        }
        af_out_texts(out, ">", sign);
        af_markup_text(out, shown);
    } else {
        put_plain(out, p, column, cell);
    }
    af_out_text(out, "</td>");
}

/* The row of the method in the heading. */
static gboolean is_subject(const af_table *table, uint32_t row)
{
    const char *name = af_table_row(table, row)[0].text;
    return table->subject != NULL && name != NULL && strcmp(table->subject, name) == 0;
}

static void put_title(af_out *out, const printing *p, unsigned at)
{
    const unsigned c = p->order[at];
    const af_table *table = p->table;
    const af_column *column = af_table_column(table, c);
    const gboolean clocked = p->grouped && column->stem != NULL;
    af_out_text(out, "<th scope=\"col\"");
    const gboolean is_text = column->kind == AF_CELL_TEXT || column->kind == AF_CELL_LIST;
    put_class(out, p, column, c == 0 ? "n" : is_text ? "t" : NULL);
    if (table->sorted_by == (int)c && table->subject == NULL) {
        const gboolean upward = is_text || column->plain;
        af_out_text(out, upward ? " aria-sort=\"ascending\"" : " aria-sort=\"descending\"");
    }
    if (column->about != NULL && table->subject == NULL) {
        af_out_text(out, " title=\"");
        af_markup_text(out, column->about);
        af_out_char(out, '"');
    }
    af_out_char(out, '>');
    af_markup_text(out, clocked ? column->stem : column->title);
    if (clocked && strcmp(column->stem, column->title) != 0) {
        /* the heading above shows it too */
        af_out_texts(out, "<span class=\"of\"> ", af_clock_title(column->clock), "</span>");
    }
    if (column->kind == AF_CELL_AMOUNT) {
        af_out_char(out, ' ');
        af_markup_text(out, column->unit->name);
    }
    af_out_text(out, column->kind == AF_CELL_TIME || column->kind == AF_CELL_TIMESTAMP ? " ms</th>"
                                                                                       : "</th>");
}

/* The columns from `at` on that share a heading: those of one clock, or of none. */
static unsigned count_group(const printing *p, unsigned at)
{
    const af_column *first = af_table_column(p->table, p->order[at]);
    unsigned n = 1;
    for (; at + n < p->n; n++) {
        const af_column *column = af_table_column(p->table, p->order[at + n]);
        if ((column->stem != NULL) != (first->stem != NULL) || column->clock != first->clock) {
            break;
        }
    }
    return n;
}

static void put_clocks(af_out *out, const printing *p)
{
    af_out_text(out, "<tr class=\"clocks\">");
    for (unsigned at = 0, n; at < p->n; at += n) {
        const af_column *column = af_table_column(p->table, p->order[at]);
        n = at == 0 ? 1 : count_group(p, at);
        if (column->stem == NULL) {
            af_out_text(out, at == 0 ? "<td class=\"n\"" : "<td");
        } else {
            af_out_text(out, "<th scope=\"colgroup\"");
        }
        af_out_number(out, " colspan=\"", n, "\">");
        if (column->stem == NULL) {
            af_out_text(out, "</td>");
        } else {
            af_out_texts(out, af_clock_title(column->clock), "</th>");
        }
    }
    af_out_text(out, "</tr>");
}

static void put_row(af_out *out, printing *p, uint32_t row)
{
    af_out_text(out, is_subject(p->table, row) ? "<tr class=\"i\">" : "<tr>");
    const char *name = af_table_row(p->table, row)[0].text;
    const char *anchor = name == NULL ? NULL : af_anchors_lookup(p->anchors, name);
    const gboolean itself = is_subject(p->table, row);
    af_out_text(out, "<td class=\"n\">");
    if (p->table->order == AF_ROWS_NESTED) {
        g_autoptr(GString) lines = g_string_new(NULL);
        af_tree_lines_append(&p->tree_lines, row, MOST_LINES, lines);
        af_out_bytes(out, lines->str, lines->len);
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
    for (unsigned at = 1; at < p->n; at++) {
        put_cell(out, p, row, p->order[at]);
    }
    af_out_text(out, "</tr>\n");
}

static void put_rest(af_out *out, printing *p, uint32_t first, const char *prefix)
{
    af_out *to;
    af_rest *rest = af_rest_new(&to);
    if (rest == NULL) {
        af_out_refuse(out);
        return;
    }
    for (uint32_t r = first; r < p->table->n_rows && to->error == NULL; r++) {
        put_row(to, p, r);
        af_rest_end_piece(rest);
    }
    af_rest_put(rest, out, prefix, p->table->id, TRUE);
}

static void begin_table(af_out *out, const af_table *table)
{
    if (table->subject != NULL) {
        af_out_text(out, "<table>");
        return;
    }
    af_out_text(out, table->order == AF_ROWS_NESTED ? "<table class=\"main tree\" aria-label=\""
                                                    : "<table class=\"main\" aria-label=\"");
    af_markup_text(out, table->title);
    af_out_text(out, "\">");
}

void af_table_put_html(af_out *out, const af_table *table, const af_anchors *anchors,
                       const char *prefix)
{
    printing p = {.table = table, .anchors = anchors};
    choose_columns(&p);
    const gboolean nested = table->order == AF_ROWS_NESTED;
    /* All rows of short, grouped and block tables; the first rows of others. */
    const uint32_t most = table->order == AF_ROWS_NESTED ? STATIC_NODES : STATIC_ROWS;
    const gboolean whole = table->subject != NULL || table->order == AF_ROWS_GROUPED;
    const uint32_t n = whole ? table->n_rows : MIN(table->n_rows, most);
    begin_table(out, table);
    /* With several clocks the page shows one, or all under a row of headings. */
    af_out_text(out, "<thead>");
    if (p.grouped) {
        put_clocks(out, &p);
    }
    af_out_text(out, "<tr>");
    for (unsigned at = 0; at < p.n; at++) {
        put_title(out, &p, at);
    }
    af_out_text(out, "</tr></thead>\n<tbody>\n");
    if (nested && !af_tree_lines_begin(&p.tree_lines, table)) {
        af_out_refuse(out);
    }
    for (uint32_t r = 0; r < n && out->error == NULL; r++) {
        if (af_table_begins_group(table, r)) {
            af_out_texts(out, r > 0 ? "</tbody><tbody>\n" : "", "<tr><th class=\"g\" colspan=\"");
            af_out_number(out, "", p.n, "\">");
            af_markup_text(out, af_table_row(p.table, r)[1].text);
            af_out_text(out, "</th></tr>\n");
        }
        put_row(out, &p, r);
    }
    af_out_text(out, "</tbody></table>\n");
    if (n < table->n_rows && out->error == NULL) {
        put_rest(out, &p, n, prefix);
    }
    if (nested) {
        af_tree_lines_end(&p.tree_lines);
    }
    g_free(p.order);
}
