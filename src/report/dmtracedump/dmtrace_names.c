#include "report/dmtracedump/dmtrace_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define PSEUDO 2 /* methods without a line */

void af_dmtrace_names_init(af_dmtrace_names *names, gboolean quirks)
{
    *names = (af_dmtrace_names){.arena = af_arena_new(), .quirks = quirks};
    af_array_init(&names->methods, sizeof(af_dmtrace_method));
    af_array_init(&names->threads, sizeof(af_dmtrace_thread));
    af_array_init(&names->ids, sizeof(uint64_t));
    af_idmap_init_hashed(&names->by_id, NULL);
    af_dmtrace_method *pseudo = af_array_add(&names->methods, PSEUDO);
    if (pseudo != NULL) {
        pseudo[AF_DMTRACE_TOPLEVEL].class_name = "(toplevel)";
        pseudo[AF_DMTRACE_UNKNOWN].class_name = "(unknown)";
    }
}

void af_dmtrace_names_clear(af_dmtrace_names *names)
{
    af_arena_free(names->arena);
    af_array_clear(&names->methods);
    af_array_clear(&names->threads);
    af_array_clear(&names->ids);
    af_idmap_clear(&names->by_id);
}

static const char *keep(af_dmtrace_names *names, const char *bytes, size_t length)
{
    if (names->quirks) {
        return af_arena_copy(names->arena, bytes, length);
    }
    g_autoptr(GString) text = g_string_sized_new(length);
    af_utf8_append_clean(text, bytes, length);
    return af_arena_copy(names->arena, text->str, text->len);
}

/* The length of the column that begins at `at`; `*last` if no tab ends it. */
static size_t measure_column(const char *at, const char *end, gboolean *last)
{
    const char *tab = at < end ? memchr(at, '\t', (size_t)(end - at)) : NULL;
    *last = tab == NULL;
    return (size_t)((tab != NULL ? tab : end) - at);
}

/* Splits a line into class, name and signature. FALSE if one is missing or one of the first two is
 * empty: then the whole line is a name. Text after the signature belongs to it unless it makes two
 * more columns. */
static gboolean split_line(af_span line, af_span columns[3])
{
    const char *at = line.bytes, *end = line.bytes + line.length;
    gboolean last;
    for (unsigned i = 0; i < 2; i++) {
        const size_t length = measure_column(at, end, &last);
        if (length == 0 || last) {
            return FALSE;
        }
        columns[i] = (af_span){at, length};
        at += length + 1;
    }
    columns[2] = (af_span){at, (size_t)(end - at)};
    const size_t signature = measure_column(at, end, &last);
    if (signature > 0 && !last) {
        const size_t file = measure_column(at + signature + 1, end, &last);
        if (file > 0 && !last) {
            columns[2].length = signature;
        }
    }
    return TRUE;
}

/* Only readers of Android traces know the line of a method. */
static void describe(af_dmtrace_names *names, const af_method_text *text, af_dmtrace_method *method)
{
    const gboolean paired = text->class_name.length > 0 && text->name.length > 0;
    const gboolean has_line = text->columns.bytes != NULL;
    const af_span line = has_line                      ? text->columns
                         : text->class_name.length > 0 ? text->class_name
                                                       : text->name;
    af_span columns[3];
    if (has_line && split_line(line, columns)) {
        if (!names->quirks) {
            gboolean last;
            columns[2].length =
                measure_column(columns[2].bytes, columns[2].bytes + columns[2].length, &last);
        }
        method->class_name = keep(names, columns[0].bytes, columns[0].length);
        method->name = keep(names, columns[1].bytes, columns[1].length);
        method->signature = keep(names, columns[2].bytes, columns[2].length);
    } else if ((has_line && names->quirks) || !paired) {
        method->class_name = keep(names, line.length > 0 ? line.bytes : "", line.length);
    } else {
        method->class_name = keep(names, text->class_name.bytes, text->class_name.length);
        method->name = keep(names, text->name.bytes, text->name.length);
        method->signature = "";
    }
}

/* The row for a line; NULL if the line is ignored or memory runs out. */
static af_dmtrace_method *find_row(af_dmtrace_names *names, const af_sink *sink, uint64_t id,
                                   const af_method_text *text, gboolean replace)
{
    if (af_sink_container(sink) == AF_CONTAINER_V1) {
        return af_array_add(&names->methods, 1);
    }
    if (text->class_name.length + text->name.length == 0) {
        return NULL;
    }
    const uint32_t known = names->by_id.n, number = af_idmap_number(&names->by_id, id);
    if (number == known) {
        return af_array_add(&names->methods, 1);
    }
    return number == AF_IDMAP_NONE || !replace || number + PSEUDO >= names->methods.n
               ? NULL
               : &AF_ARRAY_AT(&names->methods, af_dmtrace_method, number + PSEUDO);
}

