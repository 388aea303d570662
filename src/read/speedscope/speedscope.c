/* speedscope's own files: JSON with one table of frames and a profile for each thread, which is a
 * list of begins and ends in time order ("evented") or of stacks with weights ("sampled"). All
 * versions since 0.0.1 agree in everything that is read here.
 *
 * aflame accepts more than speedscope: an end closes everything open above the frame that it names,
 * or nothing if that frame is not open; slices still open end with their profile; times never go
 * back; stacks without a weight are dropped. A single profile with the name of the whole file has
 * no thread. If profiles have several units, only those with the unit of the first one are read.
 * Begins and ends in a unit other than time become weighted stacks.
 *
 * Verified with: speedscope's own examples (0.0.1 to 0.6.0), files of seven formats saved by
 * speedscope 1.25.0, and aflame's own exports. */
#include "read/speedscope/speedscope.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error_pass.h"
#include "base/own_trace.h"
#include "read/frames.h"
#include "read/held.h"
#include "read/jsonfile.h"
#include "read/jsonkind.h"
#include "read/reader.h"

typedef struct {
    af_speedscope all;
    af_json_file file;
    af_speedscope_profile profile;  /* the profile that is being read */
    GString *buffer, *other_buffer; /* for texts with escapes */
} speedscope_file;

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    const int sure = af_json_detect(head, length, more, AF_JSON_SPEEDSCOPE);
    return sure == 0 && af_json_look(head, length, more) == AF_JSON_LIKE_SPEEDSCOPE ? 30 : sure;
}

static void init_store(af_speedscope_store *store, const af_sink *sink)
{
    *store = (af_speedscope_store){.spool = af_held_spool_new(sink),
                                   .buffer = g_malloc(AF_SPEEDSCOPE_STORE_BYTES)};
}

static void clear_store(af_speedscope_store *store)
{
    af_spool_free(store->spool);
    g_free(store->buffer);
    g_clear_error(&store->error);
}

/* Returns the offset of the next byte. */
static uint64_t offset_of(const af_speedscope_store *store)
{
    return store->spool->length + store->used;
}

static void flush_store(af_speedscope_store *store)
{
    if (store->error == NULL) {
        af_spool_add(store->spool, store->buffer, store->used, &store->error);
    }
    store->used = 0;
}

static void put_byte(af_speedscope_store *store, uint8_t byte)
{
    if (store->used == AF_SPEEDSCOPE_STORE_BYTES) {
        flush_store(store);
    }
    store->buffer[store->used++] = byte;
}

static void put_number(af_speedscope_store *store, uint32_t number)
{
    uint8_t bytes[AF_ULEB128_MAX], *const end = af_uleb128_put(bytes, number);
    for (const uint8_t *at = bytes; at < end; at++) {
        put_byte(store, *at);
    }
}

/* Stores a value other than a number as a number without digits. */
static void put_figure(af_speedscope_store *store, const af_pull_value *value)
{
    const gboolean fits = value->kind == AF_PULL_NUMBER && value->text.length <= AF_LONGEST_FIGURE;
    const size_t n = fits ? value->text.length : 0;
    put_byte(store, (uint8_t)n);
    for (size_t i = 0; i < n; i++) {
        put_byte(store, (uint8_t)value->text.bytes[i]);
    }
}

static uint32_t read_frame(const af_pull_value *value)
{
    int64_t number;
    return value->kind == AF_PULL_NUMBER && af_pull_whole(value->text, &number) && number >= 0 &&
                   number < AF_SPEEDSCOPE_NO_FRAME
               ? (uint32_t)number
               : AF_SPEEDSCOPE_NO_FRAME;
}

/* The result holds spans of the object, or of the buffers. */
static af_method_text parse_frame(speedscope_file *f, af_span object)
{
    af_pull json = af_pull_into(object);
    af_pull_value key, value;
    af_span name = {"", 0}, source = {NULL, 0};
    int64_t line = -1;
    while (af_pull_member(&json, &key, &value)) {
        if (value.kind == AF_PULL_STRING && af_span_is(key.text, "name")) {
            name = af_pull_text(&value, f->buffer);
        } else if (value.kind == AF_PULL_STRING && af_span_is(key.text, "file")) {
            source = af_pull_text(&value, f->other_buffer);
        } else if (af_span_is(key.text, "line") && !af_pull_whole(value.text, &line)) {
            line = -1;
        }
    }
    name = af_sink_truncate(f->all.sink, name);
    af_method_text text = af_frame_parse(name.bytes, name.length, AF_FRAME_ANY);
    text.source = source;
    text.line = line > 0 && line <= INT32_MAX ? (int32_t)line : -1;
    return text;
}

