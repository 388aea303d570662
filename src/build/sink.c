#include "build/sink.h"

#include <string.h>

#include "base/utf8.h"
#include "base/wide.h"
#include "build/raw_listener.h"

af_sink *af_sink_new(const af_open_options *options)
{
    af_sink *sink = g_new0(af_sink, 1);
    sink->arena = af_arena_new();
    sink->facts.overflow = -1;
    af_warnings_init(&sink->warnings);
    af_array_init(&sink->key_values, sizeof(af_fact));
    af_array_init(&sink->methods, sizeof(af_sink_method_state));
    af_array_init(&sink->threads, sizeof(af_sink_thread_state));
    af_array_init(&sink->processes, sizeof(af_profile_process));
    af_textmap_init(&sink->mark_names);
    af_array_init(&sink->series, sizeof(af_marker_series));
    af_array_init(&sink->marks, sizeof(af_marker));
    af_idmap_init(&sink->method_ids, AF_ACTION_BITS);
    sink->method_ids.most = AF_MOST_METHODS;
    af_idmap_init(&sink->thread_ids, 0);
    sink->jobs = options->jobs;
    sink->cancel = options->cancel;
    sink->progress = options->progress;
    sink->progress_user = options->progress_user;
    sink->scale = MIN(options->time_scale, AF_TIME_SCALE_MAX);
    return sink;
}

af_sink *af_sink_new_again(const af_open_options *options, const af_walk_plan *guide,
                           af_call_walk *replay, const af_raw_listener *tap)
{
    af_sink *sink = af_sink_new(options);
    sink->jobs = 1;
    sink->replay = replay;
    sink->tap = tap;
    const uint64_t *ids = tap != NULL ? tap->method_ids : guide->method_ids;
    const uint32_t n_ids = tap != NULL ? tap->n_method_ids : guide->n_methods;
    for (uint32_t m = 0; m < n_ids; m++) {
        af_sink_method(sink, ids[m]);
    }
    for (uint32_t t = 0; t < guide->n_threads; t++) {
        af_sink_thread(sink, guide->threads[t].id);
    }
    return sink;
}

void af_sink_free(af_sink *sink)
{
    if (sink == NULL) {
        return;
    }
    af_arena_free(sink->arena);
    af_array_clear(&sink->key_values);
    af_array_clear(&sink->methods);
    af_array_clear(&sink->threads);
    af_array_clear(&sink->processes);
    af_textmap_clear(&sink->mark_names);
    af_array_clear(&sink->series);
    af_array_clear(&sink->marks);
    af_idmap_clear(&sink->method_ids);
    af_idmap_clear(&sink->thread_ids);
    af_rebuild_free(sink->rebuild);
    g_free(sink);
}

uint64_t af_sink_take_scale(af_sink *sink)
{
    const uint64_t scale = sink->scale;
    sink->marks_scale = MAX(sink->marks_scale, scale);
    sink->scale = 0;
    return scale;
}

int64_t af_sink_scaled(int64_t ns, uint64_t millionths)
{
    if (millionths == 0) {
        return ns;
    }
    const af_u128 one = 1000000, size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    const af_u128 scaled = (size * millionths + (ns < 0 ? one - 1 : 0)) / one;
    const int64_t result = (int64_t)MIN(scaled, (af_u128)INT64_MAX);
    return ns < 0 ? -result : result;
}

void af_sink_start(af_sink *sink, const af_ticks *ticks)
{
    sink->clocks = ticks->clocks;
    sink->tick_ns = ticks->tick_ns;
    sink->ticks = *ticks;
    sink->ticks.scale = sink->scale;
    if (sink->replay != NULL) {
        af_call_walk_start(sink->replay, ticks);
    } else if (sink->tap == NULL) {
        sink->rebuild = af_rebuild_new(&sink->ticks, &sink->warnings);
    }
}

void af_sink_set_elapsed(af_sink *sink, const af_ticks *ticks)
{
    sink->ticks.has_elapsed = ticks->has_elapsed;
    sink->ticks.elapsed_ticks = ticks->elapsed_ticks;
    sink->ticks.ask = NULL;
    if (sink->replay != NULL) {
        af_call_walk_start(sink->replay, &sink->ticks); /* they are compared */
    } else if (sink->rebuild != NULL) {
        af_rebuild_set_elapsed(sink->rebuild, ticks);
    }
}

