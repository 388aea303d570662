/* Gecko profiles of version 24; checks for everything that the Firefox Profiler's importer needs.
 * Rows count samples. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include "export_rows.h"

static void check_categories(JsonObject *meta)
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

/* The rows of a table whose schema must have these columns in this order. */
static JsonArray *get_rows(JsonObject *thread, const char *name, const char *const *columns)
{
    JsonObject *table = json_object_get_object_member(thread, name);
    JsonObject *schema = json_object_get_object_member(table, "schema");
    guint n = 0;
    for (; columns[n] != NULL; n++) {
        if (json_object_get_int_member(schema, columns[n]) != n) {
            refuse("%s has an unexpected column at %s", name, columns[n]);
        }
    }
    JsonArray *rows = json_object_get_array_member(table, "data");
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        if (json_array_get_length(json_array_get_array_element(rows, i)) != n) {
            refuse("row %u of %s does not have %u cells", i, name, n);
        }
    }
    return rows;
}

static gint64 get_cell(JsonArray *rows, gint64 row, guint column)
{
    if (row < 0 || row >= json_array_get_length(rows)) {
        refuse("missing row %" G_GINT64_FORMAT, row);
    }
    return json_array_get_int_element(json_array_get_array_element(rows, (guint)row), column);
}

/* The name in "NAME (in WHERE)". */
static char *read_location(const char *location)
{
    const char *in = g_strrstr(location, " (in ");
    const char *end = in == NULL ? NULL : strchr(in, ')');
    if (end == NULL || end[1] != '\0' || end == in + strlen(" (in ") ||
        g_str_has_prefix(location, "0x")) {
        refuse("invalid frame name %s", location);
    }
    const char *name = g_str_has_prefix(location, "at 0x") ? location + 3 : location;
    return g_strndup(name, (gsize)(in - name));
}

/* The table of markers is empty but has its columns. */
static void check_markers(JsonObject *thread)
{
    static const char *const columns[] = {"name",     "startTime", "endTime", "phase",
                                          "category", "data",      NULL};
    get_rows(thread, "markers", columns);
}

static void check_thread(JsonObject *thread)
{
    static const char *const required[] = {"name",         "processType",    "tid", "pid",
                                           "registerTime", "unregisterTime", NULL};
    for (unsigned i = 0; required[i] != NULL; i++) {
        if (!json_object_has_member(thread, required[i])) {
            refuse("a thread lacks its %s", required[i]);
        }
    }
    check_markers(thread);
}

static void read_thread(export_rows *rows, JsonObject *thread, gsize n_categories)
{
    static const char *const of_frame[] = {
        "location", "relevantForJS", "innerWindowID", "implementation", "optimizations",
        "line",     "column",        "category",      "subcategory",    NULL};
    static const char *const of_stack[] = {"prefix", "frame", "category", NULL};
    static const char *const of_sample[] = {"stack", "time", "responsiveness", NULL};
    check_thread(thread);
    JsonArray *frames = get_rows(thread, "frameTable", of_frame);
    JsonArray *stacks = get_rows(thread, "stackTable", of_stack);
    JsonArray *samples = get_rows(thread, "samples", of_sample);
    JsonArray *strings = json_object_get_array_member(thread, "stringTable");
    const guint n = json_array_get_length(stacks);
    const guint64 top = stack_of_id(json_object_get_int_member(thread, "tid"));
    g_autofree guint64 *hashes = g_new(guint64, n + 1);
    g_auto(GStrv) names = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        const gboolean outermost =
            json_array_get_null_element(json_array_get_array_element(stacks, i), 0);
        const gint64 frame = get_cell(stacks, i, 1);
        const gint64 prefix = outermost ? 0 : get_cell(stacks, i, 0);
        const guint string = (guint)get_cell(frames, frame, 0);
        if (string >= json_array_get_length(strings) ||
            get_cell(frames, frame, 7) >= (gint64)n_categories || (!outermost && prefix >= i)) {
            refuse("stack %u refers to a missing stack or frame", i);
        }
        names[i] = read_location(json_array_get_string_element(strings, string));
        hashes[i] = stack_with(outermost ? top : hashes[prefix], names[i]);
    }
    double last = 0;
    for (guint i = 0; i < json_array_get_length(samples); i++) {
        const gint64 stack = get_cell(samples, i, 0);
        const double now =
            json_array_get_double_element(json_array_get_array_element(samples, i), 1);
        if (stack < 0 || stack >= n || now < last) {
            refuse("sample %u has no stack, or goes back in time", i);
        }
        last = now;
        rows_add(rows, hashes[stack], names[stack], WALL, 1);
    }
}

void read_gecko(export_rows *rows, const char *bytes, gsize length)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    GError *error = NULL;
    if (!g_str_has_prefix(bytes, "{\"libs\":") ||
        !json_parser_load_from_data(parser, bytes, (gssize)length, &error)) {
        refuse("not JSON, or does not start with libs: %s", error != NULL ? error->message : "");
    }
    JsonObject *top = json_node_get_object(json_parser_get_root(parser));
    JsonObject *meta = json_object_get_object_member(top, "meta");
    if (json_object_get_int_member(meta, "version") != 24 ||
        json_object_get_array_member(meta, "markerSchema") == NULL ||
        json_object_get_array_member(top, "processes") == NULL ||
        json_object_get_array_member(top, "pausedRanges") == NULL ||
        json_array_get_length(json_object_get_array_member(top, "libs")) != 0 ||
        !json_object_get_boolean_member(meta, "presymbolicated")) {
        refuse("unexpected version");
    }
    check_categories(meta);
    JsonArray *threads = json_object_get_array_member(top, "threads");
    for (guint i = 0; i < json_array_get_length(threads); i++) {
        read_thread(rows, json_array_get_object_element(threads, i),
                    json_array_get_length(json_object_get_array_member(meta, "categories")));
    }
}
