/* The Firefox Profiler's formats: JSON with tables for each thread. Samples refer to stacks, stacks
 * to their callers and frames, frames to functions or names.
 *
 * In a Gecko profile a table is a list of rows with a schema; samples have equal weight. The
 * performance tool of older Firefox wraps one in the member "profile" of another object. In a
 * processed profile ("Firefox Profiler") a table is an object of columns, functions are apart from
 * frames, and samples may have weights: times, bytes or counts. From version 56 on, tables that all
 * threads share come first or last, so the input is read as a whole. Markers are counted as
 * AF_WARN_DETAILS, and not read.
 *
 * Verified with: aflame's own exports, the processed versions 55 and 60 of the Firefox Profiler,
 * the recordings of Firefox 59 and 63 among speedscope's examples. */
#include "read/reader.h"

#include <string.h>
#include <aflame/error.h>

#include "read/gecko/gecko_samples.h"
#include "read/jsonfile.h"
#include "read/jsonkind.h"
#include "read/owners.h"

typedef struct {
    af_sink *sink;
    af_owners *owners;
    af_gecko_samples samples;
    gboolean versioned; /* the file is known to be processed */
    uint64_t n_others;
    gboolean only_all;
    unsigned n_threads;
    af_gecko_shared shared;
} reading;

/* ---- detection ---- */

static int detect_gecko(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return af_json_detect(head, length, more, AF_JSON_GECKO);
}

static int detect_processed(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return af_json_detect(head, length, more, AF_JSON_PROCESSED);
}

/* ---- threads ---- */

static af_owner_id read_id(const af_pull_value *value, GString *buffer)
{
    af_owner_id id = {0};
    if (value->text.bytes != NULL && !af_pull_whole(value->text, &id.number)) {
        id.text = value->kind == AF_PULL_STRING ? af_pull_text(value, buffer) : value->text;
    }
    return id;
}

/* Gecko: "data", a list of rows; processed: columns, such as "name". */
static void count_markers(af_sink *sink, const af_pull_value *markers)
{
    static const char *const keys[] = {"data", "name"};
    af_pull_value lists[G_N_ELEMENTS(keys)];
    if (!af_gecko_is(markers, AF_PULL_OBJECT)) {
        return;
    }
    af_json_find_members(markers->text, keys, lists, G_N_ELEMENTS(keys));
    af_pull json = af_pull_into(lists[lists[1].text.bytes != NULL].text);
    af_pull_value row;
    while (af_pull_item(&json, &row)) {
        af_sink_warn(sink, AF_WARN_DETAILS, 1, AF_NO_OFFSET);
    }
}

