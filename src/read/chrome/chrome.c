/* Chrome's trace events: JSON of browsers, build tools, game engines and tracing libraries, and of
 * Spall, whose variant is lenient.
 *
 * An array of events, or an object with one as "traceEvents". Events are read one at a time, in any
 * order, truncated or not, with or without commas. Begins, ends and whole calls become calls of
 * threads (slices.h defines their nesting); asynchronous operations and samples get tracks of their
 * own; a file with only samples whose weights differ is read as samples with weights; instants and
 * counters become markers. A .cpuprofile file of V8 holds the samples of one thread. */
#include "read/chrome/chrome.h"

#include <string.h>

#include "base/own_trace.h"
#include "read/jsonfile.h"
#include "read/jsonkind.h"
#include "read/reader.h"

/* How far to search for an event in an array. */
#define SEARCHED ((size_t)1024 * 1024)

typedef struct {
    af_chrome chrome;
    af_json_file file;
    gboolean found;   /* there is a list of events */
    const char *unit; /* as in af_open_options */
} chrome_file;

/* ---- detection ---- */

/* Whether an object is an event: it has a phase, which is a text, and a time. */
static gboolean is_event(af_span object)
{
    static const char *const keys[] = {"ph", "ts"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_json_find_members(object, keys, values, G_N_ELEMENTS(keys));
    return values[0].text.bytes != NULL && values[0].kind == AF_PULL_STRING &&
           values[1].text.bytes != NULL;
}

/* Whether one of the objects in an array is an event. Places that are not JSON are skipped, but not
 * many of them: each may have been scanned to the end. */
static gboolean has_event(const char *text, size_t n)
{
    af_pull json = {text, text + n, FALSE};
    af_pull_value value;
    unsigned strange = 0;
    af_pull_enter(&json);
    while (strange < 64 && af_pull_next_item(&json) == AF_PULL_OK) {
        const char *at = json.at;
        if (*at == '{' && is_event((af_span){at, (size_t)(json.end - at)})) {
            return TRUE;
        }
        const af_pull_state state = af_pull_take(&json, &value);
        const char *next = state == AF_PULL_STRANGE && json.at == at
                               ? memchr(at + 1, '{', (size_t)(json.end - at - 1))
                               : json.at;
        if (state == AF_PULL_SHORT || next == NULL) {
            break;
        }
        strange += state == AF_PULL_STRANGE;
        json.at = next;
    }
    return FALSE;
}

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    const char *end = (const char *)head + length;
    const char *at = af_json_skip_bom((const char *)head, end);
    if (at == end || *at != '[') {
        const af_json_kind kind = af_json_look(head, length, more);
        return kind == AF_JSON_TRACE_EVENTS || kind == AF_JSON_CPU_PROFILE ? AF_SURE
               : kind == AF_JSON_UNDECIDED                                 ? AF_UNSURE
                                                                           : 0;
    }
    const char *next = af_json_skip_bom(at + 1, end);
    if (next < end && *next != '{') {
        return 0;
    }
    if (has_event(at, MIN((size_t)(end - at), SEARCHED))) {
        return AF_SURE;
    }
    return more && length < SEARCHED ? AF_UNSURE : 0;
}

/* ---- lists of events ---- */

/* Reads the event at the current position. Returns FALSE if the input ends first. */
static gboolean take_event(chrome_file *f)
{
    af_chrome_event event;
    af_pull_value value;
    af_pull_state state;
    af_json_file *file = &f->file;
    const char *begin;
    do {
        begin = file->json.at;
        state = af_chrome_parse(&file->json, &event, f->chrome.buffer);
    } while (state == AF_PULL_SHORT && af_json_file_refill(file, begin));
    if (state == AF_PULL_OK) {
        af_chrome_take(&f->chrome, &event);
        return TRUE;
    }
    if (state == AF_PULL_SHORT) {
        return FALSE;
    }
    /* skip it if its brackets match */
    file->json.at = begin;
    state = af_json_file_take(file, &value);
    if (state == AF_PULL_SHORT) {
        af_sink_warn(file->sink, AF_WARN_BROKEN_TEXT, 1, file->source->offset);
        return FALSE;
    }
    af_sink_warn(file->sink, state == AF_PULL_STRANGE ? AF_WARN_DEEP_TEXT : AF_WARN_BROKEN_TEXT, 1,
                 AF_NO_OFFSET);
    return TRUE;
}

