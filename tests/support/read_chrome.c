/* Chrome trace events, as viewers read them: sorted by start, longer events first; an event inside
 * another is its callee. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include "export_rows.h"

typedef struct {
    gint64 thread; /* with its process */
    gint64 begin_ns, end_ns, cpu_ns;
    const char *name;
    guint order;
} event;

/* An open call. */
typedef struct {
    gint64 end_ns;
    guint64 stack;
    const char *name;
} call;

typedef struct {
    export_rows *rows;
    GArray *open; /* call; the lowest is the thread */
    gint64 thread;
} walk;

static gint64 read_ns(JsonObject *object, const char *name)
{
    /* exact: a double holds 2^53 ns as µs with three digits */
    return llround(json_object_get_double_member(object, name) * 1000);
}

static gint compare_events(gconstpointer a, gconstpointer b)
{
    const event *x = a, *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->begin_ns != y->begin_ns) {
        return x->begin_ns < y->begin_ns ? -1 : 1;
    }
    if (x->end_ns != y->end_ns) {
        return x->end_ns > y->end_ns ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static call *get_last(const walk *w)
{
    return &g_array_index(w->open, call, w->open->len - 1);
}

static void begin_thread(walk *w, gint64 thread)
{
    const call top = {G_MAXINT64, stack_of_id(thread & G_MAXUINT32), NULL};
    w->thread = thread;
    g_array_set_size(w->open, 0);
    g_array_append_val(w->open, top);
}

/* Times belong to whole stacks, call counts and CPU times to methods: in this format an event
 * without duration has no defined order among its neighbours. */
static void take_event(walk *w, const event *e)
{
    if (w->thread != e->thread) {
        begin_thread(w, e->thread);
    }
    while (get_last(w)->end_ns <= e->begin_ns) {
        g_array_set_size(w->open, w->open->len - 1);
    }
    const call *caller = get_last(w);
    if (caller->end_ns < e->end_ns) {
        refuse("%s at %" G_GINT64_FORMAT " ns reaches beyond its caller", e->name, e->begin_ns);
    }
    if (caller->name != NULL) {
        rows_add(w->rows, caller->stack, caller->name, WALL, e->begin_ns - e->end_ns);
    }
    const call mine = {e->end_ns, stack_with(caller->stack, e->name), e->name};
    rows_add(w->rows, mine.stack, e->name, WALL, e->end_ns - e->begin_ns);
    g_array_append_val(w->open, mine);
    const guint64 method =
        stack_with(stack_with(stack_of_id(e->thread & G_MAXUINT32), "method"), e->name);
    rows_add(w->rows, method, e->name, CALLS, 1);
    if (e->cpu_ns >= 0) {
        rows_add(w->rows, method, e->name, CPU, e->cpu_ns);
    }
}

/* Ends each line with a zero byte. Under sanitizers a search for a text measures the whole
 * remaining text; a search for a byte does not. */
static GPtrArray *split_lines(char *text, gsize length)
{
    GPtrArray *lines = g_ptr_array_new();
    char *end = text + length;
    for (char *line = text; line != NULL;) {
        g_ptr_array_add(lines, line);
        line = memchr(line, '\n', (gsize)(end - line));
        if (line != NULL) {
            *line++ = '\0';
        }
    }
    return lines;
}

/* Parts of the pattern of a line. */
#define TEXT  "\"(?>[^\"\\\\\\x00-\\x1f]+|\\\\.)++\""
#define US    "[0-9]+(\\.[0-9]{1,3})?"
#define IDS   ",\"pid\":[0-9]+,\"tid\":[0-9]+"
#define TRACK IDS ",\"scope\":\"aflame track\",\"id\":\"[0-9]+\""

/* Checks what viewers require beyond JSON: one event per line, names first, keys in a fixed order,
 * times with at most three decimals and no exponent, only names and locations in the arguments. */
static void check_text(const char *bytes, gsize length)
{
    static const char pattern[] =
        "^\\{\"name\":" TEXT ",(\"cat\":" TEXT ",\"ph\":\"X\",\"ts\":" US ",\"dur\":" US
        "(,\"tts\":" US ",\"tdur\":" US ")?" IDS "(,\"depth\":[1-9][0-9]*,\"order\":[0-9]+)?\\}"
        "|\"ph\":\"M\"" IDS ",\"args\":\\{\"(name\":\".*\"|sort_index\":-1)\\}"
        "|\"cat\":" TEXT ",\"ph\":\"[be]\",\"ts\":" US TRACK "|(\"cat\":" TEXT ",)?("
        "\"ph\":\"n\",\"ts\":-?" US TRACK "|\"ph\":\"i\",\"s\":\"[tp]\",\"ts\":-?" US IDS
        "|\"ph\":\"C\",\"ts\":-?" US IDS ",\"args\":\\{" TEXT ":-?" US "\\}))\\}?,?$";
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL);
    g_autofree char *text = g_strndup(bytes, length);
    g_autoptr(GPtrArray) split = split_lines(text, length);
    char **lines = (char **)split->pdata;
    const guint n = split->len;
    gboolean calls = FALSE;
    if (n < 3 ||
        !g_str_has_prefix(lines[0],
                          "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"writer\":\"aflame\"") ||
        !g_str_has_suffix(lines[0], "\"},\"traceEvents\":[") || strcmp(lines[n - 2], "]}") != 0 ||
        *lines[n - 1] != '\0') {
        refuse("unexpected first or last line");
    }
    for (guint i = 1; i < n - 2; i++) {
        const gboolean is_call = strstr(lines[i], "\"ph\":\"X\"") != NULL ||
                                 strstr(lines[i], "\"ph\":\"b\"") != NULL ||
                                 strstr(lines[i], "\"ph\":\"e\"") != NULL;
        if (!g_regex_match(regex, lines[i], 0, NULL) || (calls && !is_call)) {
            refuse("viewers may reject line %u: %.200s", i, lines[i]);
        }
        calls = is_call;
    }
}

