/* Callgrind's format. Rows are methods with their self times, and pairs of caller and callee with
 * the calls between them and their times; threads count as methods. */
#include <stdlib.h>
#include <string.h>
#include "export_rows.h"

typedef struct {
    export_rows *rows;
    GHashTable *names[2]; /* files, functions: number -> name */
    char *caller, *callee;
    gint64 calls; /* -1 = costs are the caller's own */
    guint n_events;
    gint64 sums[2], summary[2];
} reading;

/* As in KCachegrind, which skips leading blanks: names that start with a blank are quoted. */
static char *unquote(const char *text)
{
    const gsize n = strlen(text);
    if (n == 0 || g_unichar_isspace(g_utf8_get_char(text))) {
        refuse("a name starts with a blank: %s", text);
    }
    const gboolean quoted = n > 2 && text[0] == '"' && text[n - 1] == '"' &&
                            g_unichar_isspace(g_utf8_get_char(text + 1));
    return quoted ? g_strndup(text + 1, n - 2) : g_strdup(text);
}

/* "(3) name" at the first use, "(3)" afterwards. */
static char *read_name(reading *r, int kind, const char *text)
{
    char *end;
    if (*text != '(') {
        refuse("a name has no number: %s", text);
    }
    const guint64 number = g_ascii_strtoull(text + 1, &end, 10);
    const gpointer key = GSIZE_TO_POINTER((gsize)number);
    const char *known = g_hash_table_lookup(r->names[kind], key);
    if (number == 0 || *end != ')' || (end[1] == '\0') != (known != NULL)) {
        refuse("a name is defined twice or never: %s", text);
    }
    if (known == NULL) {
        known = unquote(end + 2);
        g_hash_table_insert(r->names[kind], key, (gpointer)known);
    }
    return (char *)known;
}

/* Reads at most `n` numbers and returns their count. */
static guint read_numbers(const char *text, guint n, gint64 numbers[2])
{
    guint i = 0;
    for (; i < n && *text != '\0'; i++) {
        char *end;
        numbers[i] = g_ascii_strtoll(text, &end, 10);
        if (end == text) {
            refuse("not a number: %s", text);
        }
        text = end;
    }
    if (*text != '\0' || i == 0) {
        refuse("no numbers, or text after them: %s", text);
    }
    return i;
}

static void read_costs(reading *r, const char *line)
{
    gint64 numbers[2] = {0, 0};
    char *rest;
    const guint64 row = r->calls < 0 ? stack_of_thread(r->caller)
                                     : stack_with(stack_of_thread(r->caller), r->callee);
    const char *name = r->calls < 0 ? r->caller : r->callee;
    strtol(line, &rest, 10);
    const guint n = read_numbers(rest, r->n_events, numbers);
    for (guint i = 0; i < n; i++) {
        rows_add(r->rows, row, name, WALL + (int)i, numbers[i]);
        r->sums[i] += r->calls < 0 ? numbers[i] : 0;
    }
    if (r->calls >= 0) {
        rows_add(r->rows, row, name, CALLS, r->calls);
    }
    r->calls = -1;
}

static void read_line(reading *r, char *line)
{
    if (g_str_has_prefix(line, "events: ")) {
        g_auto(GStrv) events = g_strsplit(line + strlen("events: "), " ", -1);
        r->n_events = g_strv_length(events);
    } else if (g_str_has_prefix(line, "summary:")) {
        if (read_numbers(line + strlen("summary:"), r->n_events, r->summary) != r->n_events) {
            refuse("too few numbers in the summary");
        }
    } else if (g_str_has_prefix(line, "fl=") || g_str_has_prefix(line, "cfl=")) {
        read_name(r, 0, strchr(line, '=') + 1);
    } else if (g_str_has_prefix(line, "fn=")) {
        r->caller = read_name(r, 1, line + 3);
    } else if (g_str_has_prefix(line, "cfn=")) {
        r->callee = read_name(r, 1, line + 4);
    } else if (g_str_has_prefix(line, "calls=")) {
        r->calls = g_ascii_strtoll(line + 6, NULL, 10);
    } else if (g_ascii_isdigit(*line)) {
        read_costs(r, line);
    } else if (*line != '\0' && *line != '#' && strstr(line, ": ") == NULL) {
        refuse("unknown line: %s", line);
    }
}

void read_callgrind(export_rows *rows, const char *bytes, gsize length)
{
    reading r = {.rows = rows, .calls = -1};
    r.names[0] = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    r.names[1] = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    const char *end = bytes + length;
    for (const char *at = bytes, *stop; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (gsize)(end - at));
        if (stop == NULL) {
            refuse("the last line has no line break");
        }
        g_autofree char *line = g_strndup(at, (gsize)(stop - at));
        read_line(&r, line);
    }
    if (r.n_events == 0 || memcmp(r.sums, r.summary, sizeof r.sums) != 0) {
        refuse("the self times do not add up to the summary");
    }
    g_hash_table_unref(r.names[0]);
    g_hash_table_unref(r.names[1]);
}