/* Returns the sink's number of the thread. */
static uint32_t take_owner(reading *r, af_span object)
{
    enum { NAME, TID, PID, PROCESS, MARKERS };
    static const char *const keys[] = {"name", "tid", "pid", "processName", "markers"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_json_find_members(object, keys, values, G_N_ELEMENTS(keys));
    count_markers(r->sink, &values[MARKERS]);
    const af_owner_id process = read_id(&values[PID], r->samples.buffer);
    af_owner_id id = read_id(&values[TID], r->samples.other_buffer);
    if (values[TID].text.bytes == NULL) {
        id.number = r->n_threads + 1;
    }
    const uint32_t thread = af_owners_thread(r->owners, &process, &id);
    if (af_gecko_is(&values[NAME], AF_PULL_STRING)) {
        const af_span name = af_pull_text(&values[NAME], r->samples.other_buffer);
        af_owners_name_thread(r->owners, thread, name);
        r->only_all = r->n_threads == 0 && af_span_is(name, "all");
    }
    /* aflame's word for a process without a name */
    if (af_gecko_is(&values[PROCESS], AF_PULL_STRING) &&
        !af_span_is(values[PROCESS].text, "trace")) {
        af_owners_name_process(r->owners, &process,
                               af_pull_text(&values[PROCESS], r->samples.other_buffer));
    }
    return thread;
}

static void take_thread(reading *r, af_span object)
{
    af_gecko_tables t;
    af_gecko_unit unit = AF_GECKO_UNIT_SAMPLES;
    af_gecko_tables_init(&t, r->sink);
    /* The first processed profiles, of 2016, declare no version of their own; only their tables
     * differ. */
    if (!r->versioned) {
        af_pull_value functions;
        r->samples.processed = af_json_find_member(object, "funcTable", &functions) &&
                               functions.kind == AF_PULL_OBJECT;
    }
    if (r->samples.processed) {
        unit = af_gecko_tables_take_samples(&t, object);
    }
    if (!r->samples.processed) {
        af_gecko_tables_take(&t, object);
    } else if (t.sample_stacks.n > 0) {
        af_gecko_tables_take_processed(&t, object, &r->shared);
    }
    if (t.sample_stacks.n > 0) {
        if (r->samples.unit == AF_GECKO_UNIT_NOT_KNOWN) {
            af_gecko_samples_start(&r->samples, unit);
        }
        if (unit == r->samples.unit) {
            const uint32_t thread = take_owner(r, object);
            r->n_threads++;
            af_gecko_samples_give(&r->samples, &t, thread);
        } else {
            r->n_others++;
        }
    }
    af_gecko_tables_clear(&t);
}

/* ---- the file ---- */

static void take_meta(reading *r, af_span meta)
{
    static const char *const keys[] = {"product", "platform", "oscpu", "importedFrom"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_json_find_members(meta, keys, values, G_N_ELEMENTS(keys));
    for (unsigned i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (af_gecko_is(&values[i], AF_PULL_STRING)) {
            af_sink_add_fact(r->sink, af_span_of(keys[i]),
                             af_pull_text(&values[i], r->samples.buffer));
        }
    }
}

static void take_threads(reading *r, const af_pull_value *threads)
{
    if (!af_gecko_is(threads, AF_PULL_ARRAY)) {
        return;
    }
    af_pull json = af_pull_into(threads->text);
    af_pull_value thread;
    while (af_pull_next_item(&json) == AF_PULL_OK && !af_sink_is_stopped(r->sink)) {
        const char *begin = json.at;
        const af_pull_state state = af_pull_take(&json, &thread);
        if (state == AF_PULL_SHORT || (state == AF_PULL_STRANGE && json.at == begin)) {
            break;
        }
        if (state == AF_PULL_OK && thread.kind == AF_PULL_OBJECT) {
            take_thread(r, thread.text);
        } else {
            af_sink_warn(r->sink, AF_WARN_BROKEN_TEXT, 1, AF_NO_OFFSET);
        }
        if (!af_sink_advance(r->sink, (size_t)(json.at - begin))) {
            break;
        }
    }
}

/* Reads a profile, then the profiles of other processes in it. The text of `object` may be
 * truncated. */
static void take_profile(reading *r, af_span object)
{
    enum { META, SHARED, PROCESSES };
    static const char *const keys[] = {"meta", "shared", "processes"};
    af_array waiting; /* of af_span */
    af_array_init_metered(&waiting, sizeof(af_span), af_sink_meter(r->sink));
    af_array_append(&waiting, &object);
    for (size_t i = 0; i < waiting.n && !af_sink_is_stopped(r->sink); i++) {
        const af_span profile = AF_ARRAY_AT(&waiting, af_span, i);
        af_pull_value values[G_N_ELEMENTS(keys)], child;
        af_json_find_members(profile, keys, values, G_N_ELEMENTS(keys));
        if (i == 0) {
            take_meta(r, values[META].text);
        }
        af_pull_value threads;
        af_json_find_member(profile, "threads", &threads);
        af_gecko_shared_init(&r->shared, r->sink, values[SHARED].text);
        take_threads(r, &threads);
        af_gecko_shared_clear(&r->shared);
        if (af_gecko_is(&values[PROCESSES], AF_PULL_ARRAY)) {
            af_pull json = af_pull_into(values[PROCESSES].text);
            while (af_pull_item(&json, &child)) {
                af_array_append(&waiting, &child.text);
            }
        }
    }
    af_array_clear(&waiting);
}

/* Returns the profile of a file, which may be wrapped in another object. */
static af_span unwrap_profile(af_span object)
{
    enum { META, PROFILE };
    static const char *const keys[] = {"meta", "profile"};
    af_pull_value values[G_N_ELEMENTS(keys)];
    af_json_find_members(object, keys, values, G_N_ELEMENTS(keys));
    return values[META].text.bytes == NULL && af_gecko_is(&values[PROFILE], AF_PULL_OBJECT)
               ? values[PROFILE].text
               : object;
}

static gboolean finish(reading *r, af_span object, GError **error)
{
    af_facts *facts = af_sink_facts(r->sink);
    /* Whether the text ends inside the outermost object. */
    af_pull json = af_pull_over(object);
    af_pull_value value;
    const gboolean cut = af_pull_take(&json, &value) == AF_PULL_SHORT;
    if (r->samples.unit == AF_GECKO_UNIT_NOT_KNOWN && !af_sink_is_stopped(r->sink)) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "%s: no thread has samples",
                    cut ? "truncated inside the first thread" : "empty profile");
        return FALSE;
    }
    if (cut) {
        facts->recording.truncated = TRUE;
        af_sink_warn(r->sink, AF_WARN_TRUNCATED, 1, AF_NO_OFFSET);
    }
    if (r->n_others > 0) {
        af_sink_warn(r->sink, AF_WARN_OTHER_UNIT, r->n_others, AF_NO_OFFSET);
    }
    facts->threadless = r->n_threads == 1 && r->only_all;
    af_owners_finish(r->owners, FALSE);
    return TRUE;
}

