#include "report/formats/table_text.h"

#include <string.h>
#include "base/number.h"
#include "base/wide.h"
#include "report/tables/columns.h"
#include "report/formats/tree_lines.h"

#define GAP             2 /* blanks before a column */
#define LEAST_NAME      8
#define MOST_HEADING    9 /* width of a heading in one line: "self wall" */
#define BAR_WIDTH       30
#define LEAST_TREE_NAME 24 /* width of a name after the tree lines */

typedef struct {
    const af_table *table;
    unsigned page;            /* width of the page */
    gboolean whole;           /* names are not shortened, so they may exceed the page */
    unsigned *width;          /* by column; 0 = left out */
    unsigned *order;          /* columns from left to right */
    af_tree_lines tree_lines; /* of a tree */
} layout;

/* In eighths of a column; the longest bar fills the width, and one call is visible. */
static char *draw_bar(const af_table *table, unsigned number, uint64_t count)
{
    static const char *const ends[] = {"",       "\u258F", "\u258E", "\u258D",
                                       "\u258C", "\u258B", "\u258A", "\u2589"};
    uint64_t most = 1;
    for (uint32_t r = 0; r < table->n_rows; r++) {
        const uint64_t other = af_table_row(table, r)[number].number;
        most = other != AF_ABSENT ? MAX(most, other) : most;
    }
    const uint64_t eighths = (uint64_t)((af_u128)count * BAR_WIDTH * 8 / most);
    GString *bar = g_string_new(NULL);
    for (uint64_t i = 0; i < eighths / 8; i++) {
        g_string_append(bar, "\u2588");
    }
    g_string_append(bar, ends[eighths == 0 && count > 0 ? 1 : eighths % 8]);
    return g_string_free(bar, FALSE);
}

static char *show_list(const af_cell_list *list, unsigned most)
{
    char *text = af_cell_list_text(list, most), *clean = af_columns_clean(text);
    g_free(text);
    return clean;
}

static char *show_cell(const af_table *table, uint32_t row, unsigned number)
{
    const af_column *column = af_table_column(table, number);
    const af_cell *cell = af_table_row(table, row) + number;
    char text[AF_NUMBER_SIZE + 1] = "";
    if (af_table_is_absent(table, row, number)) {
        return g_strdup("");
    }
    switch (column->kind) {
    case AF_CELL_TEXT:
        return af_columns_clean(cell->text);
    case AF_CELL_LIST:
        return show_list(cell->list, UINT_MAX);
    case AF_CELL_TIME:
        af_number_time(text, cell->number);
        break;
    case AF_CELL_AMOUNT:
        af_number_amount_cell(text, cell->number, column->unit);
        break;
    case AF_CELL_TIMESTAMP:
        text[0] = '-';
        af_number_ms(text + ((int64_t)cell->number < 0), (uint64_t)ABS((int64_t)cell->number));
        break;
    case AF_CELL_COUNT:
        if (column->plain) {
            g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, cell->number);
        } else {
            af_number_count(text, cell->number);
        }
        break;
    case AF_CELL_SHARE:
        af_number_share(text, cell->number, af_table_whole(table, column));
        break;
    case AF_CELL_BAR:
        return draw_bar(table, number, cell->number);
    }
    return g_strdup(text);
}

static gboolean is_left(const af_column *column)
{
    return (column->kind == AF_CELL_TEXT && !column->right) || column->kind == AF_CELL_BAR ||
           column->kind == AF_CELL_LIST;
}

/* The second line of a heading that is wider than most numbers: "waiting" of "inclusive waiting"; the
 * heading itself if one line is enough. */
static const char *find_last_line(const af_column *column)
{
    const char *blank = strchr(column->title, ' ');
    const gboolean wide = af_columns_width(column->title) > MOST_HEADING;
    return blank != NULL && wide && !is_left(column) ? blank + 1 : column->title;
}

/* The first line of such a heading; "" if it has one line. Free with g_free(). */
static char *copy_first_line(const af_column *column)
{
    const char *last = find_last_line(column);
    return last == column->title ? g_strdup("")
                                 : g_strndup(column->title, (gsize)(last - column->title) - 1);
}