static void take_method(void *user, const af_sink *sink, uint64_t id, const af_method_text *text,
                        gboolean replace)
{
    af_dmtrace_names *names = user;
    af_dmtrace_method *row = find_row(names, sink, id, text, replace);
    if (row != NULL) {
        *row = (af_dmtrace_method){.id = id, .line = names->methods.n};
        describe(names, text, row);
    }
}

/* To dmtracedump every line is a thread: after a line break in a name, the id is the number that the
 * line begins with or 0, and the name follows the first tab, if there is one. */
static void add_lines(af_dmtrace_names *names, const char *rest)
{
    g_auto(GStrv) lines = g_strsplit(rest, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *tab = strchr(*line, '\t');
        const char *name = tab != NULL ? tab + 1 : *line;
        af_dmtrace_names_add_thread(names, (uint64_t)strtoll(*line, NULL, 10),
                                    (af_span){name, strlen(name)});
    }
}

static void take_thread(void *user, uint64_t id, af_span name)
{
    af_dmtrace_names *names = user;
    const char *end =
        names->quirks && name.length > 0 ? memchr(name.bytes, '\n', name.length) : NULL;
    const size_t first = end != NULL ? (size_t)(end - name.bytes) : name.length;
    af_dmtrace_names_add_thread(names, id, (af_span){name.bytes, first});
    if (end != NULL) {
        g_autofree char *rest = g_strndup(end + 1, name.length - first - 1);
        add_lines(names, rest);
    }
}

void af_dmtrace_names_add_thread(af_dmtrace_names *names, uint64_t id, af_span name)
{
    af_dmtrace_thread *thread = af_array_add(&names->threads, 1);
    if (thread != NULL) {
        thread->id = id;
        thread->line = names->threads.n;
        thread->name = keep(names, name.bytes != NULL ? name.bytes : "", name.length);
    }
}

static gboolean take_ids(void *user, const af_sink *sink, GError **error)
{
    af_dmtrace_names *names = user;
    const uint32_t n = af_sink_methods(sink)->n;
    uint64_t *ids = n > 0 ? af_array_add(&names->ids, n) : NULL;
    for (uint32_t m = 0; ids != NULL && m < n; m++) {
        ids[m] = af_idmap_id(af_sink_methods(sink), m);
    }
    return TRUE;
}

af_event_consumer af_dmtrace_names_listener(af_dmtrace_names *names)
{
    return (af_event_consumer){.raw = TRUE,
                               .method = take_method,
                               .thread = take_thread,
                               .finish = take_ids,
                               .user = names};
}

af_event_consumer af_dmtrace_names_listener_events(
    const af_dmtrace_names *names,
    gboolean (*events)(void *user, const af_sink *sink, const af_event *events, size_t n),
    void *user)
{
    return (af_event_consumer){.raw = TRUE,
                               .events = events,
                               .method_ids = names->ids.items,
                               .n_method_ids = (uint32_t)names->ids.n,
                               .user = user};
}

static int compare_lines(uint64_t id, size_t line, uint64_t other_id, size_t other_line)
{
    if (id != other_id) {
        return id < other_id ? -1 : 1;
    }
    return line < other_line ? -1 : line > other_line;
}

static int compare_methods(const void *a, const void *b)
{
    const af_dmtrace_method *x = a, *y = b;
    return compare_lines(x->id, x->line, y->id, y->line);
}

static int compare_threads(const void *a, const void *b)
{
    const af_dmtrace_thread *x = a, *y = b;
    const int64_t id = (int64_t)x->id, other = (int64_t)y->id;
    return id != other ? (id < other ? -1 : 1) : compare_lines(0, x->line, 0, y->line);
}

gboolean af_dmtrace_names_sort(af_dmtrace_names *names)
{
    if (names->methods.failed || names->threads.failed || names->ids.failed ||
        names->by_id.failed || af_arena_failed(names->arena)) {
        return FALSE;
    }
    qsort(&AF_ARRAY_AT(&names->methods, af_dmtrace_method, PSEUDO), names->methods.n - PSEUDO,
          sizeof(af_dmtrace_method), compare_methods);
    if (names->threads.n > 0) {
        qsort(names->threads.items, names->threads.n, sizeof(af_dmtrace_thread), compare_threads);
    }
    return TRUE;
}

uint32_t af_dmtrace_names_find(const af_dmtrace_names *names, uint64_t id)
{
    int64_t low = 0, high = (int64_t)names->methods.n - 1;
    while (low <= high) {
        const int64_t middle = (low + high) / 2;
        const uint64_t there = af_dmtrace_names_at(names, (uint32_t)middle)->id;
        if (middle >= PSEUDO && there == id) {
            return (uint32_t)middle;
        }
        if (middle < PSEUDO || there < id) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return AF_DMTRACE_UNKNOWN;
}
