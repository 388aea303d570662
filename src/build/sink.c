#include "build/sink_state.h"

#include <string.h>

#include "base/cancel.h"
#include "base/wide.h"
#include "build/rebuild_state.h"

af_facts *af_sink_facts(af_sink *sink)
{
    return &sink->facts;
}

void af_sink_set_format(af_sink *sink, const char *name, const char *title, const char *record)
{
    sink->facts.container = AF_CONTAINER_OTHER;
    sink->facts.format.name = name;
    sink->facts.format.title = title;
    sink->facts.format.record = record;
}

af_container af_sink_container(const af_sink *sink)
{
    return sink->facts.container;
}

void af_sink_set_total(af_sink *sink, uint64_t bytes)
{
    sink->total = bytes;
}

void af_sink_set_undefined(af_sink *sink, af_undefined_kind undefined)
{
    sink->undefined = undefined;
}

unsigned af_sink_jobs(const af_sink *sink)
{
    return sink->jobs;
}

gboolean af_sink_is_raw(const af_sink *sink)
{
    return sink->consumer != NULL && sink->consumer->raw;
}

void af_sink_warn(af_sink *sink, af_warning_kind kind, uint64_t n, uint64_t offset)
{
    af_warnings_add(&sink->warnings, kind, n, offset);
}

uint64_t af_sink_warned(const af_sink *sink, af_warning_kind kind)
{
    return sink->warnings.count[kind];
}

void af_sink_fail(af_sink *sink)
{
    sink->held.refused = TRUE;
}

void af_sink_fail_if(af_sink *sink, gboolean refused)
{
    sink->held.refused |= refused != FALSE;
}

gboolean af_sink_has_failed(const af_sink *sink)
{
    return sink->held.refused || af_arena_failed(sink->arena);
}

af_arena *af_sink_arena(af_sink *sink)
{
    return sink->arena;
}

const char *af_sink_copy(af_sink *sink, const char *bytes, size_t length)
{
    return af_arena_copy(sink->arena, bytes, length);
}

uint64_t af_sink_take_scale(af_sink *sink)
{
    const uint64_t scale = sink->scale;
    sink->markers_scale = MAX(sink->markers_scale, scale);
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
    /* differences of two results fit */
    const int64_t result = (int64_t)MIN(scaled, (af_u128)INT64_MAX / 2);
    return ns < 0 ? -result : result;
}

void af_sink_start(af_sink *sink, const af_ticks *ticks)
{
    sink->clocks = ticks->clocks;
    sink->tick_ns = ticks->tick_ns;
    sink->ticks = *ticks;
    sink->ticks.scale = sink->scale;
    if (ticks->recorded == AF_RECORDED_GUESS && sink->recorded != AF_OPEN_RECORDED_GUESS) {
        sink->ticks.recorded =
            sink->recorded == AF_OPEN_RECORDED_SAMPLES ? AF_RECORDED_SAMPLES : AF_RECORDED_CALLS;
    }
    if (sink->consumer == NULL) {
        sink->rebuild = af_rebuild_new(&sink->ticks, &sink->warnings);
    } else if (sink->consumer->start != NULL) {
        sink->consumer->start(sink->consumer->user, ticks);
    }
}

unsigned af_sink_clocks(const af_sink *sink)
{
    return sink->clocks;
}

unsigned af_sink_tick_ns(const af_sink *sink)
{
    return sink->tick_ns;
}

void af_sink_set_elapsed(af_sink *sink, const af_ticks *ticks)
{
    sink->ticks.has_elapsed = ticks->has_elapsed;
    sink->ticks.elapsed_ticks = ticks->elapsed_ticks;
    sink->ticks.ask = NULL;
    if (sink->rebuild != NULL) {
        af_rebuild_set_elapsed(sink->rebuild, ticks);
    } else if (sink->consumer != NULL && sink->consumer->start != NULL) {
        sink->consumer->start(sink->consumer->user, &sink->ticks);
    }
}

