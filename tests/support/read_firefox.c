/* Processed profiles of the Firefox Profiler (version 55); checks for everything that its importer
 * needs. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include "export_rows.h"

static JsonArray *get_column(JsonObject *table, const char *name, guint n)
{
    JsonArray *column =
        json_object_has_member(table, name) ? json_object_get_array_member(table, name) : NULL;
    if (column == NULL || json_array_get_length(column) != n) {
        refuse("column %s is missing or has the wrong length", name);
    }
    return column;
}

static JsonObject *get_table(JsonObject *thread, const char *name, const char *const *columns,
                             guint *n)
{
    JsonObject *table = json_object_get_object_member(thread, name);
    *n = (guint)json_object_get_int_member(table, "length");
    for (; *columns != NULL; columns++) {
        get_column(table, *columns, *n);
    }
    return table;
}

void check_categories(JsonObject *meta)
{
    static const char *const colors[] = {"transparent", "purple",   "green", "orange",  "yellow",
                                         "lightblue",   "blue",     "brown", "magenta", "red",
                                         "lightred",    "darkgrey", "grey",  NULL};
    JsonArray *list = json_object_get_array_member(meta, "categories");
    gboolean grey = FALSE;
    for (guint i = 0; i < json_array_get_length(list); i++) {
        JsonObject *one = json_array_get_object_element(list, i);
        JsonArray *parts = json_object_get_array_member(one, "subcategories");
        const char *color = json_object_get_string_member(one, "color");
        if (!g_strv_contains(colors, color) ||
            *json_object_get_string_member(one, "name") == '\0' ||
            strcmp(json_array_get_string_element(parts, 0), "Other") != 0) {
            refuse("category %u has no colour, no name or no part \"Other\"", i);
        }
        grey = grey || strcmp(color, "grey") == 0;
    }
    if (!grey) {
        refuse("the grey category is missing");
    }
}

static guint get_index(JsonArray *column, guint i, guint n)
{
    const gint64 value = json_array_get_int_element(column, i);
    if (value < 0 || value >= n) {
        refuse("index %" G_GINT64_FORMAT " is not in its table", value);
    }
    return (guint)value;
}

/* The names of all stacks and their keys. */
static guint64 *read_stacks(JsonObject *thread, const char ***names, guint *n)
{
    static const char *const of_stack[] = {"frame", "prefix", NULL};
    static const char *const of_frame[] = {
        "address",      "inlineDepth",   "category", "subcategory", "func",
        "nativeSymbol", "innerWindowID", "line",     "column",      NULL};
    static const char *const of_function[] = {"name",     "isJS",       "relevantForJS", "resource",
                                              "fileName", "lineNumber", "columnNumber",  NULL};
    guint n_frames, n_functions;
    JsonObject *stacks = get_table(thread, "stackTable", of_stack, n);
    JsonObject *frames = get_table(thread, "frameTable", of_frame, &n_frames);
    JsonObject *functions = get_table(thread, "funcTable", of_function, &n_functions);
    JsonArray *strings = json_object_get_array_member(thread, "stringArray");
    JsonArray *prefix = get_column(stacks, "prefix", *n);
    guint64 *hashes = g_new(guint64, *n + 1);
    *names = g_new(const char *, *n + 1);
    const guint64 top = stack_of_id(json_object_get_int_member(thread, "tid"));
    for (guint i = 0; i < *n; i++) {
        const guint frame = get_index(get_column(stacks, "frame", *n), i, n_frames);
        const guint function = get_index(get_column(frames, "func", n_frames), frame, n_functions);
        const guint name = get_index(get_column(functions, "name", n_functions), function,
                                     json_array_get_length(strings));
        (*names)[i] = json_array_get_string_element(strings, name);
        hashes[i] = stack_with(
            json_array_get_null_element(prefix, i) ? top : hashes[get_index(prefix, i, i)],
            (*names)[i]);
    }
    return hashes;
}

/* Checks the tables that are empty but need their columns, and the fields of a thread. */
static void check_thread(JsonObject *thread)
{
    static const char *const of_resource[] = {"lib", "name", "host", "type", NULL};
    static const char *const of_symbol[] = {"libIndex", "address", "name", "functionSize", NULL};
    static const char *const of_marker[] = {"data",  "name",     "startTime", "endTime",
                                            "phase", "category", NULL};
    static const char *const required[] = {"name",
                                           "processName",
                                           "isMainThread",
                                           "tid",
                                           "processType",
                                           "processStartupTime",
                                           "registerTime",
                                           "processShutdownTime",
                                           "unregisterTime",
                                           "pausedRanges",
                                           NULL};
    guint n;
    get_table(thread, "resourceTable", of_resource, &n);
    get_table(thread, "nativeSymbols", of_symbol, &n);
    get_table(thread, "markers", of_marker, &n);
    for (unsigned i = 0; required[i] != NULL; i++) {
        if (!json_object_has_member(thread, required[i])) {
            refuse("a thread lacks its %s", required[i]);
        }
    }
    const char *pid = json_object_get_string_member(thread, "pid");
    if (pid == NULL || *pid == '\0') {
        refuse("a process has no number, or one that is not text");
    }
}