static gboolean read_profile(af_source *source, const af_open_options *options, af_sink *sink,
                             gboolean processed, GError **error)
{
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    const char *const end = (const char *)source->bytes + source->length;
    const char *at = af_json_skip_bom((const char *)source->bytes, end);
    const af_span object = {at, (size_t)(end - at)};
    reading r = {.sink = sink,
                 .owners = af_owners_new(sink),
                 .versioned = processed,
                 .samples = {.sink = sink,
                             .text = object,
                             .asked = options->unit,
                             .processed = processed,
                             .buffer = g_string_new(NULL),
                             .other_buffer = g_string_new(NULL)}};
    af_facts *facts = af_sink_facts(sink);
    facts->container = AF_CONTAINER_OTHER;
    facts->format.record = "sample";
    af_sink_set_total(sink, source->length);
    af_frames_init(&r.samples.frames, sink);
    af_array_init_metered(&r.samples.path, sizeof(uint32_t), af_sink_meter(sink));
    take_profile(&r, unwrap_profile(object));
    facts->format.name = r.samples.processed ? "firefox" : "gecko";
    facts->format.title = r.samples.processed ? "Firefox Profiler profile" : "Gecko profile";
    const gboolean ok = finish(&r, object, error);
    af_array_clear(&r.samples.path);
    af_frames_clear(&r.samples.frames);
    af_owners_free(r.owners);
    g_string_free(r.samples.buffer, TRUE);
    g_string_free(r.samples.other_buffer, TRUE);
    return ok;
}

static gboolean read_gecko(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    return read_profile(source, options, sink, FALSE, error);
}

static gboolean read_firefox(af_source *source, af_source *other, const af_open_options *options,
                             af_sink *sink, GError **error)
{
    return read_profile(source, options, sink, TRUE, error);
}

const af_reader af_reader_gecko = {
    .name = "gecko",
    .title = "Gecko profiles, also of simpleperf's gecko_profile_generator.py",
    .extensions = "json",
    .detect = detect_gecko,
    .read = read_gecko,
};

const af_reader af_reader_firefox = {
    .name = "firefox",
    .title = "files of the Firefox Profiler, also of samply",
    .extensions = "json",
    .detect = detect_processed,
    .read = read_firefox,
};