void af_sink_start_samples(af_sink *sink, const af_unit *unit, unsigned clocks,
                           af_samples_time time)
{
    const gboolean lasting = time == AF_SAMPLES_LASTING;
    const af_ticks ticks = {.clocks = clocks, .tick_ns = 1, .weighed = TRUE, .lasting = lasting};
    sink->facts.content = lasting                      ? AF_CONTENT_STACK_SLICES
                          : time == AF_SAMPLES_UNTIMED ? AF_CONTENT_STACKS
                                                       : AF_CONTENT_SAMPLES;
    sink->facts.weights.unit = *unit;
    if (unit->name != NULL) {
        char *name = (char *)af_sink_clean(sink, (af_span){unit->name, strlen(unit->name)});
        sink->facts.weights.unit.name =
            name != NULL ? name : ""; /* refused: no profile will be made */
        if (name != NULL && strlen(name) > AF_UNIT_NAME_MAX) {
            *g_utf8_find_prev_char(name, name + AF_UNIT_NAME_MAX + 1) = '\0';
        }
    }
    af_sink_start(sink, &ticks);
}

gboolean af_sink_sample(af_sink *sink, const af_sample *sample)
{
    if (af_sink_is_stopped(sink) || sink->most_records == 0) {
        return FALSE;
    }
    sink->most_records -= sink->most_records != UINT64_MAX;
    const af_event_consumer *consumer = sink->consumer;
    af_sample expanded = *sample;
    if (sample->methods == NULL && !af_sink_expand_stack(sink, &expanded)) {
        return FALSE;
    }
    if (consumer != NULL && consumer->sample != NULL &&
        !consumer->sample(consumer->user, sink, &expanded)) {
        return FALSE;
    }
    if (sink->rebuild != NULL) {
        af_sink_weigh(sink);
        af_rebuild_sample(sink->rebuild, &expanded, sink->thread_ids.n);
    }
    return sink->rebuild == NULL || !af_rebuild_gave_up(sink->rebuild);
}

void af_sink_divide_weights(af_sink *sink, uint64_t by)
{
    if (sink->rebuild != NULL) {
        af_rebuild_divide_weights(sink->rebuild, by);
    }
}

uint32_t af_sink_method(af_sink *sink, uint64_t id)
{
    return af_idmap_number(&sink->method_ids, id);
}

const af_idmap *af_sink_methods(const af_sink *sink)
{
    return &sink->method_ids;
}

uint32_t af_sink_thread(af_sink *sink, uint64_t id)
{
    return af_idmap_number(&sink->thread_ids, id);
}

const af_idmap *af_sink_threads(const af_sink *sink)
{
    return &sink->thread_ids;
}

af_sink_ids af_sink_borrow_ids(af_sink *sink)
{
    return (af_sink_ids){sink, &sink->method_ids, &sink->thread_ids};
}

af_span af_sink_truncate(af_sink *sink, af_span text)
{
    if (text.length > AF_LONGEST_NAME) {
        text.length = AF_LONGEST_NAME;
        af_sink_warn(sink, AF_WARN_LONG_NAME, 1, AF_NO_OFFSET);
    }
    return text;
}

static af_span copy_text(af_sink *sink, af_span text)
{
    if (text.bytes != NULL) {
        text = af_sink_truncate(sink, text);
        text.bytes = af_arena_copy(sink->arena, text.bytes, text.length);
        text.length = text.bytes == NULL ? 0 : text.length;
    }
    return text;
}

static af_method_text copy_method(af_sink *sink, const af_method_text *text)
{
    return (af_method_text){.class_name = copy_text(sink, text->class_name),
                            .name = copy_text(sink, text->name),
                            .signature = copy_text(sink, text->signature),
                            .source = copy_text(sink, text->source),
                            .library = copy_text(sink, text->library),
                            .nowhere = copy_text(sink, text->nowhere),
                            .group = copy_text(sink, text->group),
                            .line = text->line,
                            .whole = text->whole,
                            .slashed = text->slashed,
                            .annotation = text->annotation};
}

void af_sink_raw_method(af_sink *sink, uint64_t id, const af_method_text *text, gboolean replace)
{
    if (sink->consumer != NULL && sink->consumer->method != NULL) {
        sink->consumer->method(sink->consumer->user, sink, id, text, replace);
    }
}