static gboolean take_frame(void *user)
{
    speedscope_file *f = user;
    af_speedscope *s = &f->all;
    af_pull_value value;
    gboolean taken;
    if (!af_json_file_value(&f->file, &value, &taken)) {
        return FALSE;
    }
    if (taken && value.kind == AF_PULL_OBJECT) {
        const af_method_text text = parse_frame(f, value.text);
        af_sink_define_method(s->sink, (uint64_t)s->n_frames << AF_ACTION_BITS, &text, FALSE);
    }
    s->n_frames++;
    return !af_sink_is_stopped(s->sink) && s->n_frames < AF_MOST_METHODS;
}

/* Takes an O or a C; ignores other events. */
static af_pull_state parse_edge(af_pull *json, char *type, uint32_t *frame, af_pull_value *at)
{
    af_pull_value key, value;
    *type = '\0';
    *frame = AF_SPEEDSCOPE_NO_FRAME;
    *at = (af_pull_value){.kind = AF_PULL_WORD};
    af_pull_enter(json);
    for (;;) {
        af_pull_state state = af_pull_next_key(json, &key);
        if (state == AF_PULL_OK) {
            state = af_pull_take(json, &value);
        }
        if (state != AF_PULL_OK) {
            return state == AF_PULL_END ? AF_PULL_OK : state;
        }
        if (af_span_is(key.text, "type") && value.text.length == 1) {
            *type = *value.text.bytes;
        } else if (af_span_is(key.text, "frame")) {
            *frame = read_frame(&value);
        } else if (af_span_is(key.text, "at")) {
            *at = value;
        }
    }
}

static gboolean take_edge(void *user)
{
    speedscope_file *f = user;
    af_speedscope_store *store = &f->all.edges;
    af_pull_value at;
    uint32_t frame;
    char type;
    af_pull_state state;
    if (*f->file.json.at != '{') {
        return af_json_file_pass_strange(&f->file);
    }
    const char *begin;
    do {
        begin = f->file.json.at;
        state = parse_edge(&f->file.json, &type, &frame, &at);
    } while (state == AF_PULL_SHORT && af_json_file_refill(&f->file, begin));
    if (state == AF_PULL_STRANGE) {
        f->file.json.at = begin;
        return af_json_file_pass_strange(&f->file);
    }
    if (state == AF_PULL_OK && (type == 'O' || type == 'C') && frame != AF_SPEEDSCOPE_NO_FRAME) {
        put_byte(store, (uint8_t)type);
        put_number(store, frame);
        put_figure(store, &at);
        f->profile.n_edges++;
    } else if (state == AF_PULL_OK) {
        af_sink_warn(f->all.sink, AF_WARN_UNKNOWN_RECORD, 1, AF_NO_OFFSET);
    }
    return state != AF_PULL_SHORT && store->error == NULL;
}

static gboolean take_stack(void *user)
{
    speedscope_file *f = user;
    af_speedscope_store *store = &f->all.stacks;
    af_pull_value stack, frame;
    gboolean taken;
    if (!af_json_file_value(&f->file, &stack, &taken)) {
        return FALSE;
    }
    if (taken && stack.kind == AF_PULL_ARRAY) {
        af_pull json = af_pull_into(stack.text);
        while (af_pull_item(&json, &frame)) {
            put_number(store, MIN(read_frame(&frame), AF_SPEEDSCOPE_NO_FRAME - 1) + 1);
        }
    }
    put_number(store, 0);
    f->profile.n_stacks++;
    return store->error == NULL;
}

