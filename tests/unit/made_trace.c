#include "made_trace.h"

#include <aflame/open.h>
#include <check.h>
#include <string.h>

#include "made_message.h"

enum { ENTER = 0, EXIT = 1, UNWIND = 2 };

typedef struct {
    char **lines;
    GString *threads, *methods, *head;
    GHashTable *ids; /* of methods, by label */
    GByteArray *records;
    guint thread; /* the current one */
    guint32 wall_us, cpu_us;
    guint64 n;
} writer;

static void put(GByteArray *bytes, guint64 value, guint size)
{
    for (guint i = 0; i < size; i++) {
        const guint8 byte = (guint8)(value >> (8 * i));
        g_byte_array_append(bytes, &byte, 1);
    }
}

static guint32 find_method(writer *w, const char *label)
{
    gpointer id = g_hash_table_lookup(w->ids, label);
    if (id == NULL) {
        const char *dot = strrchr(label, '.');
        id = GUINT_TO_POINTER((g_hash_table_size(w->ids) + 1) * 4);
        g_hash_table_insert(w->ids, g_strdup(label), id);
        g_string_append_printf(w->methods, "0x%x\t%.*s\t%s\t()V\tFile.java\n", GPOINTER_TO_UINT(id),
                               (int)(dot - label), label, dot + 1);
    }
    return GPOINTER_TO_UINT(id);
}

static void put_record(writer *w, guint32 method, guint action)
{
    put(w->records, w->thread, 2);
    put(w->records, method | action, 4);
    put(w->records, w->cpu_us, 4);
    put(w->records, w->wall_us, 4);
    w->n++;
}

static guint measure_indent(const char *line)
{
    return (guint)strspn(line, " ");
}

/* Writes a line with all that is inside, as often as it says; returns the line after that. */
static guint write_call(writer *w, guint at)
{
    const char *line = w->lines[at] + measure_indent(w->lines[at]);
    const guint indent = measure_indent(w->lines[at]);
    const gboolean waits = line[0] == '~', fails = line[0] == '!';
    char *end;
    const guint64 self = g_ascii_strtoull(line + (waits || fails), &end, 10);
    const guint64 times = *end == 'x' ? g_ascii_strtoull(end + 1, &end, 10) : 1;
    ck_assert_msg(*end == ' ' && strchr(end, '.') != NULL, "\"%s\" is not a call", line);
    const guint32 method = find_method(w, end + 1);
    guint after = at + 1;
    for (guint64 i = 0; i < times; i++) {
        put_record(w, method, ENTER);
        w->wall_us += (guint32)self;
        w->cpu_us += waits ? 0 : (guint32)self;
        for (after = at + 1; w->lines[after] != NULL && w->lines[after][0] != '\0' &&
                             measure_indent(w->lines[after]) > indent;) {
            after = write_call(w, after);
        }
        put_record(w, method, fails ? UNWIND : EXIT);
    }
    return after;
}

GBytes *made_trace_bytes(const char *text)
{
    writer w = {.lines = g_strsplit(text, "\n", -1),
                .threads = g_string_new("1\tmain\n"),
                .methods = g_string_new(NULL),
                .head = g_string_new(NULL),
                .ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                .records = g_byte_array_new(),
                .thread = 1};
    for (guint i = 0; w.lines[i] != NULL && w.lines[i][0] != '\0';) {
        if (w.lines[i][0] == '"') {
            g_string_append_printf(w.threads, "%u\t%.*s\n", ++w.thread, (int)strlen(w.lines[i]) - 2,
                                   w.lines[i] + 1);
            w.wall_us = w.cpu_us = 0;
            i++;
        } else if (strpbrk(w.lines[i], "= ") != NULL && *strpbrk(w.lines[i], "= ") == '=') {
            g_string_append_printf(w.head, "%s\n", w.lines[i++]);
        } else {
            i = write_call(&w, i);
        }
    }
    GByteArray *bytes = g_byte_array_new();
    g_autofree char *head =
        g_strdup_printf("*version\n3\ndata-file-overflow=false\nclock=dual\n"
                        "num-method-calls=%" G_GUINT64_FORMAT "\nvm=art\npid=1\n%s"
                        "*threads\n%s*methods\n%s*end\n",
                        w.n, w.head->str, w.threads->str, w.methods->str);
    g_byte_array_append(bytes, (const guint8 *)head, (guint)strlen(head));
    made_bytes(bytes, "\"SLOW\" 3/2 32/2 0 14/2 0/14");
    g_byte_array_append(bytes, w.records->data, w.records->len);
    g_byte_array_unref(w.records);
    g_hash_table_destroy(w.ids);
    g_string_free(w.methods, TRUE);
    g_string_free(w.head, TRUE);
    g_string_free(w.threads, TRUE);
    g_strfreev(w.lines);
    return g_byte_array_free_to_bytes(bytes);
}

af_profile *made_trace_open(const char *text)
{
    g_autoptr(GBytes) bytes = made_trace_bytes(text);
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    GError *error = NULL;
    options.keep_input = TRUE;
    af_profile *profile = af_profile_open_bytes(g_bytes_get_data(bytes, NULL),
                                                g_bytes_get_size(bytes), &options, &error);
    ck_assert_msg(profile != NULL, "%s", error != NULL ? error->message : "");
    return profile;
}