/* Checks the other fields of frames and functions: the Firefox Profiler must not look for symbols
 * or take a function for JavaScript. */
static void check_frames(JsonObject *thread, guint n_categories)
{
    JsonObject *frames = json_object_get_object_member(thread, "frameTable");
    JsonObject *functions = json_object_get_object_member(thread, "funcTable");
    const guint n = (guint)json_object_get_int_member(frames, "length");
    const guint n_functions = (guint)json_object_get_int_member(functions, "length");
    for (guint i = 0; i < n; i++) {
        get_index(get_column(frames, "category", n), i, n_categories);
        get_index(get_column(frames, "subcategory", n), i, 1);
        if (json_array_get_int_element(get_column(frames, "address", n), i) != -1 ||
            !json_array_get_null_element(get_column(frames, "nativeSymbol", n), i)) {
            refuse("frame %u has an address", i);
        }
    }
    for (guint i = 0; i < n_functions; i++) {
        if (json_array_get_boolean_element(get_column(functions, "isJS", n_functions), i) ||
            json_array_get_boolean_element(get_column(functions, "relevantForJS", n_functions),
                                           i) ||
            json_array_get_int_element(get_column(functions, "resource", n_functions), i) != -1) {
            refuse("function %u belongs to a script or a library", i);
        }
    }
}

static void read_thread(export_rows *rows, JsonObject *thread, gint64 scale)
{
    static const char *const of_sample[] = {"stack", "time", "weight", NULL};
    const char **names;
    guint n, n_stacks;
    g_autofree guint64 *stacks = read_stacks(thread, &names, &n_stacks);
    JsonObject *samples = get_table(thread, "samples", of_sample, &n);
    JsonArray *stack = get_column(samples, "stack", n), *time = get_column(samples, "time", n),
              *weight = get_column(samples, "weight", n);
    JsonArray *cpu = json_object_has_member(samples, "threadCPUDelta")
                         ? get_column(samples, "threadCPUDelta", n)
                         : NULL;
    double last = 0;
    for (guint i = 0; i < n; i++) {
        const guint at = get_index(stack, i, n_stacks);
        const double now = json_array_get_double_element(time, i);
        if (now < last) {
            refuse("sample %u goes back in time", i);
        }
        last = now;
        rows_add(rows, stacks[at], names[at], WALL,
                 llround(json_array_get_double_element(weight, i) * (double)scale));
        if (cpu != NULL && i > 0 && json_array_get_int_element(cpu, i) < 0) {
            refuse("sample %u has negative CPU time", i);
        }
    }
    g_free(names);
}

void read_firefox(export_rows *rows, const char *bytes, gsize length)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    GError *error = NULL;
    if (!g_str_has_prefix(bytes, "{\"meta\":") ||
        !json_parser_load_from_data(parser, bytes, (gssize)length, &error)) {
        refuse("not JSON, or does not start with meta: %s", error != NULL ? error->message : "");
    }
    JsonObject *top = json_node_get_object(json_parser_get_root(parser));
    JsonObject *meta = json_object_get_object_member(top, "meta");
    if (json_object_get_int_member(meta, "preprocessedProfileVersion") != 55 ||
        json_object_get_array_member(meta, "markerSchema") == NULL ||
        json_object_get_array_member(top, "libs") == NULL ||
        !json_object_get_boolean_member(meta, "symbolicated")) {
        refuse("unexpected version");
    }
    check_categories(meta);
    JsonArray *threads = json_object_get_array_member(top, "threads");
    for (guint i = 0; i < json_array_get_length(threads); i++) {
        JsonObject *thread = json_array_get_object_element(threads, i);
        JsonObject *samples = json_object_get_object_member(thread, "samples");
        const gboolean times =
            strcmp(json_object_get_string_member(samples, "weightType"), "tracing-ms") == 0;
        check_thread(thread);
        check_frames(thread,
                     json_array_get_length(json_object_get_array_member(meta, "categories")));
        if (json_object_has_member(samples, "threadCPUDelta") &&
            !json_object_has_member(meta, "sampleUnits")) {
            refuse("CPU times have no unit");
        }
        read_thread(rows, thread, times ? 1000000 : 1000);
    }
}