static unsigned measure_heading(const af_column *column)
{
    g_autofree char *first = copy_first_line(column);
    const unsigned width = af_columns_width(first), last = af_columns_width(find_last_line(column));
    return MAX(width, last);
}

static unsigned measure_column(const af_table *table, unsigned number)
{
    if (!af_table_has_text(table, number)) {
        return 0;
    }
    unsigned width = measure_heading(af_table_column(table, number));
    for (uint32_t r = 0; r < table->n_rows; r++) {
        g_autofree char *text = show_cell(table, r, number);
        width = MAX(width, af_columns_width(text));
    }
    return width;
}

/* The width of all columns except the name. */
static unsigned add_widths(const layout *l)
{
    unsigned sum = 0;
    for (unsigned c = 0; c < l->table->columns->len; c++) {
        sum += c != l->table->name && l->width[c] > 0 ? l->width[c] + GAP : 0;
    }
    return sum;
}

/* The next column to leave out, + 1; 0 = none. The sort column stays. */
static unsigned find_dispensable(const layout *l)
{
    unsigned found = 0, highest = 0;
    for (unsigned c = 0; c < l->table->columns->len; c++) {
        const unsigned rank = af_table_column(l->table, c)->rank;
        if (l->width[c] > 0 && rank > highest && c != l->table->name &&
            (int)c != l->table->sorted_by) {
            found = c + 1;
            highest = rank;
        }
    }
    return found;
}

static void lay_out(layout *l, const af_table *table, unsigned page)
{
    const unsigned n = table->columns->len, name = table->name, name_most = table->name_most;
    l->table = table;
    l->whole = page == 0;
    l->page = page = l->whole ? AF_COLUMNS_PAGE : page;
    l->width = g_new0(unsigned, n);
    l->order = g_new(unsigned, n);
    for (unsigned c = 0; c < n; c++) {
        const af_column *column = af_table_column(table, c);
        l->width[c] = column->below ? 0 : measure_column(table, c);
        l->order[c] = name_most > 0 || c < name ? c : c + 1 < n ? c + 1 : name;
    }
    const unsigned least = MIN(l->width[name], name_most > 0 ? name_most : page * 2 / 5) + GAP;
    gboolean narrow = FALSE;
    for (unsigned c; add_widths(l) + least > page && (c = find_dispensable(l)) != 0;) {
        l->width[c - 1] = 0;
        narrow = TRUE;
    }
    if (l->whole) {
        return;
    }
    if (table->order == AF_ROWS_NESTED) {
        l->width[name] = page; /* tree lines come before the names */
    }
    const unsigned used = add_widths(l) + GAP;
    const unsigned rest = MAX(page > used ? page - used : 0, LEAST_NAME);
    l->width[name] = MIN(l->width[name], name_most == 0 ? rest
                                         : narrow       ? MIN(name_most, rest)
                                                        : name_most);
}

static void put_line(af_out *out, GString *line)
{
    while (line->len > 0 && line->str[line->len - 1] == ' ') {
        g_string_truncate(line, line->len - 1);
    }
    g_string_append_c(line, '\n');
    af_out_bytes(out, line->str, line->len);
    g_string_truncate(line, 0);
}

static void put_cell(GString *line, const layout *l, unsigned c, const char *text)
{
    const af_column *column = af_table_column(l->table, c);
    g_string_append_printf(line, "%*s", GAP, "");
    af_columns_put(line, text, l->width[c], is_left(column) ? AF_COLUMNS_LEFT : AF_COLUMNS_RIGHT);
}

/* As many items as fit, at least the first, whose name is shortened; frees `text`, which shows them
 * all. */
