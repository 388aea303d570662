#include "read/chrome/chrome.h"

#include <string.h>

#include "read/jsonfile.h"

/* Larger times are invalid, as in slices.c. */
#define MOST_US (INT64_MAX / 4000)

#define IS(text) (memcmp(key.bytes, (text), sizeof(text) - 1) == 0)

/* An AF_FIELDS value for a key that is not needed. */
static inline af_chrome_field find_field(af_span key)
{
    switch (key.length) {
    case 1:
        return IS("s") ? AF_FIELD_SCOPE_OF : AF_FIELDS;
    case 2:
        return IS("ph")   ? AF_FIELD_PHASE
               : IS("ts") ? AF_FIELD_TIME
               : IS("id") ? AF_FIELD_ID
               : IS("sf") ? AF_FIELD_FRAME
                          : AF_FIELDS;
    case 3:
        return IS("pid")   ? AF_FIELD_PROCESS
               : IS("tid") ? AF_FIELD_THREAD
               : IS("cat") ? AF_FIELD_CATEGORY
               : IS("dur") ? AF_FIELD_LENGTH
               : IS("tts") ? AF_FIELD_CPU
               : IS("id2") ? AF_FIELD_ID2
                           : AF_FIELDS;
    case 4:
        return IS("name")   ? AF_FIELD_NAME
               : IS("args") ? AF_FIELD_ARGUMENTS
               : IS("tdur") ? AF_FIELD_CPU_LENGTH
                            : AF_FIELDS;
    case 5:
        return IS("scope")   ? AF_FIELD_SCOPE
               : IS("stack") ? AF_FIELD_STACK
               : IS("depth") ? AF_FIELD_DEPTH
               : IS("order") ? AF_FIELD_ORDER
                             : AF_FIELDS;
    case 6:
        return IS("weight") ? AF_FIELD_WEIGHT : AF_FIELDS;
    default:
        return AF_FIELDS;
    }
}

#undef IS

/* Treated as absent. */
af_pull_state af_chrome_parse(af_pull *json, af_chrome_event *event, GString *buffer)
{
    event->has = 0;
    af_pull_enter(json);
    for (;;) {
        af_pull_value key, ignored;
        af_pull_state state = af_pull_next_key(json, &key);
        if (state != AF_PULL_OK) {
            return state == AF_PULL_END ? AF_PULL_OK : state;
        }
        const af_chrome_field field =
            find_field(G_UNLIKELY(key.escaped) ? af_pull_text(&key, buffer) : key.text);
        af_pull_value *value = field == AF_FIELDS ? &ignored : &event->field[field];
        state = af_pull_take(json, value);
        if (state != AF_PULL_OK) {
            return state;
        }
        if (field != AF_FIELDS && value->kind == AF_PULL_WORD && af_span_is(value->text, "null")) {
            event->has &= ~(1u << field);
        } else if (field != AF_FIELDS) {
            event->has |= 1u << field;
        }
    }
}

af_owner_id af_chrome_id(const af_pull_value *value, GString *buffer)
{
    af_owner_id id = {0};
    const gboolean usable =
        value != NULL && (value->kind == AF_PULL_NUMBER || value->kind == AF_PULL_STRING);
    const af_span text = usable ? af_pull_text(value, buffer) : id.text;
    if (usable && !af_pull_whole(text, &id.number) && value->kind == AF_PULL_STRING) {
        id.text = text;
    }
    return id;
}

static gboolean read_us(const af_pull_value *value, int64_t *us, int *ns)
{
    return (value->kind == AF_PULL_NUMBER || value->kind == AF_PULL_STRING) &&
           af_pull_us(value->text, us, ns);
}

gboolean af_chrome_length(const af_pull_value *value, int64_t *ns)
{
    int64_t us;
    int rest;
    if (!read_us(value, &us, &rest) || us > MOST_US || us < -MOST_US) {
        return FALSE;
    }
    *ns = us * 1000 + rest;
    return TRUE;
}