static gboolean take_weight(void *user)
{
    speedscope_file *f = user;
    af_pull_value value = {.kind = AF_PULL_WORD};
    gboolean taken;
    if (!af_json_file_value(&f->file, &value, &taken)) {
        return FALSE;
    }
    put_figure(&f->all.weights, &value);
    f->profile.n_weights++;
    return f->all.weights.error == NULL;
}

static void read_unit(af_speedscope_profile *profile, af_span name)
{
    static const struct {
        const char *name;
        af_measure measure;
        unsigned digits;
    } units[] = {
        {"nanoseconds", AF_MEASURE_TIME, 0},  {"microseconds", AF_MEASURE_TIME, 3},
        {"milliseconds", AF_MEASURE_TIME, 6}, {"seconds", AF_MEASURE_TIME, 9},
        {"bytes", AF_MEASURE_BYTES, 3},
    };
    profile->measure = AF_MEASURE_NONE;
    profile->digits = 3;
    for (unsigned i = 0; i < G_N_ELEMENTS(units); i++) {
        if (af_span_is(name, units[i].name)) {
            profile->measure = units[i].measure;
            profile->digits = units[i].digits;
        }
    }
}

static void clear_profile(af_speedscope_profile *profile)
{
    g_free(profile->name);
    g_free(profile->start);
    g_free(profile->end);
}

static char *copy_name(speedscope_file *f, af_span name)
{
    name = af_sink_truncate(f->all.sink, name);
    return g_strndup(name.bytes, name.length);
}

/* Takes a member of a profile other than a list. */
static void take_field(speedscope_file *f, const char *key, const af_pull_value *value)
{
    af_speedscope_profile *profile = &f->profile;
    const af_span text =
        value->kind == AF_PULL_STRING ? af_pull_text(value, f->buffer) : value->text;
    if (strcmp(key, "type") == 0) {
        profile->has_type = TRUE;
        profile->sampled = af_span_is(text, "sampled");
    } else if (strcmp(key, "unit") == 0) {
        read_unit(profile, text);
    } else if (strcmp(key, "name") == 0 && value->kind == AF_PULL_STRING) {
        g_free(profile->name);
        profile->name = copy_name(f, text);
    } else if (value->kind == AF_PULL_NUMBER && text.length <= AF_LONGEST_FIGURE) {
        char **figure = strcmp(key, "startValue") == 0 ? &profile->start
                        : strcmp(key, "endValue") == 0 ? &profile->end
                                                       : NULL;
        if (figure != NULL) {
            g_free(*figure);
            *figure = g_strndup(text.bytes, text.length);
        }
    }
}

static gboolean take_member(void *user, const char *key)
{
    static const struct {
        const char *key;
        af_json_take_func take;
    } lists[] = {{"events", take_edge}, {"samples", take_stack}, {"weights", take_weight}};
    speedscope_file *f = user;
    af_pull_kind kind;
    af_pull_value value;
    gboolean taken;
    const gboolean list = af_json_file_look(&f->file, &kind) == AF_PULL_OK && kind == AF_PULL_ARRAY;
    for (unsigned i = 0; i < G_N_ELEMENTS(lists) && list; i++) {
        if (strcmp(key, lists[i].key) == 0) {
            return af_json_file_list(&f->file, lists[i].take, f);
        }
    }
    if (!af_json_file_value(&f->file, &value, &taken)) {
        return FALSE;
    }
    if (taken) {
        take_field(f, key, &value);
    }
    return TRUE;
}

/* Takes a profile, even a truncated one. */
static gboolean take_profile(void *user)
{
    speedscope_file *f = user;
    if (*f->file.json.at != '{') {
        return af_json_file_pass_strange(&f->file);
    }
    f->profile = (af_speedscope_profile){.digits = 3,
                                         .edges_at = offset_of(&f->all.edges),
                                         .stacks_at = offset_of(&f->all.stacks),
                                         .weights_at = offset_of(&f->all.weights)};
    const gboolean whole = af_json_file_object(&f->file, take_member, f);
    if (!f->profile.has_type) {
        f->profile.sampled = f->profile.n_edges == 0;
    }
    if (!af_array_append(&f->all.profiles, &f->profile)) {
        clear_profile(&f->profile);
        return FALSE;
    }
    return whole;
}