/* chrome://tracing uses the order in the file for events that start together: longer first. */
static void check_order(const GArray *events)
{
    for (guint i = 1; i < events->len; i++) {
        const event *outer = &g_array_index(events, event, i - 1), *inner = outer + 1;
        if (outer->thread == inner->thread && outer->begin_ns == inner->begin_ns &&
            inner->end_ns > inner->begin_ns && outer->order > inner->order) {
            refuse("%s follows its callee %s", outer->name, inner->name);
        }
    }
}

static event read_event(JsonObject *object, guint order)
{
    const gint64 pid = json_object_get_int_member(object, "pid");
    const event e = {.thread = pid << 32 | json_object_get_int_member(object, "tid"),
                     .begin_ns = read_ns(object, "ts"),
                     .end_ns = read_ns(object, "ts") + read_ns(object, "dur"),
                     .cpu_ns =
                         json_object_has_member(object, "tdur") ? read_ns(object, "tdur") : -1,
                     .name = json_object_get_string_member(object, "name"),
                     .order = order};
    if (read_ns(object, "dur") < 0 || e.name == NULL || json_object_has_member(object, "args") ||
        pid <= 0) {
        refuse("event %u is malformed", order);
    }
    return e;
}

/* Begin and end of asynchronous slices: those with the same id nest. */
static void read_async(GArray *events, GHashTable *open, JsonObject *object, gboolean begins,
                       guint order)
{
    const gint64 pid = json_object_get_int_member(object, "pid");
    g_autofree char *key = g_strdup_printf("%" G_GINT64_FORMAT " %s", pid,
                                           json_object_get_string_member(object, "id"));
    GArray *begun = g_hash_table_lookup(open, key);
    if (begun == NULL) {
        begun = g_array_new(FALSE, FALSE, sizeof(event));
        g_hash_table_insert(open, g_strdup(key), begun);
    }
    event e = {.thread = pid << 32 | json_object_get_int_member(object, "tid"),
               .begin_ns = read_ns(object, "ts"),
               .cpu_ns = -1,
               .name = json_object_get_string_member(object, "name"),
               .order = order};
    if (begins) {
        g_array_append_val(begun, e);
        return;
    }
    if (begun->len == 0 || strcmp(g_array_index(begun, event, begun->len - 1).name, e.name) != 0) {
        refuse("event %u ends what did not begin", order);
    }
    const gint64 end_ns = e.begin_ns;
    e = g_array_index(begun, event, begun->len - 1);
    e.end_ns = end_ns;
    g_array_set_size(begun, begun->len - 1);
    g_array_append_val(events, e);
}

static void free_begun(gpointer begun)
{
    if (((GArray *)begun)->len > 0) {
        refuse("%s does not end", g_array_index((GArray *)begun, event, 0).name);
    }
    g_array_unref(begun);
}

void read_chrome(export_rows *rows, const char *bytes, gsize length)
{
    JsonParser *parser = json_parser_new();
    GError *error = NULL;
    if (!json_parser_load_from_data(parser, bytes, (gssize)length, &error)) {
        refuse("not JSON: %s", error->message);
    }
    JsonObject *top = json_node_get_object(json_parser_get_root(parser));
    if (json_object_has_member(top, "samples")) {
        read_chrome_samples(rows, top);
        g_object_unref(parser);
        return;
    }
    check_text(bytes, length);
    JsonArray *list = json_object_get_array_member(top, "traceEvents");
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(event));
    GHashTable *open = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_begun);
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonObject *object = json_array_get_object_element(list, i);
        const char *phase = json_object_get_string_member(object, "ph");
        if (strcmp(phase, "X") == 0) {
            const event e = read_event(object, i);
            g_array_append_val(events, e);
        } else if (strcmp(phase, "b") == 0 || strcmp(phase, "e") == 0) {
            read_async(events, open, object, *phase == 'b', i);
        } else if (strcmp(phase, "n") != 0 && strcmp(phase, "M") != 0 && strcmp(phase, "i") != 0 &&
                   strcmp(phase, "C") != 0) {
            refuse("event %u has the unknown phase %s", i, phase);
        }
    }
    g_hash_table_unref(open);
    g_array_sort(events, compare_events);
    check_order(events);
    walk w = {rows, g_array_new(FALSE, FALSE, sizeof(call)), -1};
    for (guint i = 0; i < events->len; i++) {
        take_event(&w, &g_array_index(events, event, i));
    }
    g_array_unref(w.open);
    g_object_unref(parser);
}
