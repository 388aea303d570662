#include "report/table.h"

#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "base/wide.h"

af_table *af_table_new(const char *id, const char *title)
{
    af_table *table = g_new0(af_table, 1);
    table->id = id;
    table->title = title;
    table->columns = g_array_new(FALSE, FALSE, sizeof(af_column));
    table->sorted_by = -1;
    return table;
}

af_table *af_table_new_like(const af_table *other, const char *title)
{
    af_table *table = g_new0(af_table, 1);
    table->id = other->id;
    table->title = title;
    table->order = other->order;
    table->columns = g_array_ref(other->columns);
    table->name_most = other->name_most;
    table->last_column = other->last_column;
    table->last_text = other->last_text;
    table->sorted_by = -1;
    return table;
}

void af_table_free(af_table *table)
{
    if (table != NULL) {
        g_array_unref(table->columns);
        g_free(table->cells);
        g_free(table);
    }
}

unsigned af_table_add_column(af_table *table, const af_column *column)
{
    af_column full = *column;
    full.word = full.word != NULL ? full.word : full.id;
    full.title = full.title != NULL ? full.title : full.word;
    g_array_append_val(table->columns, full);
    return table->columns->len - 1;
}

void af_table_add_columns(af_table *table, const af_column *columns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        af_table_add_column(table, &columns[i]);
    }
}

gboolean af_table_reserve(af_table *table, uint32_t n)
{
    table->cells = g_try_malloc_n((size_t)MAX(n, 1) * table->columns->len, sizeof *table->cells);
    table->capacity = table->cells == NULL ? 0 : n;
    return table->cells != NULL;
}

af_cell *af_table_add_row(af_table *table)
{
    g_return_val_if_fail(table->n_rows < table->capacity, table->cells);
    af_cell *row = af_table_row(table, table->n_rows++);
    for (unsigned c = 0; c < table->columns->len; c++) {
        const af_cell_kind kind = af_table_column(table, c)->kind;
        if (kind == AF_CELL_TEXT) {
            row[c].text = NULL;
        } else if (kind == AF_CELL_LIST) {
            row[c].list = NULL;
        } else {
            row[c].number = AF_ABSENT;
        }
    }
    return row;
}

gboolean af_table_is_absent(const af_table *table, uint32_t row, unsigned column)
{
    const af_cell *cell = af_table_row(table, row) + column;
    const af_cell_kind kind = af_table_column(table, column)->kind;
    return kind == AF_CELL_TEXT   ? cell->text == NULL
           : kind == AF_CELL_LIST ? cell->list == NULL
                                  : cell->number == AF_ABSENT;
}

gboolean af_table_has_text(const af_table *table, unsigned number)
{
    const af_column *column = af_table_column(table, number);
    if (column->implied) {
        return FALSE;
    }
    for (uint32_t r = 0; r < table->n_rows; r++) {
        const af_cell *cell = af_table_row(table, r) + number;
        if (!af_table_is_absent(table, r, number) &&
            (!column->quiet || column->kind == AF_CELL_TEXT ||
             (column->kind == AF_CELL_LIST ? cell->list->n > 0 : cell->number != 0))) {
            return TRUE;
        }
    }
    return !column->quiet && table->n_rows == 0;
}

int af_table_find(const af_table *table, const char *id)
{
    for (unsigned c = 0; c < table->columns->len; c++) {
        if (strcmp(af_table_column(table, c)->id, id) == 0) {
            return (int)c;
        }
    }
    return -1;
}

static gboolean begins_with(const char *text, const char *word, char end)
{
    const size_t length = strlen(word);
    return length > 0 && strncmp(text, word, length) == 0 && text[length] == end;
}

int af_table_find_word(const af_table *table, const char *word)
{
    int found = af_table_find(table, word);
    for (unsigned c = 0; found < 0 && c < table->columns->len; c++) {
        if (strcmp(af_table_column(table, c)->word, word) == 0) {
            found = (int)c;
        }
    }
    for (unsigned c = 0; found < 0 && c < table->columns->len; c++) {
        const char *dash = strrchr(af_table_column(table, c)->word, '-');
        if (af_table_column(table, c)->kind == AF_CELL_TIME && dash != NULL &&
            strcmp(dash + 1, word) == 0) {
            found = (int)c;
        }
    }
    for (unsigned c = 0; found < 0 && c < table->columns->len; c++) {
        if (begins_with(af_table_column(table, c)->word, word, '-') ||
            begins_with(af_table_column(table, c)->title, word, ' ')) {
            found = (int)c;
        }
    }
    return found;
}

