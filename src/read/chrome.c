/* Chrome's trace events: JSON of browsers, build tools, game engines and tracing libraries, and of
 * Spall, whose form of it is lenient.
 *
 * An array of events, or an object with one as "traceEvents". Read event by event, in any order, cut
 * or not, with commas or without. Begins, ends and whole calls become calls of threads (slices.h says
 * how they lie in each other), operations beside threads get lanes, samples lanes of theirs; instants
 * and counters are kept as marks. */
#include "read/chrome.h"

#include <string.h>

#include "read/reader.h"

/* After so many bytes somebody may want to know how far it is, or to stop. */
#define STRETCH ((size_t)1024 * 1024)

/* How far into an object the events are looked for: other things may stand in front of them. */
#define MOST_LOOK ((size_t)64 * 1024 * 1024)

typedef struct {
    af_chrome chrome;
    af_source *source;
    af_pull json;   /* over the window */
    gboolean cut;   /* the input ends in the middle of something */
    gboolean found; /* there is a list of events */
    GError *error;
} chrome_file;

/* ---- what it is ---- */

static const char *skip_mark(const char *at, const char *end)
{
    if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3;
    }
    while (at < end && g_ascii_isspace(*at)) {
        at++;
    }
    return at;
}

static int detect(const uint8_t *head, size_t length, gboolean more, const char *path)
{
    (void)path;
    const char *end = (const char *)head + length;
    const char *at = skip_mark((const char *)head, end);
    if (at == end) {
        return more && length < 4096 ? AF_UNSURE : 0;
    }
    const size_t left = (size_t)(end - at);
    if (*at == '{') {
        if (memmem(at, MIN(left, MOST_LOOK), "\"traceEvents\"", 13) != NULL) {
            return AF_SURE;
        }
        return more && length < MOST_LOOK ? AF_UNSURE : 0;
    }
    if (*at != '[') {
        return 0;
    }
    const char *next = skip_mark(at + 1, end);
    if (next < end && *next != '{') {
        return *next == ']' ? 20 : 0; /* nothing happened */
    }
    if (memmem(at, MIN(left, STRETCH), "\"ph\"", 4) != NULL) {
        return AF_SURE;
    }
    return more && length < STRETCH ? AF_UNSURE : 0;
}

/* ---- the window ---- */

static void show_window(chrome_file *f)
{
    f->json.at = (const char *)f->source->bytes;
    f->json.end = f->json.at + f->source->length;
}

/* What lies in front of `at` is done. FALSE when it is time to stop. */
static gboolean pass(chrome_file *f, const char *at)
{
    const size_t n = (size_t)(at - (const char *)f->source->bytes);
    af_source_skip(f->source, n);
    return af_sink_advance(f->chrome.sink, n);
}

/* More of the input behind `at`, where the window then begins. FALSE if there is none, or with an
 * error. */
static gboolean refill(chrome_file *f, const char *at)
{
    const gboolean go_on = pass(f, at);
    gboolean ok = go_on && f->source->more;
    if (ok) {
        const size_t wanted = f->source->length * 2 + af_source_usual(f->source);
        ok = af_source_reach(f->source, wanted, &f->error);
    }
    show_window(f);
    return ok;
}

/* Tries something until it does not end with the window. `tried` takes one thing and moves on, or
 * leaves everything as it is. */
#define PULL(f, state, tried)                                                                      \
    do {                                                                                           \
        const char *const from = (f)->json.at;                                                     \
        (state) = (tried);                                                                         \
        if ((state) != AF_PULL_SHORT) {                                                            \
            break;                                                                                 \
        }                                                                                          \
        (f)->json.at = from;                                                                       \
    } while (refill((f), (f)->json.at))

/* ---- lists ---- */

/* Passes over a value that is nothing; FALSE if there is no getting over it. */
static gboolean pass_strange(chrome_file *f)
{
    af_pull_value value;
    af_pull_state state;
    af_sink_warn(f->chrome.sink, AF_WARN_BROKEN_TEXT, 1,
                 f->source->place + (uint64_t)(f->json.at - (const char *)f->source->bytes));
    const char *const before = f->json.at;
    const uint64_t place = f->source->place;
    PULL(f, state, af_pull_take(&f->json, &value));
    if (state == AF_PULL_SHORT) {
        return FALSE;
    }
    if (f->json.at == before && f->source->place == place) {
        f->json.at++; /* a byte that nothing begins with */
    }
    return TRUE;
}