static char *fit_list(char *text, const af_cell_list *list, unsigned width)
{
    for (unsigned n = list != NULL ? list->n : 0; n > 1 && af_columns_width(text) > width;) {
        g_free(text);
        text = show_list(list, --n);
    }
    const unsigned shown = af_columns_width(text), excess = shown - MIN(shown, width);
    if (list != NULL && list->n > 0 && excess > 0) {
        af_cell_item first = list->items[0];
        g_autofree char *name = af_columns_clean(first.name);
        const unsigned of_name = af_columns_width(name);
        g_autofree char *shortened =
            af_columns_shorten(name, MAX(of_name - MIN(of_name, excess), LEAST_NAME));
        first.name = shortened;
        g_free(text);
        text = show_list(&(af_cell_list){&first, 1}, 1);
    }
    return text;
}

/* The name, shortened to the available width, after the tree lines. */
static char *show_name(layout *l, uint32_t row)
{
    GString *text = g_string_new(NULL);
    g_autofree char *name = show_cell(l->table, row, l->table->name);
    const unsigned width = l->whole ? l->page : l->width[l->table->name];
    if (!l->whole && af_table_column(l->table, l->table->name)->kind == AF_CELL_LIST) {
        name = fit_list(name, af_table_row(l->table, row)[l->table->name].list, width);
    }
    if (l->table->order == AF_ROWS_NESTED) {
        af_tree_lines_append(&l->tree_lines, row,
                             width > LEAST_TREE_NAME ? width - LEAST_TREE_NAME : 2, text);
    }
    const unsigned used = af_columns_width(text->str);
    g_autofree char *shown =
        l->whole ? g_strdup(name) : af_columns_shorten(name, width > used ? width - used : 1);
    g_string_append(text, shown);
    return g_string_free(text, FALSE);
}

/* One line, or two if a heading has two. */
static void put_headings(af_out *out, GString *line, const layout *l)
{
    gboolean two = FALSE;
    for (unsigned i = 0; i < l->table->columns->len; i++) {
        const unsigned c = l->order[i];
        if (l->width[c] > 0) {
            g_autofree char *first = copy_first_line(af_table_column(l->table, c));
            two = two || *first != '\0';
            put_cell(line, l, c, first);
        }
    }
    if (two) {
        put_line(out, line);
    }
    g_string_truncate(line, 0);
    for (unsigned i = 0; i < l->table->columns->len; i++) {
        const unsigned c = l->order[i];
        if (l->width[c] > 0) {
            put_cell(line, l, c, find_last_line(af_table_column(l->table, c)));
        }
    }
    put_line(out, line);
}

void af_table_put_text(af_out *out, const af_table *table, unsigned width)
{
    layout l;
    lay_out(&l, table, width);
    g_autoptr(GString) line = g_string_new(NULL);
    if (table->order == AF_ROWS_NESTED && !af_tree_lines_begin(&l.tree_lines, table)) {
        af_out_refuse(out);
    }
    put_headings(out, line, &l);
    for (uint32_t r = 0; r < table->n_rows && out->error == NULL; r++) {
        if (af_table_begins_group(table, r)) {
            g_autofree char *text = show_cell(l.table, r, 1);
            g_string_append_printf(line, " %s", text);
            put_line(out, line);
        }
        for (unsigned i = 0; i < l.table->columns->len; i++) {
            const unsigned c = l.order[i];
            if (l.width[c] > 0) {
                g_autofree char *text =
                    c == l.table->name ? show_name(&l, r) : show_cell(l.table, r, c);
                put_cell(line, &l, c, text);
            }
        }
        put_line(out, line);
        const unsigned indent = (l.table->name_most > 0 ? 0 : add_widths(&l)) + GAP;
        for (unsigned c = 1; c < l.table->columns->len; c++) {
            if (af_table_column(l.table, c)->below && !af_table_is_absent(l.table, r, c)) {
                g_autofree char *text = show_cell(l.table, r, c);
                g_string_append_printf(line, "%*s^ ", (int)indent, "");
                af_columns_wrap(line, text, indent + 2, l.page);
                af_out_bytes(out, line->str, line->len);
                g_string_truncate(line, 0);
            }
        }
    }
    if (table->order == AF_ROWS_NESTED) {
        af_tree_lines_end(&l.tree_lines);
    }
    g_free(l.order);
    g_free(l.width);
}
