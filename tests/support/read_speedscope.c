/* speedscope's files, by the rules of its importer: refuses everything at which it throws. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include "export_rows.h"

/* Reads numbers in thousandths: weights may have three decimals. */
static gint64 read_thousandths(JsonNode *node)
{
    return llround(json_node_get_double(node) * 1000);
}

static gint64 read_member(JsonObject *object, const char *name)
{
    return read_thousandths(json_object_get_member(object, name));
}

static const char *name_frame(JsonArray *frames, gint64 number)
{
    if (number < 0 || number >= json_array_get_length(frames)) {
        refuse("frame %" G_GINT64_FORMAT " is not in the list", number);
    }
    JsonObject *frame = json_array_get_object_element(frames, (guint)number);
    return json_object_get_string_member(frame, "name");
}

/* Frames with the same name would be two rows that never merge. */
static void check_frames(JsonArray *frames)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < json_array_get_length(frames); i++) {
        if (!g_hash_table_add(names, (gpointer)name_frame(frames, i))) {
            refuse("the name %s occurs twice", name_frame(frames, i));
        }
    }
}

static void read_events(export_rows *rows, JsonObject *profile, JsonArray *frames, guint64 thread)
{
    JsonArray *events = json_object_get_array_member(profile, "events");
    open_calls *open = open_calls_new(rows, thread);
    const gint64 start = read_member(profile, "startValue");
    for (guint i = 0; i < json_array_get_length(events); i++) {
        JsonObject *event = json_array_get_object_element(events, i);
        const gint64 at = read_member(event, "at");
        const char *name = name_frame(frames, json_object_get_int_member(event, "frame"));
        if (at < start) {
            refuse("event %u is before the start", i);
        }
        open_calls_pass(open, (guint64)(at - start));
        if (strcmp(json_object_get_string_member(event, "type"), "O") == 0) {
            open_calls_begin(open, name);
            rows_add(rows, open_calls_top(open)->stack, name, CALLS, 1);
        } else if (open_calls_top(open)->name != name) {
            refuse("event %u ends a call that is not the innermost one", i);
        } else {
            open_calls_end(open);
        }
    }
    if (open->last > (guint64)(read_member(profile, "endValue") - start)) {
        refuse("calls end after the end");
    }
    open_calls_free(open);
}

static void read_samples(export_rows *rows, JsonObject *profile, JsonArray *frames, guint64 thread)
{
    JsonArray *samples = json_object_get_array_member(profile, "samples");
    JsonArray *weights = json_object_get_array_member(profile, "weights");
    const guint n = json_array_get_length(samples);
    gint64 sum = read_member(profile, "startValue");
    if (n != json_array_get_length(weights)) {
        refuse("the numbers of samples and weights differ");
    }
    for (guint i = 0; i < n; i++) {
        JsonArray *path = json_array_get_array_element(samples, i);
        const gint64 weight = read_thousandths(json_array_get_element(weights, i));
        const char *name = "";
        guint64 stack = thread;
        for (guint k = 0; k < json_array_get_length(path); k++) {
            name = name_frame(frames, json_array_get_int_element(path, k));
            stack = stack_with(stack, name);
        }
        if (weight <= 0) {
            refuse("sample %u has no weight", i);
        }
        sum += weight;
        if (stack != thread) { /* otherwise an empty stack */
            rows_add(rows, stack, name, WALL, weight);
        }
    }
    if (sum != read_member(profile, "endValue")) {
        refuse("the weights do not add up to the total");
    }
}

void read_speedscope(export_rows *rows, const char *bytes, gsize length)
{
    static const char schema[] = "https://www.speedscope.app/file-format-schema.json";
    g_autoptr(JsonParser) parser = json_parser_new();
    GError *error = NULL;
    if (!json_parser_load_from_data(parser, bytes, (gssize)length, &error)) {
        refuse("not JSON: %s", error->message);
    }
    JsonObject *top = json_node_get_object(json_parser_get_root(parser));
    JsonObject *shared = json_object_get_object_member(top, "shared");
    JsonArray *frames = json_object_get_array_member(shared, "frames");
    JsonArray *profiles = json_object_get_array_member(top, "profiles");
    if (strcmp(json_object_get_string_member(top, "$schema"), schema) != 0 ||
        !g_str_has_prefix(bytes, "{\"$schema\":")) {
        refuse("unexpected schema, or not the first member");
    }
    if (json_array_get_length(profiles) == 0 && !json_object_has_member(top, "name")) {
        refuse("neither the file nor a profile has a name");
    }
    check_frames(frames);
    for (guint i = 0; i < json_array_get_length(profiles); i++) {
        JsonObject *profile = json_array_get_object_element(profiles, i);
        const char *name = json_object_get_string_member(profile, "name");
        /* the profile without a thread has the name of the file */
        const gboolean all = strcmp(name, json_object_get_string_member(top, "name")) == 0;
        const guint64 thread = stack_of_thread(all ? "all" : name);
        const char *unit = json_object_get_string_member(profile, "unit");
        if (strcmp(unit, "nanoseconds") != 0 && strcmp(unit, "none") != 0 &&
            strcmp(unit, "bytes") != 0) {
            refuse("profile %u has an unknown unit, %s", i, unit);
        }
        if (strcmp(json_object_get_string_member(profile, "type"), "evented") == 0) {
            read_events(rows, profile, frames, thread);
        } else {
            read_samples(rows, profile, frames, thread);
        }
    }
}