/* Takes the event that begins here. FALSE if the input ends before it does. */
static gboolean take_event(chrome_file *f)
{
    af_chrome_event event;
    af_pull_state state;
    const char *begin;
    do {
        begin = f->json.at;
        state = af_chrome_parse(&f->json, &event);
    } while (state == AF_PULL_SHORT && refill(f, begin));
    if (state == AF_PULL_OK) {
        af_chrome_take(&f->chrome, &event);
        return TRUE;
    }
    if (state == AF_PULL_SHORT) {
        return FALSE;
    }
    /* over it, if its brackets are in order */
    f->json.at = begin;
    af_pull_value value;
    PULL(f, state, af_pull_take(&f->json, &value));
    if (state == AF_PULL_SHORT) {
        af_sink_warn(f->chrome.sink, AF_WARN_BROKEN_TEXT, 1, f->source->place);
        return FALSE;
    }
    af_sink_warn(f->chrome.sink, state == AF_PULL_STRANGE ? AF_WARN_DEEP_TEXT : AF_WARN_BROKEN_TEXT,
                 1, AF_NO_PLACE);
    return TRUE;
}

static gboolean take_sample(chrome_file *f)
{
    af_pull_value value;
    af_pull_state state;
    PULL(f, state, af_pull_take(&f->json, &value));
    if (state == AF_PULL_OK) {
        af_chrome_samples_take_sample(f->chrome.samples, value.text);
    }
    return state != AF_PULL_SHORT;
}

/* Takes what is in an array, object by object. FALSE if the input ends before it does. */
static gboolean take_list(chrome_file *f, gboolean (*take)(chrome_file *))
{
    af_pull_enter(&f->json);
    for (;;) {
        af_pull_state state;
        PULL(f, state, af_pull_next_item(&f->json));
        if (state != AF_PULL_OK) {
            return state == AF_PULL_END;
        }
        if (*f->json.at == '{' ? !take(f) : !pass_strange(f)) {
            f->cut = TRUE;
            return FALSE;
        }
        if ((size_t)(f->json.at - (const char *)f->source->bytes) >= STRETCH) {
            if (!pass(f, f->json.at)) {
                return FALSE;
            }
            show_window(f);
        }
    }
}

/* ---- the file ---- */

static void note_text(chrome_file *f, const char *key, const af_pull_value *value)
{
    if (value->kind == AF_PULL_STRING) {
        const af_slice text = af_pull_text(value, f->chrome.room);
        af_sink_add_fact(f->chrome.sink, (af_slice){key, strlen(key)}, text);
    }
}

/* The value of a key of the outermost object. FALSE if the input ends before it does. */
static gboolean take_top(chrome_file *f, const char *key)
{
    af_pull_kind kind;
    af_pull_state state;
    PULL(f, state, af_pull_look(&f->json, &kind));
    if (state == AF_PULL_SHORT) {
        return FALSE;
    }
    if (state == AF_PULL_STRANGE) {
        return pass_strange(f);
    }
    if (strcmp(key, "traceEvents") == 0 && kind == AF_PULL_ARRAY) {
        f->found = TRUE;
        return take_list(f, take_event);
    }
    if (strcmp(key, "samples") == 0 && kind == AF_PULL_ARRAY) {
        return take_list(f, take_sample);
    }
    af_pull_value value;
    PULL(f, state, af_pull_take(&f->json, &value));
    if (state == AF_PULL_OK && kind == AF_PULL_OBJECT && strcmp(key, "stackFrames") == 0) {
        af_chrome_samples_take_frames(f->chrome.samples, value.text, NULL);
    } else if (state == AF_PULL_OK && strcmp(key, "displayTimeUnit") == 0) {
        note_text(f, "displayTimeUnit", &value);
    }
    return state != AF_PULL_SHORT;
}