typedef struct {
    const af_table *table;
    const uint32_t *group; /* by row; NULL = a single group */
    unsigned columns[3], n;
} sorting;

static int compare_texts(const char *a, const char *b)
{
    if (a == NULL || b == NULL) {
        return (a == NULL) - (b == NULL);
    }
    return strcmp(a, b);
}

static int compare_numbers(uint64_t a, uint64_t b, gboolean upward)
{
    if (a == AF_ABSENT || b == AF_ABSENT || upward) {
        return (a > b) - (a < b); /* AF_ABSENT is the largest value */
    }
    return (a < b) - (a > b);
}

static gboolean comes_last(const af_table *table, const af_cell *row)
{
    return table->last_text != NULL && strcmp(row[table->last_column].text, table->last_text) == 0;
}

static int compare_times(uint64_t a, uint64_t b)
{
    if (a == AF_ABSENT || b == AF_ABSENT) {
        return (a == AF_ABSENT) - (b == AF_ABSENT);
    }
    return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
}

static int compare_lists(const af_cell_list *a, const af_cell_list *b)
{
    return compare_texts(a == NULL || a->n == 0 ? NULL : a->items[0].name,
                         b == NULL || b->n == 0 ? NULL : b->items[0].name);
}

static int compare_rows(gconstpointer a, gconstpointer b, gpointer user)
{
    const sorting *s = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const af_cell *x = af_table_row(s->table, one), *y = af_table_row(s->table, other);
    int order = s->group == NULL
                    ? 0
                    : (s->group[one] > s->group[other]) - (s->group[one] < s->group[other]);
    for (unsigned i = 0; order == 0 && i < s->n; i++) {
        const unsigned c = s->columns[i];
        const af_column *column = af_table_column(s->table, c);
        if (i == 0 && column->kind != AF_CELL_TEXT) {
            order = (int)comes_last(s->table, x) - (int)comes_last(s->table, y);
        }
        order = order != 0                     ? order
                : column->kind == AF_CELL_TEXT ? compare_texts(x[c].text, y[c].text)
                : column->kind == AF_CELL_LIST ? compare_lists(x[c].list, y[c].list)
                : column->kind == AF_CELL_TIMESTAMP
                    ? compare_times(x[c].number, y[c].number)
                    : compare_numbers(x[c].number, y[c].number, column->plain);
    }
    return order != 0 ? order : (one > other) - (one < other);
}

/* Restores the heap below a row. */
static void sink_row(sorting *s, uint32_t *order, uint32_t n, uint32_t at)
{
    for (uint64_t below; (below = (uint64_t)at * 2 + 1) < n; at = (uint32_t)below) {
        if (below + 1 < n && compare_rows(&order[below], &order[below + 1], s) < 0) {
            below++;
        }
        if (compare_rows(&order[at], &order[below], s) >= 0) {
            return;
        }
        const uint32_t between = order[at];
        order[at] = order[below];
        order[below] = between;
    }
}

gboolean af_table_begins_group(const af_table *table, uint32_t row)
{
    return table->order == AF_ROWS_GROUPED &&
           (row == 0 ||
            strcmp(af_table_row(table, row)[1].text, af_table_row(table, row - 1)[1].text) != 0);
}

/* The group numbers by row. */
static void number_groups(const af_table *table, uint32_t *group)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < table->n_rows; r++) {
        n += af_table_begins_group(table, r);
        group[r] = n;
    }
}

/* Moves the first `most` rows to the front of `order`, with a heap whose top is the last of them:
 * few of very many rows ever enter it. */
static void choose_first(sorting *s, uint32_t *order, uint32_t most)
{
    for (uint32_t r = most / 2; r-- > 0;) {
        sink_row(s, order, most, r);
    }
    for (uint32_t r = most; r < s->table->n_rows; r++) {
        if (compare_rows(&order[r], &order[0], s) < 0) {
            order[0] = order[r];
            sink_row(s, order, most, 0);
        }
    }
}

