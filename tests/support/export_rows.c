#include "export_rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    guint64 stack;
    char *name;
    gint64 numbers[COLUMNS];
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
    char *text = g_strdup_printf("%" G_GINT64_FORMAT, thread);
    const guint64 stack = stack_of_thread(text);
    g_free(text);
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
    rows->has[column] = TRUE;
    r->numbers[column] += value;
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    const row *x = a, *y = b;
    return (x->stack > y->stack) - (x->stack < y->stack);
}

static void print_row(const export_rows *rows, const row *r)
{
    printf("%016" G_GINT64_MODIFIER "x", r->stack);
    for (int c = 0; c < COLUMNS; c++) {
        if (rows->has[c]) {
            printf(" %" G_GINT64_FORMAT, r->numbers[c]);
        } else {
            fputs(" -", stdout);
        }
    }
    printf(" %s\n", r->name);
}

void rows_print(export_rows *rows)
{
    static const gint64 nothing[COLUMNS];
    GList *list = g_list_sort(g_hash_table_get_values(rows->rows), compare_rows);
    for (GList *l = list; l != NULL; l = l->next) {
        if (memcmp(((row *)l->data)->numbers, nothing, sizeof nothing) != 0) {
            print_row(rows, l->data);
        }
    }
    g_list_free(list);
    g_hash_table_unref(rows->rows);
    g_free(rows);
}

void refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}