gboolean af_chrome_ns(af_chrome *c, const af_pull_value *value, int64_t *ns)
{
    int64_t us, distance;
    int rest;
    if (value == NULL || !read_us(value, &us, &rest)) {
        return FALSE;
    }
    if (!c->has_base) {
        c->has_base = TRUE;
        c->base_us = us;
    }
    if (__builtin_sub_overflow(us, c->base_us, &distance) || distance > MOST_US ||
        distance < -MOST_US) {
        return FALSE;
    }
    *ns = distance * 1000 + rest;
    return TRUE;
}

/* Returns the CPU time of a field; AF_NO_CPU if it is missing. */
static int64_t cpu_of(const af_chrome_event *event, af_chrome_field field)
{
    int64_t ns;
    const af_pull_value *value = af_chrome_get(event, field);
    return value != NULL && af_chrome_length(value, &ns) ? ns : AF_NO_CPU;
}

gboolean af_chrome_time(af_chrome *c, const af_chrome_event *event, int64_t *ns)
{
    const gboolean ok = af_chrome_ns(c, af_chrome_get(event, AF_FIELD_TIME), ns);
    if (!ok) {
        af_sink_warn(c->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
    }
    return ok;
}

af_owner_id af_chrome_process_id(const af_chrome *c, const af_chrome_event *event)
{
    return af_chrome_id(af_chrome_get(event, AF_FIELD_PROCESS), c->buffer);
}

af_owner_id af_chrome_thread_id(const af_chrome *c, const af_chrome_event *event)
{
    return af_chrome_id(af_chrome_get(event, AF_FIELD_THREAD), c->other_buffer);
}

uint32_t af_chrome_thread_of(af_chrome *c, const af_chrome_event *event)
{
    const af_owner_id process = af_chrome_process_id(c, event);
    const af_owner_id thread = af_chrome_thread_id(c, event);
    return af_owners_thread(c->owners, &process, &thread);
}

static af_span read_categories(const af_chrome *c, const af_pull_value *category)
{
    return category != NULL && category->kind == AF_PULL_STRING
               ? af_pull_text(category, c->other_buffer)
               : (af_span){NULL, 0};
}

uint32_t af_chrome_method(af_chrome *c, const af_pull_value *name, const af_pull_value *category)
{
    const af_span none = {NULL, 0};
    return af_frames_name_in(&c->names, name == NULL ? none : af_pull_text(name, c->buffer),
                             read_categories(c, category));
}

uint32_t af_chrome_method_of(af_chrome *c, const af_chrome_event *event)
{
    return af_chrome_method(c, af_chrome_get(event, AF_FIELD_NAME),
                            af_chrome_get(event, AF_FIELD_CATEGORY));
}

static void take_edge(af_chrome *c, const af_chrome_event *event, gboolean ends)
{
    int64_t ns;
    if (!af_chrome_time(c, event, &ns)) {
        return;
    }
    const uint32_t thread = af_chrome_thread_of(c, event);
    const int64_t cpu_ns = cpu_of(event, AF_FIELD_CPU);
    if (!ends) {
        af_slices_begin(c->slices, thread, af_chrome_method_of(c, event), ns, cpu_ns);
    } else {
        const uint32_t method =
            af_chrome_has(event, AF_FIELD_NAME) ? af_chrome_method_of(c, event) : AF_NO_METHOD;
        af_slices_end(c->slices, thread, method, ns, cpu_ns);
    }
}

static void take_nesting(af_chrome *c, const af_chrome_event *event)
{
    int64_t depth, order;
    if (af_chrome_has(event, AF_FIELD_DEPTH) && af_chrome_has(event, AF_FIELD_ORDER) &&
        af_pull_whole(event->field[AF_FIELD_DEPTH].text, &depth) && depth > 0 &&
        depth < AF_SLICES_NESTING_LIMIT &&
        af_pull_whole(event->field[AF_FIELD_ORDER].text, &order) && order >= 0 &&
        order < AF_SLICES_NESTING_LIMIT) {
        af_slices_set_nesting(c->slices, (uint32_t)depth, (uint32_t)order);
    }
}

static void take_whole(af_chrome *c, const af_chrome_event *event)
{
    int64_t ns, length_ns;
    if (!af_chrome_time(c, event, &ns)) {
        return;
    }
    const af_pull_value *length = af_chrome_get(event, AF_FIELD_LENGTH);
    if (length == NULL || !af_chrome_length(length, &length_ns)) {
        length_ns = AF_NO_LENGTH;
    }
    const int64_t cpu_length_ns = cpu_of(event, AF_FIELD_CPU_LENGTH);
    take_nesting(c, event);
    af_slices_whole(c->slices, af_chrome_thread_of(c, event), af_chrome_method_of(c, event), ns,
                    length_ns, cpu_of(event, AF_FIELD_CPU),
                    cpu_length_ns == AF_NO_CPU ? AF_NO_LENGTH : cpu_length_ns);
}

static uint32_t process_of(af_chrome *c, const af_chrome_event *event)
{
    const af_owner_id process = af_chrome_process_id(c, event);
    return af_owners_process(c->owners, &process);
}

void af_chrome_mark(af_chrome *c, af_marker_kind kind, const af_marker *mark)
{
    c->least_ns = MIN(c->least_ns, mark->ns);
    af_sink_add_marker(c->sink, kind, mark);
}

static void take_instant(af_chrome *c, const af_chrome_event *event)
{
    af_marker mark = {.thread = AF_NO_THREAD};
    const af_pull_value *scope = af_chrome_get(event, AF_FIELD_SCOPE_OF);
    const af_pull_value *name = af_chrome_get(event, AF_FIELD_NAME);
    if (!af_chrome_time(c, event, &mark.ns)) {
        return;
    }
    if (scope == NULL || af_span_is(scope->text, "t")) {
        mark.thread = af_chrome_thread_of(c, event);
    }
    const uint32_t process = process_of(c, event);
    const af_span text = name == NULL ? af_span_of("[no name]") : af_pull_text(name, c->buffer);
    mark.series =
        af_sink_marker_series(c->sink, AF_MARKER_INSTANT, process, text,
                              read_categories(c, af_chrome_get(event, AF_FIELD_CATEGORY)));
    af_chrome_mark(c, AF_MARKER_INSTANT, &mark);
}

/* "name", "name [id]", "name: series". */
static af_span name_counter(af_chrome *c, const af_chrome_event *event, const af_pull_value *key)
{
    const af_pull_value *name = af_chrome_get(event, AF_FIELD_NAME);
    const af_pull_value *id = af_chrome_get(event, AF_FIELD_ID);
    GString *text = c->other_buffer;
    const af_span head = name == NULL ? af_span_of("[no name]") : af_pull_text(name, c->buffer);
    g_string_truncate(text, 0);
    af_span_append(text, head);
    if (id != NULL) {
        const af_span of = af_pull_text(id, c->buffer);
        g_string_append(text, " [");
        af_span_append(text, of);
        g_string_append_c(text, ']');
    }
    if (!af_span_is(key->text, "value")) {
        const af_span series = af_pull_text(key, c->buffer);
        g_string_append(text, ": ");
        af_span_append(text, series);
    }
    return af_span_of_string(text);
}

static uint32_t add_counter(af_chrome *c, const af_chrome_event *event, uint32_t process,
                            const af_pull_value *key)
{
    const af_span name = name_counter(c, event, key); /* in the buffer that categories need */
    g_autofree char *copy = g_strndup(name.bytes, name.length);
    return af_sink_marker_series(c->sink, AF_MARKER_COUNTER, process, (af_span){copy, name.length},
                                 read_categories(c, af_chrome_get(event, AF_FIELD_CATEGORY)));
}

/* Each number in the arguments is a series. */
static void take_counter(af_chrome *c, const af_chrome_event *event)
{
    const af_pull_value *arguments = af_chrome_get(event, AF_FIELD_ARGUMENTS);
    af_marker mark = {.thread = AF_NO_THREAD};
    if (!af_chrome_time(c, event, &mark.ns)) {
        return;
    }
    if (arguments == NULL || arguments->kind != AF_PULL_OBJECT) {
        return;
    }
    const af_span object = arguments->text;
    af_pull json = af_pull_into(object);
    af_pull_value key, value;
    while (af_pull_member(&json, &key, &value)) {
        if ((value.kind == AF_PULL_NUMBER || value.kind == AF_PULL_STRING) &&
            af_pull_thousandths(value.text, &mark.thousandths)) {
            mark.series = add_counter(c, event, process_of(c, event), &key);
            af_chrome_mark(c, AF_MARKER_COUNTER, &mark);
        }
    }
}

/* ---- metadata of processes and threads ---- */

static void take_metadata(af_chrome *c, const af_chrome_event *event)
{
    const af_pull_value *name = af_chrome_get(event, AF_FIELD_NAME);
    const af_pull_value *arguments = af_chrome_get(event, AF_FIELD_ARGUMENTS);
    if (name == NULL || arguments == NULL || arguments->kind != AF_PULL_OBJECT) {
        return;
    }
    const af_owner_id process = af_chrome_process_id(c, event);
    af_pull_value value;
    int64_t index;
    const gboolean of_process = *name->text.bytes == 'p';
    if (af_span_is(name->text, "stackFrames")) {
        if (af_json_find_member(arguments->text, "stackFrames", &value) &&
            value.kind == AF_PULL_OBJECT) {
            af_chrome_samples_take_frames(c->samples, value.text, &process);
        }
    } else if (af_span_is(name->text, "trace_buffer_overflowed")) {
        af_sink_facts(c->sink)->recording.overflow = 1;
    } else if (af_span_is(name->text, "process_name") || af_span_is(name->text, "thread_name")) {
        if (!af_json_find_member(arguments->text, "name", &value) || value.kind != AF_PULL_STRING) {
            return;
        }
        if (of_process) {
            af_owners_name_process(c->owners, &process, af_pull_text(&value, c->other_buffer));
        } else {
            const uint32_t thread = af_chrome_thread_of(c, event);
            af_owners_name_thread(c->owners, thread, af_pull_text(&value, c->other_buffer));
        }
    } else if (af_span_is(name->text, "process_sort_index") ||
               af_span_is(name->text, "thread_sort_index")) {
        if (!af_json_find_member(arguments->text, "sort_index", &value) ||
            !af_pull_whole(value.text, &index)) {
            return;
        }
        if (of_process) {
            af_owners_sort_process(c->owners, &process, index);
        } else {
            af_owners_sort_thread(c->owners, af_chrome_thread_of(c, event), index);
        }
    }
}

void af_chrome_take(af_chrome *c, const af_chrome_event *event)
{
    const af_pull_value *phase = af_chrome_get(event, AF_FIELD_PHASE);
    const af_span text = phase == NULL ? (af_span){NULL, 0} : af_pull_text(phase, c->buffer);
    const char kind = (char)(text.length == 1 ? *text.bytes : '\0');
    switch (kind) {
    case 'B':
    case 'E':
        take_edge(c, event, kind == 'E');
        break;
    case 'X':
        take_whole(c, event);
        break;
    case 'i':
    case 'I':
    case 'R':
        if (af_chrome_profiles_take_whole(c->profiles, event)) {
            return;
        }
        take_instant(c, event);
        break;
    case 'b':
    case 'S':
        af_chrome_async_take(c->async, AF_ASYNC_BEGIN, event, kind == 'S');
        break;
    case 'e':
    case 'F':
        af_chrome_async_take(c->async, AF_ASYNC_END, event, kind == 'F');
        break;
    case 'n':
    case 'T':
    case 'p':
        af_chrome_async_take(c->async, AF_ASYNC_INSTANT, event, kind != 'n');
        break;
    case 'C':
        take_counter(c, event);
        return;
    case 'M':
        take_metadata(c, event);
        return;
    case 'P':
        if (!af_chrome_profiles_take(c->profiles, event)) {
            af_chrome_samples_take_event(c->samples, event);
        }
        return;
    default:
        /* flows, objects, memory dumps, clocks, contexts: they take no time */
        if (kind == '\0' || strchr("stfNODvVc()", kind) == NULL) {
            af_sink_warn(c->sink, AF_WARN_UNKNOWN_RECORD, 1, AF_NO_OFFSET);
        } else if (strchr("stfNOD", kind) != NULL) {
            af_sink_warn(c->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
        }
        return;
    }
    const af_pull_value *arguments = af_chrome_get(event, AF_FIELD_ARGUMENTS);
    if (arguments != NULL && arguments->kind == AF_PULL_OBJECT && arguments->text.length > 2) {
        af_sink_warn(c->sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
}