static gboolean take_item(void *user)
{
    chrome_file *f = user;
    return *f->file.json.at == '{' ? take_event(f) : af_json_file_pass_strange(&f->file);
}

static gboolean take_sample(void *user)
{
    chrome_file *f = user;
    af_pull_value value;
    if (*f->file.json.at != '{') {
        return af_json_file_pass_strange(&f->file);
    }
    const af_pull_state state = af_json_file_take(&f->file, &value);
    if (state == AF_PULL_OK) {
        af_chrome_samples_take_sample(f->chrome.samples, value.text);
    }
    return state != AF_PULL_SHORT;
}

/* ---- the file ---- */

/* What aflame states of samples that it wrote. */
static void take_other_data(chrome_file *f, af_span object)
{
    af_pull_value value;
    if (af_json_find_member(object, AF_TRACE_WEIGHT_UNIT, &value)) {
        af_chrome_samples_take_unit(f->chrome.samples, &value);
    }
#define TAKE(fact, name, stated)                                                                   \
    if (af_json_find_member(object, name, &value) && af_span_is(value.text, stated)) {             \
        f->chrome.facts |= (fact);                                                                 \
    }
    AF_TRACE_FACTS(TAKE)
    if (af_json_find_member(object, AF_TRACE_THREADLESS, &value)) {
        af_sink_facts(f->chrome.sink)->threadless = af_span_is(value.text, "true");
    }
}

/* Reads the value of a key of the outermost object. Returns FALSE if the input ends first. */
static gboolean take_top(void *user, const char *key)
{
    chrome_file *f = user;
    af_pull_kind kind;
    af_pull_state state = af_json_file_look(&f->file, &kind);
    if (state == AF_PULL_SHORT) {
        return FALSE;
    }
    if (state == AF_PULL_STRANGE) {
        return af_json_file_pass_strange(&f->file);
    }
    if (strcmp(key, "traceEvents") == 0 && kind == AF_PULL_ARRAY) {
        f->found = TRUE;
        return af_json_file_list(&f->file, take_item, f);
    }
    if (strcmp(key, "samples") == 0 && kind == AF_PULL_ARRAY) {
        return af_json_file_list(&f->file, take_sample, f);
    }
    af_pull_value value;
    state = af_json_file_take(&f->file, &value);
    if (state == AF_PULL_OK && kind == AF_PULL_OBJECT && strcmp(key, "stackFrames") == 0) {
        af_chrome_samples_take_frames(f->chrome.samples, value.text, NULL);
    } else if (state == AF_PULL_OK && kind == AF_PULL_OBJECT && strcmp(key, "otherData") == 0) {
        take_other_data(f, value.text);
    } else if (state == AF_PULL_OK && strcmp(key, "displayTimeUnit") == 0) {
        if (value.kind == AF_PULL_STRING) {
            const af_span text = af_pull_text(&value, f->chrome.buffer);
            af_sink_add_fact(f->chrome.sink, af_span_of("displayTimeUnit"), text);
        }
    }
    return state != AF_PULL_SHORT;
}

static void take_cpu_profile(chrome_file *f)
{
    af_pull_value value;
    const af_pull_state state = af_json_file_take(&f->file, &value);
    if (state == AF_PULL_SHORT) {
        const af_pull *json = &f->file.json;
        value = (af_pull_value){AF_PULL_OBJECT, FALSE, {json->at, (size_t)(json->end - json->at)}};
    }
    af_sink_facts(f->chrome.sink)->format.title = "CPU profile of V8 (JSON)";
    f->file.cut |= state == AF_PULL_SHORT;
    f->found = state != AF_PULL_STRANGE;
    if (f->found && !af_chrome_profiles_take_file(f->chrome.profiles, &value, f->file.cut) &&
        f->file.cut && f->file.error == NULL && !af_sink_is_stopped(f->chrome.sink)) {
        g_set_error_literal(&f->file.error, AF_ERROR, AF_ERROR_DAMAGED,
                            "this CPU profile of V8 is truncated before the times of its samples; "
                            "record it again");
    }
}

static void take_file(chrome_file *f)
{
    const af_pull *json = &f->file.json;
    if (json->at < json->end && *json->at == '[') {
        f->found = TRUE;
        /* the closing bracket is optional */
        af_json_file_list(&f->file, take_item, f);
    } else if (af_json_look((const uint8_t *)json->at, (size_t)(json->end - json->at), FALSE) ==
               AF_JSON_CPU_PROFILE) {
        take_cpu_profile(f);
    } else if (json->at < json->end) {
        af_json_file_object(&f->file, take_top, f);
    }
}