static void take_object(chrome_file *f)
{
    char key[32];
    af_pull_enter(&f->json);
    for (;;) {
        af_pull_value name;
        af_pull_state state;
        PULL(f, state, af_pull_next_key(&f->json, &name));
        if (state == AF_PULL_END || f->error != NULL) {
            return;
        }
        if (state == AF_PULL_SHORT) {
            break;
        }
        if (state == AF_PULL_STRANGE) {
            if (!pass_strange(f)) {
                break;
            }
            continue;
        }
        const size_t n = MIN(name.text.length, sizeof key - 1);
        memcpy(key, name.text.bytes, n);
        key[n] = '\0';
        if (!take_top(f, key)) {
            break;
        }
    }
    f->cut = TRUE;
}

static void take_file(chrome_file *f)
{
    show_window(f);
    f->json.at = skip_mark(f->json.at, f->json.end);
    if (f->json.at < f->json.end && *f->json.at == '[') {
        f->found = TRUE;
        take_list(f, take_event); /* without its end as well: nobody promises one */
    } else if (f->json.at < f->json.end) {
        take_object(f);
    }
}

/* Where the input ends. */
static void warn_cut(chrome_file *f)
{
    if (f->cut || f->source->cut) {
        f->chrome.sink->facts.truncated = TRUE;
        af_sink_warn(f->chrome.sink, AF_WARN_TRUNCATED, 1, f->source->place + f->source->length);
    }
}

static gboolean finish(chrome_file *f, GError **error)
{
    af_chrome *c = &f->chrome;
    const uint64_t n_calls = af_slices_count(c->slices);
    warn_cut(f);
    if (!af_chrome_async_finish(c->async, error) ||
        !af_chrome_samples_finish(c->samples, error)) {
        return FALSE;
    }
    c->sink->marks_from_ns = af_slices_base(c->slices, c->least_ns);
    const af_recorded recorded = n_calls == 0 && af_chrome_samples_count(c->samples) > 0
                                     ? AF_RECORDED_SAMPLES
                                     : AF_RECORDED_CALLS;
    const gboolean ok = af_slices_finish(c->slices, recorded, error);
    af_places_finish(c->places);
    return ok;
}

static void begin(chrome_file *f, af_source *source, af_sink *sink)
{
    sink->facts.container = AF_CONTAINER_OTHER;
    sink->facts.format = "chrome-json";
    sink->facts.kind = "Chrome trace events (JSON)";
    sink->total = source->more ? 0 : source->length;
    *f = (chrome_file){.source = source, .chrome = {.sink = sink, .least_ns = INT64_MAX}};
    af_chrome *c = &f->chrome;
    c->slices = af_slices_new(sink);
    c->places = af_places_new(sink);
    af_frames_init(&c->names, sink);
    c->async = af_chrome_async_new(c);
    c->samples = af_chrome_samples_new(c);
    c->profiles = af_chrome_profiles_new(c);
    c->room = g_string_new(NULL);
    c->other_room = g_string_new(NULL);
}

static void end(chrome_file *f)
{
    af_chrome *c = &f->chrome;
    af_chrome_profiles_free(c->profiles);
    af_chrome_samples_free(c->samples);
    af_chrome_async_free(c->async);
    af_frames_clear(&c->names);
    af_places_free(c->places);
    af_slices_free(c->slices);
    g_string_free(c->room, TRUE);
    g_string_free(c->other_room, TRUE);
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    (void)other;
    (void)options;
    chrome_file f;
    begin(&f, source, sink);
    take_file(&f);
    gboolean ok = FALSE;
    if (f.error != NULL) {
        g_propagate_error(error, f.error);
    } else if (!f.found && !f.cut && !af_sink_is_stopped(sink)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged: \"traceEvents\" is no list of events");
    } else {
        ok = finish(&f, error);
    }
    end(&f);
    return ok;
}

const af_reader af_reader_chrome = {
    .name = "chrome-json",
    .title = "Chrome trace events (JSON), also as Spall and Perfetto take them",
    .extensions = "json",
    .detect = detect,
    .read = read_input,
};