gboolean af_table_sort_first(af_table *table, unsigned column, int next, uint32_t most)
{
    const gsize n = MAX(table->n_rows, 1);
    const gboolean grouped = table->order == AF_ROWS_GROUPED;
    const uint32_t n_rows = grouped || most == 0 ? table->n_rows : MIN(most, table->n_rows);
    g_autofree uint32_t *group = grouped ? g_try_new(uint32_t, n) : NULL;
    g_autofree uint32_t *order = g_try_new(uint32_t, n);
    af_cell *sorted = g_try_new(af_cell, (gsize)MAX(n_rows, 1) * table->columns->len);
    if (order == NULL || sorted == NULL || (grouped && group == NULL)) {
        g_free(sorted);
        return FALSE;
    }
    if (grouped) {
        number_groups(table, group);
    }
    sorting s = {table, group, {column}, 1};
    if (next >= 0) {
        s.columns[s.n++] = (unsigned)next;
    }
    s.columns[s.n++] = 0;
    for (uint32_t r = 0; r < table->n_rows; r++) {
        order[r] = r;
    }
    if (n_rows < table->n_rows) {
        choose_first(&s, order, n_rows);
    }
    qsort_r(order, n_rows, sizeof *order, compare_rows, &s);
    /* Replaces the rows by copies of the first `n` rows of an order. */
    const size_t width = table->columns->len;
    for (uint32_t r = 0; r < n_rows; r++) {
        memcpy(sorted + r * width, table->cells + order[r] * width, width * sizeof *sorted);
    }
    g_free(table->cells);
    table->cells = sorted;
    table->n_left_out += table->n_rows - n_rows;
    table->n_rows = table->capacity = n_rows;
    table->sorted_by = (int)column;
    af_table_limit(table, most);
    return TRUE;
}

gboolean af_table_sort(af_table *table, unsigned column, int next)
{
    return af_table_sort_first(table, column, next, 0);
}

void af_table_limit(af_table *table, uint32_t most)
{
    const size_t width = table->columns->len;
    uint32_t n_rows = 0, of_group = 0;
    const char *group = NULL;
    for (uint32_t r = 0; r < table->n_rows; r++) {
        const af_cell *row = af_table_row(table, r);
        if (table->order == AF_ROWS_GROUPED && (group == NULL || strcmp(group, row[1].text) != 0)) {
            group = row[1].text;
            of_group = 0;
        }
        if (most == 0 || of_group++ < most) {
            memmove(af_table_row(table, n_rows++), row, width * sizeof *row);
        }
    }
    table->n_left_out += table->n_rows - n_rows;
    table->n_rows = n_rows;
}

char *af_cell_list_text(const af_cell_list *list, unsigned most)
{
    char time[AF_NUMBER_SIZE];
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < list->n && i < most; i++) {
        const af_cell_item *item = &list->items[i];
        const gboolean names_thread = item->thread != NULL && !item->is_main;
        g_string_append_printf(text, "%s%s%s%s", i > 0 ? ", " : "",
                               names_thread ? item->thread : "", names_thread ? ": " : "",
                               item->name);
        if (item->self_ns != AF_ABSENT) {
            g_string_append_printf(text, " %s", af_number_time(time, item->self_ns));
        }
    }
    return g_string_free(text, FALSE);
}

void af_cell_put_percent(af_out *out, uint64_t part, uint64_t whole)
{
    const af_u128 all = whole == 0 ? 0 : ((af_u128)part * 1000000 + whole / 2) / whole;
    const uint64_t parts = all > UINT64_MAX ? UINT64_MAX : (uint64_t)all;
    char digits[5] = ".0000";
    uint64_t rest = parts % 10000;
    for (unsigned i = 4; i > 0; i--, rest /= 10) {
        digits[i] = (char)('0' + rest % 10);
    }
    af_out_u64(out, parts / 10000);
    af_out_bytes(out, digits, sizeof digits);
}

void af_cell_put_plain(af_out *out, const af_table *table, uint32_t row, unsigned number,
                       void (*put_text)(af_out *out, const char *text))
{
    const af_column *column = af_table_column(table, number);
    const af_cell *cell = af_table_row(table, row) + number;
    char text[AF_NUMBER_SIZE];
    if (af_table_is_absent(table, row, number)) {
        return;
    }
    switch (column->kind) {
    case AF_CELL_AMOUNT:
        af_out_text(out, af_number_amount_typed(text, cell->number, column->unit));
        break;
    case AF_CELL_TEXT:
        put_text(out, cell->text);
        break;
    case AF_CELL_TIMESTAMP:
        af_out_number(out, (int64_t)cell->number < 0 ? "-" : "",
                      (uint64_t)ABS((int64_t)cell->number), "");
        break;
    case AF_CELL_TIME:
    case AF_CELL_COUNT:
        af_out_u64(out, cell->number);
        break;
    case AF_CELL_LIST: {
        g_autofree char *list = af_cell_list_text(cell->list, UINT_MAX);
        put_text(out, list);
        break;
    }
    case AF_CELL_SHARE:
        af_cell_put_percent(out, cell->number, af_table_whole(table, column));
        break;
    case AF_CELL_BAR:
        break;
    }
}