void af_sink_start_samples(af_sink *sink, const af_unit *unit, unsigned clocks,
                           af_samples_time time)
{
    const gboolean lasting = time == AF_SAMPLES_LASTING;
    const af_ticks ticks = {.clocks = clocks, .tick_ns = 1, .weighed = TRUE, .lasting = lasting};
    sink->facts.weighed = TRUE;
    sink->facts.timed = time != AF_SAMPLES_UNTIMED;
    sink->facts.lasting = lasting;
    sink->facts.unit = *unit;
    if (unit->name != NULL) {
        char *name = (char *)af_sink_clean(sink, (af_span){unit->name, strlen(unit->name)});
        sink->facts.unit.name = name != NULL ? name : ""; /* refused: no profile comes of it */
        if (name != NULL && strlen(name) > AF_UNIT_LONGEST) {
            *g_utf8_find_prev_char(name, name + AF_UNIT_LONGEST + 1) = '\0';
        }
    }
    af_sink_start(sink, &ticks);
}

gboolean af_sink_sample(af_sink *sink, const af_sample *sample)
{
    if (af_sink_is_stopped(sink)) {
        return FALSE;
    }
    if (sink->tap != NULL && sink->tap->sample != NULL &&
        !sink->tap->sample(sink->tap->user, sink, sample)) {
        return FALSE;
    }
    if (sink->rebuild != NULL) {
        af_rebuild_sample(sink->rebuild, sample, sink->thread_ids.n);
    }
    return sink->rebuild == NULL || !af_rebuild_gave_up(sink->rebuild);
}

void af_sink_divide_weights(af_sink *sink, uint64_t by)
{
    if (sink->rebuild != NULL) {
        af_rebuild_divide_weights(sink->rebuild, by);
    }
}

/* The state of a number; `array` is made longer as needed. NULL if memory is refused. */
static void *state_at(af_array *array, uint32_t number)
{
    return number == UINT32_MAX || !af_array_reach(array, (size_t)number + 1)
               ? NULL
               : af_array_at(array, number);
}

/* A name that is no longer than names may be. */
static af_span cut(af_sink *sink, af_span slice)
{
    if (slice.length > AF_LONGEST_NAME) {
        slice.length = AF_LONGEST_NAME;
        af_sink_warn(sink, AF_WARN_LONG_NAME, 1, AF_NO_OFFSET);
    }
    return slice;
}

static af_span keep(af_sink *sink, af_span slice)
{
    if (slice.bytes != NULL) {
        slice = cut(sink, slice);
        slice.bytes = af_arena_copy(sink->arena, slice.bytes, slice.length);
        slice.length = slice.bytes == NULL ? 0 : slice.length;
    }
    return slice;
}

