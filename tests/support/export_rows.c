#include "export_rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    guint64 stack;
    char *name;
    gint64 numbers[COLUMNS];
    gboolean has[COLUMNS];
} row;

static void free_row(gpointer data)
{
    g_free(((row *)data)->name);
    g_free(data);
}

export_rows *rows_new(void)
{
    export_rows *rows = g_new0(export_rows, 1);
    rows->rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_row);
    return rows;
}

guint64 stack_with(guint64 stack, const char *name)
{
    stack = (stack ^ 0xFF) * G_GUINT64_CONSTANT(0x100000001B3);
    for (; *name != '\0'; name++) {
        stack = (stack ^ (guchar)*name) * G_GUINT64_CONSTANT(0x100000001B3);
    }
    return stack;
}

guint64 stack_of_thread(const char *thread)
{
    return stack_with(G_GUINT64_CONSTANT(0xCBF29CE484222325), thread);
}

guint64 stack_of_id(gint64 thread)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, thread);
    const guint64 stack = stack_of_thread(text);
    return stack;
}

void rows_add(export_rows *rows, guint64 stack, const char *name, int column, gint64 value)
{
    row *r = g_hash_table_lookup(rows->rows, &stack);
    if (r == NULL) {
        r = g_new0(row, 1);
        r->stack = stack;
        r->name = g_strdup(name);
        g_hash_table_insert(rows->rows, &r->stack, r);
    }
    rows->has[column] = r->has[column] = TRUE;
    r->numbers[column] += value;
}

static gboolean is_empty(const row *r)
{
    static const gint64 nothing[COLUMNS];
    return memcmp(r->numbers, nothing, sizeof nothing) == 0;
}

guint rows_count(const export_rows *rows)
{
    GHashTableIter at;
    gpointer r;
    guint n = 0;
    g_hash_table_iter_init(&at, rows->rows);
    while (g_hash_table_iter_next(&at, NULL, &r)) {
        n += !is_empty(r);
    }
    return n;
}

static void print_row(const char *mark, const row *r)
{
    fprintf(stderr, "%s %016" G_GINT64_MODIFIER "x", mark, r->stack);
    for (int c = 0; c < COLUMNS; c++) {
        if (r->has[c]) {
            fprintf(stderr, " %" G_GINT64_FORMAT, r->numbers[c]);
        } else {
            fputs(" -", stderr);
        }
    }
    fprintf(stderr, " %s\n", r->name);
}

/* A missing value is not 0, but a time of 0 may be missing. */
static gboolean has_same(const row *a, const row *b)
{
    return a->has[CALLS] == b->has[CALLS] && a->has[CPU] == b->has[CPU];
}

/* Returns the number of rows that are missing or different in `others`; prints the first ten. */
static guint count_others(const char *mark, const export_rows *rows, const export_rows *others)
{
    GHashTableIter at;
    gpointer value;
    guint n = 0;
    g_hash_table_iter_init(&at, rows->rows);
    while (g_hash_table_iter_next(&at, NULL, &value)) {
        const row *r = value, *other = g_hash_table_lookup(others->rows, &r->stack);
        const gboolean same = other != NULL && strcmp(r->name, other->name) == 0 &&
                              memcmp(r->numbers, other->numbers, sizeof r->numbers) == 0 &&
                              has_same(r, other);
        if (!same && !is_empty(r) && n++ < 10) {
            print_row(mark, r);
        }
    }
    return n;
}

gboolean rows_equal(const export_rows *expected, const export_rows *got)
{
    const guint n = count_others("<", expected, got) + count_others(">", got, expected);
    if (rows_count(expected) > 0 && memcmp(expected->has, got->has, sizeof got->has) != 0) {
        fputs("other columns\n", stderr);
        return FALSE;
    }
    return n == 0;
}

void rows_free(export_rows *rows)
{
    g_hash_table_unref(rows->rows);
    g_free(rows);
}

static const char *being_read;

void refuse_of(const char *path)
{
    being_read = path;
}

void refuse(const char *format, ...)
{
    va_list arguments;
    if (being_read != NULL) {
        fprintf(stderr, "%s: ", being_read);
    }
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

open_calls *open_calls_new(export_rows *rows, guint64 thread)
{
    open_calls *open = g_new0(open_calls, 1);
    const open_call lowest = {thread, NULL};
    open->rows = rows;
    open->calls = g_array_new(FALSE, FALSE, sizeof(open_call));
    g_array_append_val(open->calls, lowest);
    return open;
}

const open_call *open_calls_top(const open_calls *open)
{
    return &g_array_index(open->calls, open_call, open->calls->len - 1);
}

void open_calls_pass(open_calls *open, guint64 now)
{
    const open_call *top = open_calls_top(open);
    if (now < open->last) {
        refuse("a time goes back");
    }
    if (top->name != NULL) {
        rows_add(open->rows, top->stack, top->name, WALL, (gint64)(now - open->last));
    }
    open->last = now;
}

void open_calls_begin(open_calls *open, const char *name)
{
    const open_call mine = {stack_with(open_calls_top(open)->stack, name), name};
    g_array_append_val(open->calls, mine);
}

void open_calls_end(open_calls *open)
{
    if (open->calls->len == 1) {
        refuse("an end without a start");
    }
    g_array_set_size(open->calls, open->calls->len - 1);
}

void open_calls_free(gpointer data)
{
    open_calls *open = data;
    if (open->calls->len != 1) {
        refuse("a call never ends");
    }
    g_array_unref(open->calls);
    g_free(open);
}
