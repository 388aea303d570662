#include "base/bytes.h"
#include "read/held.h"
#include "read/slices_state.h"

/* The first byte of a stored entry: its kind, and the fields that follow. */
enum {
    KIND = 3,
    OTHER_THREAD = 4,
    HAS_METHOD = 8,
    HAS_CPU = 16,
    HAS_LENGTH = 32,
    HAS_CPU_LENGTH = 64,
    HAS_NESTING = 128,
};

af_slices *af_slices_new(af_sink *sink)
{
    af_slices *s = g_new0(af_slices, 1);
    s->sink = sink;
    s->spool = af_held_spool_new(sink);
    s->scale = af_sink_take_scale(sink);
    s->least_ns = INT64_MAX;
    af_array_init_metered(&s->threads, sizeof(af_slice_thread), af_sink_meter(sink));
    return s;
}

void af_slices_free(af_slices *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->threads.n; i++) {
        af_slice_thread *thread = &AF_ARRAY_AT(&s->threads, af_slice_thread, i);
        af_array_clear(&thread->open);
        if (thread->names != NULL) {
            af_tally_clear(thread->names);
            g_free(thread->names);
        }
    }
    af_array_clear(&s->threads);
    af_spool_free(s->spool);
    af_sorter_free(s->edges);
    af_sorter_free(s->wholes);
    g_clear_error(&s->error);
    g_free(s);
}

void af_slices_set_rules(af_slices *s, const af_slices_rules *rules)
{
    s->rules = *rules;
}

uint64_t af_slices_count(const af_slices *s)
{
    return s->n_stored - s->n_waits;
}

uint64_t af_slices_unordered(const af_slices *s)
{
    return s->n_unordered;
}

int64_t af_slices_latest(const af_slices *s)
{
    int64_t latest_ns = INT64_MIN;
    for (size_t i = 0; i < s->threads.n; i++) {
        latest_ns = MAX(latest_ns, AF_ARRAY_AT(&s->threads, af_slice_thread, i).most_ns);
    }
    return latest_ns;
}

int64_t af_slices_scaled(const af_slices *s, int64_t ns)
{
    return af_sink_scaled(ns, s->scale);
}

int64_t af_slices_base(const af_slices *s, int64_t otherwise)
{
    return af_slices_count(s) > 0 ? s->least_ns : af_sink_scaled(otherwise, s->scale);
}

void af_slices_declare_cpu(af_slices *s, uint32_t number, gboolean has)
{
    af_slice_thread *thread = af_slices_thread(s, number);
    if (thread != NULL) {
        thread->n_with_cpu = has ? thread->n_slices : 0;
    }
}

void af_slices_omit(af_slices *s, uint32_t number)
{
    af_slice_thread *thread = af_slices_thread(s, number);
    if (thread != NULL) {
        thread->omitted = TRUE;
        thread->n_with_cpu = 0;
    }
}

/* Signed differences; small ones of either sign take few bytes. */
static uint64_t fold_sign(int64_t number)
{
    return ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);
}