static gboolean is_equal(af_span a, af_span b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static af_method_text keep_text(af_sink *sink, const af_method_text *text)
{
    return (af_method_text){.class_name = keep(sink, text->class_name),
                            .name = keep(sink, text->name),
                            .signature = keep(sink, text->signature),
                            .source = keep(sink, text->source),
                            .library = keep(sink, text->library),
                            .nowhere = keep(sink, text->nowhere),
                            .line = text->line,
                            .whole = text->whole,
                            .slashed = text->slashed,
                            .note = text->note};
}

void af_sink_raw_method(af_sink *sink, uint64_t id, const af_method_text *text, gboolean replace)
{
    if (sink->tap != NULL && sink->tap->method != NULL) {
        sink->tap->method(sink->tap->user, sink, id, text, replace);
    }
}

gboolean af_sink_define_method(af_sink *sink, uint64_t id, const af_method_text *text,
                               gboolean replace)
{
    const uint32_t number = af_sink_method(sink, id);
    af_sink_method_state *state = state_at(&sink->methods, number);
    if (state == NULL) {
        return TRUE;
    }
    af_sink_raw_method(sink, id, text, replace);
    const gboolean same = !state->defined || (is_equal(state->text.class_name, text->class_name) &&
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
    return method < sink->methods.n &&
           AF_ARRAY_AT(&sink->methods, af_sink_method_state, method).defined;
}

const af_method_text *af_sink_method_text(const af_sink *sink, uint32_t method)
{
    static const af_method_text nothing;
    return af_sink_is_defined(sink, method)
               ? &AF_ARRAY_AT(&sink->methods, af_sink_method_state, method).text
               : &nothing;
}

void af_sink_set_proxy(af_sink *sink, uint32_t method, const af_method_text *text)
{
    af_sink_method_state *state = state_at(&sink->methods, method);
    if (state != NULL) {
        state->has_proxy = TRUE;
        state->proxy = keep_text(sink, text);
    }
}

void af_sink_describe_thread(af_sink *sink, uint32_t thread, const char *name, size_t length,
                             gboolean listed, gboolean exited)
{
    af_sink_thread_state *state = state_at(&sink->threads, thread);
    if (state != NULL) {
        state->name = keep(sink, (af_span){name, length});
        state->listed = listed;
        state->exited = exited;
    }
}

uint32_t af_sink_add_process(af_sink *sink, af_span id, af_span name)
{
    af_profile_process *process = af_array_add(&sink->processes, 1);
    if (process == NULL) {
        return AF_NO_PROCESS;
    }
    process->id = af_sink_clean(sink, id);
    process->name = name.length == 0 ? NULL : af_sink_clean(sink, name);
    return (uint32_t)sink->processes.n - 1;
}

void af_sink_set_thread_owner(af_sink *sink, uint32_t thread, const af_thread_owner *place)
{
    af_sink_thread_state *state = state_at(&sink->threads, thread);
    if (state != NULL) {
        state->placed = TRUE;
        state->place = *place;
    }
}

void af_sink_count_open(af_sink *sink, uint32_t thread)
{
    af_sink_thread_state *state = state_at(&sink->threads, thread);
    if (state != NULL) {
        state->open++;
    }
}

void af_sink_lack_clock(af_sink *sink, uint32_t thread, af_clock clock)
{
    af_sink_thread_state *state = state_at(&sink->threads, thread);
    if (state != NULL) {
        state->lacks |= 1u << (unsigned)clock;
    }
}

void af_sink_lack_calls(af_sink *sink, uint32_t thread)
{
    af_sink_thread_state *state = state_at(&sink->threads, thread);
    if (state != NULL) {
        state->sampled = TRUE;
    }
}

void af_sink_raw_thread(af_sink *sink, uint64_t id, af_span name)
{
    if (sink->tap != NULL && sink->tap->thread != NULL) {
        sink->tap->thread(sink->tap->user, id, name);
    }
}

gboolean af_sink_is_stopped(const af_sink *sink)
{
    return sink->failed || sink->method_ids.failed || sink->thread_ids.failed ||
           (sink->cancel != NULL && g_cancellable_is_cancelled(sink->cancel));
}

static void report(af_sink *sink, size_t n)
{
    if (sink->progress != NULL && n > 0) {
        const gsize done = (gsize)g_atomic_pointer_add(&sink->done, (gssize)n);
        sink->progress(sink->progress_user, done, sink->total);
    }
}

gboolean af_sink_advance(af_sink *sink, size_t n)
{
    report(sink, n);
    return !af_sink_is_stopped(sink);
}

gboolean af_sink_events(af_sink *sink, const af_event *events, size_t n, uint64_t place,
                        uint32_t stride)
{
    if (af_sink_is_stopped(sink)) {
        return FALSE;
    }
    if (sink->tap != NULL) {
        if (sink->tap->events != NULL && !sink->tap->events(sink->tap->user, sink, events, n)) {
            return FALSE;
        }
    } else if (sink->replay == NULL) {
        af_rebuild_events(sink->rebuild, events, n, sink->thread_ids.n, place, stride);
    } else if (!af_call_walk_events(sink->replay, events, n)) {
        return FALSE;
    }
    report(sink, n * stride);
    return sink->rebuild == NULL || !af_rebuild_gave_up(sink->rebuild);
}

const af_sink_thread_state *af_sink_thread_state_of(const af_sink *sink, uint32_t thread)
{
    static const af_sink_thread_state unknown;
    return thread < sink->threads.n ? &AF_ARRAY_AT(&sink->threads, af_sink_thread_state, thread)
                                    : &unknown;
}

const char *af_sink_clean(af_sink *sink, af_span slice)
{
    if (slice.bytes == NULL) {
        return NULL;
    }
    slice = cut(sink, slice);
    if (af_utf8_is_clean(slice.bytes, slice.length)) {
        return af_arena_copy(sink->arena, slice.bytes, slice.length);
    }
    const size_t size = af_utf8_clean(NULL, slice.bytes, slice.length);
    char *clean = af_arena_alloc(sink->arena, size + 1);
    if (clean != NULL) {
        af_utf8_clean(clean, slice.bytes, slice.length);
        clean[size] = '\0';
    }
    return clean;
}

void af_sink_add_fact(af_sink *sink, af_span key, af_span value)
{
    const af_fact fact = {af_sink_clean(sink, key), af_sink_clean(sink, value)};
    af_fact *added =
        fact.key == NULL || fact.value == NULL ? NULL : af_array_add(&sink->key_values, 1);
    if (added != NULL) {
        *added = fact;
    }
}