static gboolean finish(chrome_file *f, GError **error)
{
    af_chrome *c = &f->chrome;
    const uint64_t n_calls = af_slices_count(c->slices);
    /* what follows the list may show that the input is damaged */
    af_source *source = f->file.source;
    if (source->more && !af_sink_is_stopped(c->sink) && !af_source_drain(source, error)) {
        return FALSE;
    }
    if (f->file.cut || source->cut) {
        af_sink_facts(f->chrome.sink)->recording.truncated = TRUE;
        af_sink_warn(f->chrome.sink, AF_WARN_TRUNCATED, 1, source->offset + source->length);
    }
    if (!af_chrome_async_finish(c->async, error)) {
        return FALSE;
    }
    if (af_chrome_samples_are_weighted(c->samples)) {
        if (af_slices_count(c->slices) == 0) {
            const gboolean ok = af_chrome_samples_finish_weighted(c->samples, f->unit, error);
            af_owners_finish(c->owners, TRUE);
            return ok;
        }
        af_sink_warn(c->sink, AF_WARN_OTHER_WEIGHTS, 1, AF_NO_OFFSET);
    }
    if (!af_chrome_samples_finish(c->samples, error)) {
        return FALSE;
    }
    af_sink_set_marker_origin(c->sink, af_slices_base(c->slices, c->least_ns));
    const af_recording_kind recorded = n_calls == 0 && af_chrome_samples_count(c->samples) > 0
                                           ? AF_RECORDED_SAMPLES
                                           : AF_RECORDED_CALLS;
    if (recorded == AF_RECORDED_SAMPLES) {
        af_sink_facts(c->sink)->recording.interval_ns = af_chrome_samples_interval_ns(c->samples);
    }
    af_slices_set_facts(c->slices, c->facts);
    const gboolean ok = af_slices_finish(c->slices, recorded, error);
    af_owners_finish(c->owners, TRUE);
    return ok;
}

static uint32_t add_track(void *user, uint32_t thread, unsigned extra)
{
    return af_owners_add_extra_track(user, thread, extra);
}

static void begin(chrome_file *f, af_source *source, const af_open_options *options, af_sink *sink)
{
    af_sink_set_format(sink, "chrome-json", "Chrome trace events (JSON)", NULL);
    af_sink_set_total(sink, af_source_total(source));
    *f = (chrome_file){.chrome = {.sink = sink, .least_ns = INT64_MAX}, .unit = options->unit};
    af_json_file_begin(&f->file, source, sink);
    af_chrome *c = &f->chrome;
    c->slices = af_slices_new(sink);
    c->owners = af_owners_new(sink);
    const af_slices_rules rules = {.ignore_other_ends = options->ignore_other_ends,
                                   .add_track = options->overlap_tracks ? add_track : NULL,
                                   .user = c->owners};
    af_slices_set_rules(c->slices, &rules);
    af_frames_init(&c->names, sink);
    c->async = af_chrome_async_new(c);
    c->samples = af_chrome_samples_new(c);
    c->profiles = af_chrome_profiles_new(c);
    c->buffer = g_string_new(NULL);
    c->other_buffer = g_string_new(NULL);
}

static void end(chrome_file *f)
{
    af_chrome *c = &f->chrome;
    af_chrome_profiles_free(c->profiles);
    af_chrome_samples_free(c->samples);
    af_chrome_async_free(c->async);
    af_frames_clear(&c->names);
    af_owners_free(c->owners);
    af_slices_free(c->slices);
    g_string_free(c->buffer, TRUE);
    g_string_free(c->other_buffer, TRUE);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    chrome_file f;
    begin(&f, source, options, sink);
    take_file(&f);
    gboolean ok = FALSE;
    if (f.file.error != NULL) {
        g_propagate_error(error, f.file.error);
    } else if (!f.found && !f.file.cut && !af_sink_is_stopped(sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: \"traceEvents\" is not a list of events");
    } else {
        ok = finish(&f, error);
    }
    end(&f);
    return ok;
}

const af_reader af_reader_chrome = {
    .name = "chrome-json",
    .title = "Chrome trace events (JSON), also for Spall and Perfetto",
    .extensions = "json cpuprofile",
    .detect = detect,
    .read = read_input,
};