gboolean af_sink_define_method(af_sink *sink, uint64_t id, const af_method_text *text,
                               gboolean replace)
{
    const uint32_t number = af_sink_method(sink, id);
    af_sink_method_state *state = af_array_slot(&sink->methods, number);
    if (state == NULL) {
        return TRUE;
    }
    af_sink_raw_method(sink, id, text, replace);
    const gboolean same =
        !state->defined || (af_span_equal(state->text.class_name, text->class_name) &&
                            af_span_equal(state->text.name, text->name) &&
                            af_span_equal(state->text.signature, text->signature));
    if (!state->defined || replace) {
        state->text = copy_method(sink, text);
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
    af_sink_method_state *state = af_array_slot(&sink->methods, method);
    if (state != NULL) {
        state->has_proxy = TRUE;
        state->proxy = copy_method(sink, text);
    }
}

void af_sink_describe_thread(af_sink *sink, uint32_t thread, const char *name, size_t length,
                             gboolean listed, gboolean exited)
{
    af_sink_thread_state *state = af_array_slot(&sink->threads, thread);
    if (state != NULL) {
        /* some readers describe a thread with each sample */
        const af_span text = af_sink_truncate(sink, (af_span){name, length});
        if (!af_span_equal(text, state->name)) {
            state->name = copy_text(sink, text);
        }
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

void af_sink_set_thread_owner(af_sink *sink, uint32_t thread, const af_thread_owner *owner)
{
    af_sink_thread_state *state = af_array_slot(&sink->threads, thread);
    if (state != NULL) {
        state->owned = TRUE;
        state->owner = *owner;
    }
}

void af_sink_lack_clock(af_sink *sink, uint32_t thread, af_clock clock)
{
    af_sink_thread_state *state = af_array_slot(&sink->threads, thread);
    if (state != NULL) {
        state->lacks |= 1u << (unsigned)clock;
    }
}

void af_sink_lack_calls(af_sink *sink, uint32_t thread)
{
    af_sink_thread_state *state = af_array_slot(&sink->threads, thread);
    if (state != NULL) {
        state->sampled = TRUE;
    }
}

void af_sink_raw_thread(af_sink *sink, uint64_t id, af_span name)
{
    if (sink->consumer != NULL && sink->consumer->thread != NULL) {
        sink->consumer->thread(sink->consumer->user, id, name);
    }
}

gboolean af_sink_is_stopped(const af_sink *sink)
{
    return sink->held.refused || sink->full || sink->method_ids.failed || sink->thread_ids.failed ||
           (sink->rebuild != NULL && af_rebuild_is_full(sink->rebuild)) ||
           af_cancel_is_requested(sink->cancel);
}

/* `stop` receives the reason: `full` or `crowded`. */
static void stop_reading(af_sink *sink, gboolean *stop)
{
    if (!af_sink_is_full(sink)) {
        af_sink_warn(sink, AF_WARN_MEMORY_LIMIT, 1,
                     sink->advanced > 0 ? sink->advanced : AF_NO_OFFSET);
    }
    *stop = TRUE;
}

/* The memory of an id without a definition: its number and its slot. */
#define ID_BYTES UINT64_C(24)

/* The memory of a thread: its id, and its state in the stack rebuilder, whose array doubles. */
#define THREAD_BYTES (ID_BYTES + 2 * sizeof(af_thread_state))

/* Names share the limit with the call trees. A reader that passes all events at its end stops when
 * names take half of the limit. */
uint64_t af_sink_weigh(af_sink *sink)
{
    if (sink->max_memory == 0) {
        return 0;
    }
    const af_array *arrays[] = {&sink->key_values, &sink->methods, &sink->threads, &sink->processes,
                                &sink->series,     &sink->markers, &sink->frames};
    uint64_t bytes =
        sink->held.bytes + af_arena_size(sink->arena) + sink->thread_ids.n * (uint64_t)THREAD_BYTES;
    for (unsigned i = 0; i < G_N_ELEMENTS(arrays); i++) {
        bytes += arrays[i]->n * arrays[i]->size;
    }
    if (sink->rebuild != NULL && sink->weighed != bytes + 1) {
        sink->weighed = bytes + 1;
        af_rebuild_limit(sink->rebuild, MAX(sink->max_memory - MIN(sink->max_memory, bytes), 1));
    }
    const uint64_t ids = sink->method_ids.n * ID_BYTES;
    if (MAX(bytes, ids) > sink->max_memory && !sink->full) {
        stop_reading(sink, &sink->full);
    }
    return bytes;
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
    sink->advanced += n;
    if (af_sink_weigh(sink) > sink->max_memory / 2 && !sink->crowded) {
        stop_reading(sink, &sink->crowded);
    }
    return !sink->crowded && !af_sink_is_stopped(sink);
}

af_meter *af_sink_meter(af_sink *sink)
{
    return &sink->held;
}

gboolean af_sink_fits(af_sink *sink, uint64_t bytes)
{
    const uint64_t taken = af_sink_weigh(sink);
    const uint64_t most = sink->max_memory == 0 ? UINT64_MAX : sink->max_memory;
    if (!sink->full && bytes > most - MIN(taken, most)) {
        stop_reading(sink, &sink->full);
    }
    return !sink->full;
}

uint64_t af_sink_max_memory(const af_sink *sink)
{
    return sink->max_memory;
}

gboolean af_sink_is_full(const af_sink *sink)
{
    return sink->crowded || sink->full ||
           (sink->rebuild != NULL && af_rebuild_is_full(sink->rebuild));
}

gboolean af_sink_events(af_sink *sink, const af_event *events, size_t n, uint64_t offset,
                        uint32_t stride)
{
    if (af_sink_is_stopped(sink)) {
        return FALSE;
    }
    const af_event_consumer *consumer = sink->consumer;
    af_sink_weigh(sink);
    n = MIN(n, sink->most_records);
    sink->most_records -= sink->most_records == UINT64_MAX ? 0 : n;
    if (consumer == NULL) {
        af_rebuild_events(sink->rebuild, events, n, sink->thread_ids.n, offset, stride);
    } else if (consumer->events != NULL && !consumer->events(consumer->user, sink, events, n)) {
        return FALSE;
    }
    report(sink, n * stride);
    return sink->most_records > 0 && (sink->rebuild == NULL || !af_rebuild_gave_up(sink->rebuild));
}

void af_sink_wait(af_sink *sink, const af_wait *wait)
{
    if (af_sink_is_stopped(sink)) {
        return;
    }
    if (sink->consumer == NULL) {
        af_rebuild_runnable(sink->rebuild, wait->thread, wait->runnable);
    } else if (sink->consumer->wait != NULL) {
        sink->consumer->wait(sink->consumer->user, wait);
    }
}

gboolean af_sink_takes_states(const af_sink *sink)
{
    return sink->consumer != NULL && sink->consumer->state != NULL;
}

void af_sink_state(af_sink *sink, const af_run_interval *interval)
{
    if (af_sink_takes_states(sink) && !af_sink_is_stopped(sink)) {
        sink->consumer->state(sink->consumer->user, interval);
    }
}

uint32_t af_sink_waker(af_sink *sink, uint32_t number)
{
    const uint32_t waker = af_idmap_number(&sink->waker_ids, number);
    sink->held.refused |= waker == AF_IDMAP_NONE;
    return waker == AF_IDMAP_NONE ? AF_NO_WAKER : waker;
}

uint32_t af_sink_n_wakers(const af_sink *sink)
{
    return sink->waker_ids.n;
}

uint32_t af_sink_waker_number(const af_sink *sink, uint32_t waker)
{
    return (uint32_t)sink->waker_ids.ids[waker];
}

void af_sink_name_waker(af_sink *sink, uint32_t waker, af_span name)
{
    const char **to = af_array_slot(&sink->wakers, waker);
    if (to == NULL) {
        sink->held.refused = TRUE;
        return;
    }
    *to = af_sink_clean(sink, name);
}

const af_sink_thread_state *af_sink_thread_state_of(const af_sink *sink, uint32_t thread)
{
    static const af_sink_thread_state unknown;
    return thread < sink->threads.n ? &AF_ARRAY_AT(&sink->threads, af_sink_thread_state, thread)
                                    : &unknown;
}

static gboolean has_bidi_control(af_span text)
{
    for (size_t i = 0; i + 1 < text.length; i++) {
        const uint8_t byte = (uint8_t)text.bytes[i];
        if ((byte == 0xD8 || (byte == 0xE2 && i + 2 < text.length)) &&
            af_utf8_bidi_control(text.bytes + i) > 0) {
            return TRUE;
        }
    }
    return FALSE;
}

const char *af_sink_clean(af_sink *sink, af_span text)
{
    if (text.bytes == NULL) {
        return NULL;
    }
    text = af_sink_truncate(sink, text);
    if (af_utf8_span_ascii(text.bytes, text.length) == text.length) {
        return af_arena_copy(sink->arena, text.bytes, text.length);
    }
    sink->facts.has_bidi = sink->facts.has_bidi || has_bidi_control(text);
    if (af_utf8_is_clean(text.bytes, text.length)) {
        return af_arena_copy(sink->arena, text.bytes, text.length);
    }
    const size_t size = af_utf8_clean(NULL, text.bytes, text.length);
    char *clean = af_arena_alloc(sink->arena, size + 1);
    if (clean != NULL) {
        af_utf8_clean(clean, text.bytes, text.length);
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

const af_fact *af_sink_key_values(const af_sink *sink, size_t *n)
{
    *n = sink->key_values.n;
    return sink->key_values.items;
}
