/* Samples in a Chrome trace, by the rules of trace-viewer: a sample names its innermost frame, each
 * frame its caller. */
#include <math.h>
#include <string.h>
#include "export_rows.h"

typedef struct {
    JsonObject *frames; /* by id */
    GHashTable *stacks; /* id -> guint64, below the current thread */
    gint64 thread;      /* with its process */
    double last;        /* µs, of the thread's last sample */
} reading;

static JsonObject *find_frame(const reading *r, const char *id)
{
    if (!json_object_has_member(r->frames, id)) {
        refuse("frame %s is not in the list", id);
    }
    return json_object_get_object_member(r->frames, id);
}

static const char *name_frame(JsonObject *frame)
{
    return json_object_get_string_member(frame, "name");
}

/* The stack of a frame. A frame comes after its caller, so there are no cycles. */
static guint64 find_stack(reading *r, const char *id)
{
    const guint64 *known = g_hash_table_lookup(r->stacks, id);
    if (known != NULL) {
        return *known;
    }
    GPtrArray *path = g_ptr_array_new(); /* ids, the innermost first */
    guint64 stack = stack_of_id(r->thread & G_MAXUINT32);
    for (const char *at = id; at != NULL;) {
        known = g_hash_table_lookup(r->stacks, at);
        if (known != NULL) {
            stack = *known;
            break;
        }
        JsonObject *frame = find_frame(r, at);
        g_ptr_array_add(path, (gpointer)at);
        const char *caller = json_object_get_string_member_with_default(frame, "parent", NULL);
        if (caller != NULL &&
            g_ascii_strtoull(caller, NULL, 10) >= g_ascii_strtoull(at, NULL, 10)) {
            refuse("frame %s comes before its caller", at);
        }
        at = caller;
    }
    while (path->len > 0) {
        const char *at = path->pdata[path->len - 1];
        stack = stack_with(stack, name_frame(find_frame(r, at)));
        g_hash_table_insert(r->stacks, (gpointer)at, g_memdup2(&stack, sizeof stack));
        g_ptr_array_set_size(path, (gint)path->len - 1);
    }
    g_ptr_array_unref(path);
    return stack;
}

static void take_sample(export_rows *rows, reading *r, JsonObject *sample)
{
    const gint64 thread =
        json_object_get_int_member(sample, "pid") << 32 | json_object_get_int_member(sample, "tid");
    const char *leaf = json_object_get_string_member(sample, "sf");
    const double us = json_object_get_double_member(sample, "ts");
    const double weight = json_object_get_double_member(sample, "weight");
    if (thread != r->thread) {
        r->thread = thread;
        r->last = 0;
        g_hash_table_remove_all(r->stacks);
    }
    if (us < r->last || weight < 0 || thread <= 0 ||
        *json_object_get_string_member(sample, "name") == '\0') {
        refuse("a sample goes back in time, or has no weight, thread or name");
    }
    r->last = us;
    rows_add(rows, find_stack(r, leaf), name_frame(find_frame(r, leaf)), WALL,
             llround(weight * 1000));
}

/* Counts in thousandths, times in ns. */
void read_chrome_samples(export_rows *rows, JsonObject *top)
{
    JsonArray *names = json_object_get_array_member(top, "traceEvents");
    JsonArray *samples = json_object_get_array_member(top, "samples");
    reading r = {json_object_get_object_member(top, "stackFrames"),
                 g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free), 0, 0};
    for (guint i = 0; i < json_array_get_length(names); i++) {
        JsonObject *event = json_array_get_object_element(names, i);
        if (strcmp(json_object_get_string_member(event, "ph"), "M") != 0) {
            refuse("event %u is no name; trace-viewer would draw it beside the samples", i);
        }
    }
    if (*json_object_get_string_member(json_object_get_object_member(top, "otherData"),
                                       "weightUnit") == '\0') {
        refuse("the weights have no unit");
    }
    for (guint i = 0; i < json_array_get_length(samples); i++) {
        take_sample(rows, &r, json_array_get_object_element(samples, i));
    }
    g_hash_table_unref(r.stacks);
}
