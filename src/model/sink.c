#include "model/sink.h"

#include <string.h>

#include "base/utf8.h"

af_sink *af_sink_new(const af_open_options *options)
{
    af_sink *sink = g_new0(af_sink, 1);
    sink->arena = af_arena_new();
    sink->facts.overflow = -1;
    af_warnings_init(&sink->warnings);
    sink->key_values = g_array_new(FALSE, FALSE, sizeof(af_fact));
    sink->methods = g_array_new(FALSE, TRUE, sizeof(af_sink_method_state));
    sink->threads = g_array_new(FALSE, TRUE, sizeof(af_sink_thread_state));
    af_idmap_init(&sink->method_ids, AF_ACTION_BITS);
    af_idmap_init(&sink->thread_ids, 0);
    sink->jobs = options->jobs;
    sink->cancel = options->cancel;
    sink->progress = options->progress;
    sink->progress_user = options->progress_user;
    return sink;
}

void af_sink_free(af_sink *sink)
{
    if (sink == NULL) {
        return;
    }
    af_arena_free(sink->arena);
    g_array_unref(sink->key_values);
    g_array_unref(sink->methods);
    g_array_unref(sink->threads);
    af_idmap_clear(&sink->method_ids);
    af_idmap_clear(&sink->thread_ids);
    af_rebuild_free(sink->rebuild);
    g_free(sink);
}

void af_sink_start(af_sink *sink, const af_ticks *ticks)
{
    sink->clocks = ticks->clocks;
    sink->tick_ns = ticks->tick_ns;
    sink->ticks = *ticks;
    sink->rebuild = af_rebuild_new(ticks, &sink->warnings);
}

/* The state of a number; `array` is made longer as needed. */
static void *state_at(GArray *array, uint32_t number)
{
    if (number >= array->len) {
        g_array_set_size(array, number + 1);
    }
    return array->data + (size_t)number * g_array_get_element_size(array);
}

static af_slice keep(af_sink *sink, af_slice slice)
{
    if (slice.bytes != NULL) {
        slice.bytes = af_arena_copy(sink->arena, slice.bytes, slice.length);
    }
    return slice;
}

static gboolean is_equal(af_slice a, af_slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static af_method_text keep_text(af_sink *sink, const af_method_text *text)
{
    return (af_method_text){keep(sink, text->class_name), keep(sink, text->name),
                            keep(sink, text->signature),  keep(sink, text->source),
                            text->line,                   text->whole};
}

gboolean af_sink_define_method(af_sink *sink, uint64_t id, const af_method_text *text,
                               gboolean replace)
{
    const uint32_t number = af_sink_method(sink, id);
    if (number == AF_IDMAP_NONE) {
        return TRUE;
    }
    af_sink_method_state *state = state_at(sink->methods, number);
    const gboolean same = !state->defined ||
                          (is_equal(state->text.class_name, text->class_name) &&
                           is_equal(state->text.name, text->name) &&
                           is_equal(state->text.signature, text->signature));
    if (!state->defined || replace) {
        state->text = keep_text(sink, text);
        state->defined = text->class_name.length > 0 || text->name.length > 0;
    }
    return same;
}

gboolean af_sink_is_defined(const af_sink *sink, uint32_t method)
{
    return method < sink->methods->len &&
           g_array_index(sink->methods, af_sink_method_state, method).defined;
}

void af_sink_set_proxy(af_sink *sink, uint32_t method, const af_method_text *text)
{
    af_sink_method_state *state = state_at(sink->methods, method);
    state->has_proxy = TRUE;
    state->proxy = keep_text(sink, text);
}

void af_sink_describe_thread(af_sink *sink, uint32_t thread, const char *name, size_t length,
                             gboolean listed, gboolean exited)
{
    af_sink_thread_state *state = state_at(sink->threads, thread);
    state->name = keep(sink, (af_slice){name, length});
    state->listed = listed;
    state->exited = exited;
}

gboolean af_sink_events(af_sink *sink, const af_event *events, size_t n, uint64_t place,
                        uint32_t stride)
{
    if (sink->method_ids.failed || sink->thread_ids.failed ||
        (sink->cancel != NULL && g_cancellable_is_cancelled(sink->cancel))) {
        return FALSE;
    }
    af_rebuild_events(sink->rebuild, events, n, sink->thread_ids.n, place, stride);
    if (sink->progress != NULL) {
        const gsize done = (gsize)g_atomic_pointer_add(&sink->done, (gssize)(n * stride));
        sink->progress(sink->progress_user, done, sink->total);
    }
    return TRUE;
}

const char *af_sink_clean(af_sink *sink, af_slice slice)
{
    if (slice.bytes == NULL) {
        return NULL;
    }
    if (af_utf8_is_clean(slice.bytes, slice.length)) {
        return af_arena_copy(sink->arena, slice.bytes, slice.length);
    }
    GString *text = g_string_sized_new(slice.length);
    af_utf8_append_clean(text, slice.bytes, slice.length);
    const char *clean = af_arena_copy(sink->arena, text->str, text->len);
    g_string_free(text, TRUE);
    return clean;
}

void af_sink_add_fact(af_sink *sink, af_slice key, af_slice value)
{
    const af_fact fact = {af_sink_clean(sink, key), af_sink_clean(sink, value)};
    if (fact.key != NULL && fact.value != NULL) {
        g_array_append_val(sink->key_values, fact);
    }
}