static int64_t unfold_sign(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

static void store_entry(af_slices *s, const af_stored_slice *stored)
{
    af_stored_previous *previous = &s->previous;
    if (AF_SLICES_BUFFER - s->used < AF_SLICES_THING) {
        if (s->error == NULL) {
            af_spool_add(s->spool, s->buffer, s->used, &s->error);
        }
        s->used = 0;
    }
    uint8_t *to = s->buffer + s->used;
    *to++ = (uint8_t)(stored->kind | (stored->thread != previous->thread ? OTHER_THREAD : 0) |
                      (stored->method != AF_NO_METHOD ? HAS_METHOD : 0) |
                      (stored->cpu_ns != AF_NO_CPU ? HAS_CPU : 0) |
                      (stored->length_ns != AF_NO_LENGTH ? HAS_LENGTH : 0) |
                      (stored->cpu_length_ns != AF_NO_LENGTH ? HAS_CPU_LENGTH : 0) |
                      (stored->nesting != 0 ? HAS_NESTING : 0));
    if (stored->thread != previous->thread) {
        to = af_uleb128_put(to, stored->thread);
        previous->thread = stored->thread;
    }
    if (stored->method != AF_NO_METHOD) {
        to = af_uleb128_put(to, stored->method);
    }
    to = af_uleb128_put(to, fold_sign(stored->ns - previous->ns));
    previous->ns = stored->ns;
    if (stored->length_ns != AF_NO_LENGTH) {
        to = af_uleb128_put(to, (uint64_t)stored->length_ns);
    }
    if (stored->cpu_ns != AF_NO_CPU) {
        to = af_uleb128_put(to, fold_sign(stored->cpu_ns - previous->cpu_ns));
        previous->cpu_ns = stored->cpu_ns;
    }
    if (stored->cpu_length_ns != AF_NO_LENGTH) {
        to = af_uleb128_put(to, (uint64_t)stored->cpu_length_ns);
    }
    if (stored->nesting != 0) {
        to = af_uleb128_put(to, stored->nesting);
    }
    s->used = (size_t)(to - s->buffer);
    s->n_stored++;
}

void af_stored_slice_decode(af_stored_previous *previous, const uint8_t **at,
                            af_stored_slice *stored)
{
    const unsigned head = *(*at)++;
    stored->kind = (af_stored_kind)(head & KIND);
    if ((head & OTHER_THREAD) != 0) {
        previous->thread = (uint32_t)af_uleb128_take(at);
    }
    stored->thread = previous->thread;
    stored->method = (head & HAS_METHOD) != 0 ? (uint32_t)af_uleb128_take(at) : AF_NO_METHOD;
    stored->ns = previous->ns += unfold_sign(af_uleb128_take(at));
    stored->length_ns = (head & HAS_LENGTH) != 0 ? (int64_t)af_uleb128_take(at) : AF_NO_LENGTH;
    stored->cpu_ns = AF_NO_CPU;
    if ((head & HAS_CPU) != 0) {
        stored->cpu_ns = previous->cpu_ns += unfold_sign(af_uleb128_take(at));
    }
    stored->cpu_length_ns =
        (head & HAS_CPU_LENGTH) != 0 ? (int64_t)af_uleb128_take(at) : AF_NO_LENGTH;
    stored->nesting = (head & HAS_NESTING) != 0 ? af_uleb128_take(at) : 0;
}

af_slice_thread *af_slices_thread(af_slices *s, uint32_t number)
{
    const size_t known = s->threads.n;
    af_slice_thread *thread = af_array_slot(&s->threads, number);
    for (size_t i = known; i < s->threads.n; i++) {
        AF_ARRAY_AT(&s->threads, af_slice_thread, i) = (af_slice_thread){
            .last_edge_ns = INT64_MIN,
            .last_begin_ns = INT64_MIN,
            .most_ns = INT64_MIN,
            .least_cpu_ns = INT64_MAX,
            .out_ns = INT64_MIN,
            .of = (uint32_t)i,
            .open = {.size = sizeof(af_open_slice), .meter = af_sink_meter(s->sink)}};
    }
    return thread;
}

/* Shared by all entries. Returns NULL if the time is invalid. */
static af_slice_thread *count_entry(af_slices *s, af_stored_slice *stored)
{
    if (G_UNLIKELY(s->scale > 0)) {
        /* Scales the end and not the duration, so that a slice that ended before another began
         * still does. */
        const gboolean whole = stored->length_ns != AF_NO_LENGTH && stored->ns <= AF_SLICES_MOST_NS;
        const int64_t end_ns = whole ? af_sink_scaled(stored->ns + stored->length_ns, s->scale) : 0;
        stored->ns = af_sink_scaled(stored->ns, s->scale);
        stored->length_ns = whole ? MIN(end_ns - stored->ns, AF_SLICES_MOST_NS) : stored->length_ns;
    }
    if (G_UNLIKELY(stored->ns > AF_SLICES_MOST_NS || stored->ns < -AF_SLICES_MOST_NS)) {
        af_sink_warn(s->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
        return NULL;
    }
    if (stored->cpu_ns != AF_NO_CPU &&
        (stored->cpu_ns > AF_SLICES_MOST_NS || stored->cpu_ns < -AF_SLICES_MOST_NS)) {
        stored->cpu_ns = AF_NO_CPU;
    }
    af_slice_thread *thread = stored->thread < s->threads.n
                                  ? &AF_ARRAY_AT(&s->threads, af_slice_thread, stored->thread)
                                  : af_slices_thread(s, stored->thread);
    if (thread != NULL) {
        s->least_ns = MIN(s->least_ns, stored->ns);
        thread->most_ns = MAX(thread->most_ns, stored->ns);
        if (stored->cpu_ns != AF_NO_CPU) {
            thread->least_cpu_ns = MIN(thread->least_cpu_ns, stored->cpu_ns);
        }
        if (stored->kind != AF_STORED_END) {
            thread->n_slices++;
            thread->n_with_cpu += stored->cpu_ns != AF_NO_CPU;
        }
    }
    return thread;
}

static void store_edge(af_slices *s, af_stored_slice *stored)
{
    af_slice_thread *thread = count_entry(s, stored);
    if (thread == NULL) {
        return;
    }
    thread->has_edges = TRUE;
    if (stored->ns < thread->last_edge_ns) {
        thread->edges_unordered = TRUE;
        s->n_unordered++;
    } else {
        thread->last_edge_ns = stored->ns;
    }
    store_entry(s, stored);
}

void af_slices_begin(af_slices *s, uint32_t thread, uint32_t method, int64_t ns, int64_t cpu_ns)
{
    store_edge(s, &(af_stored_slice){AF_STORED_BEGIN, thread, method, ns, AF_NO_LENGTH, cpu_ns,
                                     AF_NO_LENGTH, 0});
}

void af_slices_end(af_slices *s, uint32_t thread, uint32_t method, int64_t ns, int64_t cpu_ns)
{
    store_edge(s, &(af_stored_slice){AF_STORED_END, thread, method, ns, AF_NO_LENGTH, cpu_ns,
                                     AF_NO_LENGTH, 0});
}

void af_slices_leave_open(af_slices *s, uint32_t thread, int64_t ns, int64_t cpu_ns)
{
    store_edge(s, &(af_stored_slice){AF_STORED_END, thread, AF_NO_METHOD, ns, AF_NO_LENGTH, cpu_ns,
                                     AF_NO_LENGTH, 1});
}

void af_slices_wait(af_slices *s, uint32_t thread, int64_t runnable_ns, int64_t slept_ns,
                    uint32_t waker)
{
    store_entry(
        s, &(af_stored_slice){AF_STORED_WAIT, thread, waker, s->previous.ns,
                              af_sink_scaled(runnable_ns, s->scale), AF_NO_CPU,
                              slept_ns > 0 ? af_sink_scaled(slept_ns, s->scale) : AF_NO_LENGTH, 0});
    s->n_waits++;
}

void af_slices_set_nesting(af_slices *s, uint32_t depth, uint32_t order)
{
    s->nesting = (uint64_t)order << 31 | depth;
}

void af_slices_whole(af_slices *s, uint32_t number, uint32_t method, int64_t ns, int64_t length_ns,
                     int64_t cpu_ns, int64_t cpu_length_ns)
{
    af_stored_slice stored = {AF_STORED_WHOLE, number, method,        ns,
                              length_ns,       cpu_ns, cpu_length_ns, s->nesting};
    s->nesting = 0;
    if (length_ns != AF_NO_LENGTH && length_ns < 0) {
        af_sink_warn(s->sink, AF_WARN_NEGATIVE_LENGTH, 1, AF_NO_OFFSET);
        stored.length_ns = 0;
    }
    stored.length_ns = MIN(stored.length_ns, AF_SLICES_MOST_NS);
    stored.cpu_length_ns = cpu_ns == AF_NO_CPU || cpu_length_ns < 0
                               ? AF_NO_LENGTH
                               : MIN(cpu_length_ns, AF_SLICES_MOST_NS);
    af_slice_thread *thread = count_entry(s, &stored);
    if (thread == NULL) {
        return;
    }
    ns = stored.ns;
    const int64_t end_ns = ns + MAX(stored.length_ns, 0);
    thread->has_wholes = TRUE;
    thread->wholes_unordered |= stored.nesting != 0 || stored.length_ns == AF_NO_LENGTH ||
                                ns < thread->last_begin_ns ||
                                (ns == thread->last_begin_ns && end_ns > thread->last_end_ns);
    thread->last_begin_ns = ns;
    thread->last_end_ns = end_ns;
    thread->most_ns = MAX(thread->most_ns, end_ns);
    store_entry(s, &stored);
}