/* Whether the next value, which belongs to `key`, is the wanted member and of the wanted kind. */
static gboolean is_member(speedscope_file *f, const char *key, const char *wanted,
                          af_pull_kind wanted_kind)
{
    af_pull_kind kind;
    return strcmp(key, wanted) == 0 && af_json_file_look(&f->file, &kind) == AF_PULL_OK &&
           kind == wanted_kind;
}

static gboolean take_shared(void *user, const char *key)
{
    speedscope_file *f = user;
    af_pull_value value;
    gboolean taken;
    return is_member(f, key, "frames", AF_PULL_ARRAY)
               ? af_json_file_list(&f->file, take_frame, f)
               : af_json_file_value(&f->file, &value, &taken);
}

static gboolean take_top(void *user, const char *key)
{
    speedscope_file *f = user;
    af_pull_value value;
    gboolean taken;
    if (is_member(f, key, "profiles", AF_PULL_ARRAY)) {
        return af_json_file_list(&f->file, take_profile, f);
    }
    if (is_member(f, key, "shared", AF_PULL_OBJECT)) {
        return af_json_file_object(&f->file, take_shared, f);
    }
    if (!af_json_file_value(&f->file, &value, &taken)) {
        return FALSE;
    }
    if (taken && strcmp(key, "exporter") == 0 && value.kind == AF_PULL_STRING) {
        af_sink_add_fact(f->all.sink, af_span_of("exporter"), af_pull_text(&value, f->buffer));
    } else if (taken && strcmp(key, "name") == 0 && value.kind == AF_PULL_STRING) {
        g_free(f->all.title);
        f->all.title = copy_name(f, af_pull_text(&value, f->buffer));
    }
#define TAKE(fact, name, stated)                                                                   \
    if (taken && strcmp(key, name) == 0 && af_span_is(value.text, stated)) {                       \
        f->all.facts |= (fact);                                                                    \
    }
    AF_TRACE_FACTS(TAKE)
    return TRUE;
}

static gboolean finish(speedscope_file *f, GError **error)
{
    const af_source *source = f->file.source;
    af_speedscope_store *const asides[] = {&f->all.edges, &f->all.stacks, &f->all.weights};
    if (!af_error_pass(error, &f->file.error)) {
        return FALSE;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(asides); i++) {
        flush_store(asides[i]);
        if (!af_error_pass(error, &asides[i]->error)) {
            return FALSE;
        }
    }
    if (f->file.cut || source->cut) {
        af_sink_facts(f->all.sink)->recording.truncated = TRUE;
        af_sink_warn(f->all.sink, AF_WARN_TRUNCATED, 1, source->offset + source->length);
    }
    return af_speedscope_play(&f->all, error);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    speedscope_file f = {.all = {.sink = sink, .unit = options->unit},
                         .buffer = g_string_new(NULL),
                         .other_buffer = g_string_new(NULL)};
    af_sink_set_format(sink, "speedscope", "speedscope profile", NULL);
    af_sink_set_total(sink, af_source_total(source));
    af_array_init_metered(&f.all.profiles, sizeof(af_speedscope_profile), af_sink_meter(sink));
    init_store(&f.all.edges, sink);
    init_store(&f.all.stacks, sink);
    init_store(&f.all.weights, sink);
    af_json_file_begin(&f.file, source, sink);
    if (f.file.json.at < f.file.json.end && *f.file.json.at == '{') {
        af_json_file_object(&f.file, take_top, &f);
    }
    const gboolean ok = finish(&f, error);
    for (size_t i = 0; i < f.all.profiles.n; i++) {
        clear_profile(&AF_ARRAY_AT(&f.all.profiles, af_speedscope_profile, i));
    }
    af_array_clear(&f.all.profiles);
    g_free(f.all.title);
    clear_store(&f.all.edges);
    clear_store(&f.all.stacks);
    clear_store(&f.all.weights);
    g_string_free(f.buffer, TRUE);
    g_string_free(f.other_buffer, TRUE);
    return ok;
}

const af_reader af_reader_speedscope = {
    .name = "speedscope",
    .title = "speedscope files, evented and sampled",
    .extensions = "speedscope.json json",
    .detect = detect,
    .read = read_input,
};
