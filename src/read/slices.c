#include "base/bytes.h"
#include "read/slices_state.h"

/* Larger times are invalid: 73 years from any zero, so that sums of a few fit. */
#define MOST_NS (INT64_MAX / 4)

/* The first byte of a stored entry: its kind, and the fields that follow. */
enum {
    KIND = 3,
    OTHER_THREAD = 4,
    HAS_METHOD = 8,
    HAS_CPU = 16,
    HAS_LENGTH = 32,
    HAS_CPU_LENGTH = 64,
    HAS_PLACE = 128,
};

af_slices *af_slices_new(af_sink *sink)
{
    af_slices *s = g_new0(af_slices, 1);
    s->sink = sink;
    s->aside = af_spool_new(NULL);
    s->scale = af_sink_take_scale(sink);
    s->least_ns = INT64_MAX;
    af_array_init(&s->threads, sizeof(af_slice_thread));
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
    af_spool_free(s->aside);
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
    return s->n_told;
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

int64_t af_slices_base(const af_slices *s, int64_t otherwise)
{
    return s->n_told > 0 ? s->least_ns : af_sink_scaled(otherwise, s->scale);
}

/* ---- storing ---- */

/* Signed differences; small ones of either sign take few bytes. */
static uint64_t fold_sign(int64_t number)
{
    return ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);
}

static int64_t unfold_sign(uint64_t number)
{
    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

static void flush(af_slices *s)
{
    if (s->error == NULL) {
        af_spool_add(s->aside, s->room, s->used, &s->error);
    }
    s->used = 0;
}

static void put_aside(af_slices *s, const af_stored_slice *told)
{
    af_stored_previous *before = &s->before;
    if (AF_SLICES_BUFFER - s->used < AF_SLICES_THING) {
        flush(s);
    }
    uint8_t *to = s->room + s->used;
    *to++ = (uint8_t)(told->kind | (told->thread != before->thread ? OTHER_THREAD : 0) |
                      (told->method != AF_NO_METHOD ? HAS_METHOD : 0) |
                      (told->cpu_ns != AF_NO_CPU ? HAS_CPU : 0) |
                      (told->length_ns != AF_NO_LENGTH ? HAS_LENGTH : 0) |
                      (told->cpu_length_ns != AF_NO_LENGTH ? HAS_CPU_LENGTH : 0) |
                      (told->place != 0 ? HAS_PLACE : 0));
    if (told->thread != before->thread) {
        to = af_uleb128_put(to, told->thread);
        before->thread = told->thread;
    }
    if (told->method != AF_NO_METHOD) {
        to = af_uleb128_put(to, told->method);
    }
    to = af_uleb128_put(to, fold_sign(told->ns - before->ns));
    before->ns = told->ns;
    if (told->length_ns != AF_NO_LENGTH) {
        to = af_uleb128_put(to, (uint64_t)told->length_ns);
    }
    if (told->cpu_ns != AF_NO_CPU) {
        to = af_uleb128_put(to, fold_sign(told->cpu_ns - before->cpu_ns));
        before->cpu_ns = told->cpu_ns;
    }
    if (told->cpu_length_ns != AF_NO_LENGTH) {
        to = af_uleb128_put(to, (uint64_t)told->cpu_length_ns);
    }
    if (told->place != 0) {
        to = af_uleb128_put(to, told->place);
    }
    s->used = (size_t)(to - s->room);
    s->n_told++;
}

void af_stored_slice_decode(af_stored_previous *before, const uint8_t **at, af_stored_slice *told)
{
    const unsigned head = *(*at)++;
    told->kind = (af_stored_kind)(head & KIND);
    if ((head & OTHER_THREAD) != 0) {
        before->thread = (uint32_t)af_uleb128_take(at);
    }
    told->thread = before->thread;
    told->method = (head & HAS_METHOD) != 0 ? (uint32_t)af_uleb128_take(at) : AF_NO_METHOD;
    told->ns = before->ns += unfold_sign(af_uleb128_take(at));
    told->length_ns = (head & HAS_LENGTH) != 0 ? (int64_t)af_uleb128_take(at) : AF_NO_LENGTH;
    told->cpu_ns = AF_NO_CPU;
    if ((head & HAS_CPU) != 0) {
        told->cpu_ns = before->cpu_ns += unfold_sign(af_uleb128_take(at));
    }
    told->cpu_length_ns =
        (head & HAS_CPU_LENGTH) != 0 ? (int64_t)af_uleb128_take(at) : AF_NO_LENGTH;
    told->place = (head & HAS_PLACE) != 0 ? af_uleb128_take(at) : 0;
}

/* ---- input ---- */

af_slice_thread *af_slices_thread(af_slices *s, uint32_t number)
{
    const size_t known = s->threads.n;
    if (number == UINT32_MAX || !af_array_reach(&s->threads, (size_t)number + 1)) {
        af_sink_fail(s->sink);
        return NULL;
    }
    for (size_t i = known; i < s->threads.n; i++) {
        AF_ARRAY_AT(&s->threads, af_slice_thread, i) =
            (af_slice_thread){.last_edge_ns = INT64_MIN,
                              .last_begin_ns = INT64_MIN,
                              .most_ns = INT64_MIN,
                              .least_cpu_ns = INT64_MAX,
                              .out_ns = INT64_MIN,
                              .of = (uint32_t)i,
                              .open = {.size = sizeof(af_open_slice)}};
    }
    return &AF_ARRAY_AT(&s->threads, af_slice_thread, number);
}

/* Scales the end and not the duration, so that a slice that ended before another began still
 * does. */
static void scale_times(const af_slices *s, af_stored_slice *told)
{
    const gboolean whole = told->length_ns != AF_NO_LENGTH && told->ns <= MOST_NS;
    const int64_t end_ns = whole ? af_sink_scaled(told->ns + told->length_ns, s->scale) : 0;
    told->ns = af_sink_scaled(told->ns, s->scale);
    told->length_ns = whole ? MIN(end_ns - told->ns, MOST_NS) : told->length_ns;
}

/* Shared by all entries. Returns NULL if the time is invalid. */
static af_slice_thread *note(af_slices *s, af_stored_slice *told)
{
    if (G_UNLIKELY(s->scale > 0)) {
        scale_times(s, told);
    }
    if (G_UNLIKELY(told->ns > MOST_NS || told->ns < -MOST_NS)) {
        af_sink_warn(s->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
        return NULL;
    }
    if (told->cpu_ns != AF_NO_CPU && (told->cpu_ns > MOST_NS || told->cpu_ns < -MOST_NS)) {
        told->cpu_ns = AF_NO_CPU;
    }
    af_slice_thread *thread = af_slices_thread(s, told->thread);
    if (thread != NULL) {
        s->least_ns = MIN(s->least_ns, told->ns);
        thread->most_ns = MAX(thread->most_ns, told->ns);
        if (told->cpu_ns != AF_NO_CPU) {
            thread->least_cpu_ns = MIN(thread->least_cpu_ns, told->cpu_ns);
        }
        if (told->kind != AF_STORED_END) {
            thread->n_slices++;
            thread->n_with_cpu += told->cpu_ns != AF_NO_CPU;
        }
    }
    return thread;
}

static void tell_edge(af_slices *s, af_stored_slice *told)
{
    af_slice_thread *thread = note(s, told);
    if (thread == NULL) {
        return;
    }
    thread->has_edges = TRUE;
    if (told->ns < thread->last_edge_ns) {
        thread->edges_unordered = TRUE;
        s->n_unordered++;
    } else {
        thread->last_edge_ns = told->ns;
    }
    put_aside(s, told);
}

void af_slices_begin(af_slices *s, uint32_t thread, uint32_t method, int64_t ns, int64_t cpu_ns)
{
    tell_edge(s, &(af_stored_slice){AF_STORED_BEGIN, thread, method, ns, AF_NO_LENGTH, cpu_ns,
                                    AF_NO_LENGTH, 0});
}

void af_slices_end(af_slices *s, uint32_t thread, uint32_t method, int64_t ns, int64_t cpu_ns)
{
    tell_edge(s, &(af_stored_slice){AF_STORED_END, thread, method, ns, AF_NO_LENGTH, cpu_ns,
                                    AF_NO_LENGTH, 0});
}

void af_slices_place(af_slices *s, uint32_t depth, uint32_t order)
{
    s->place = (uint64_t)order << 31 | depth;
}

void af_slices_whole(af_slices *s, uint32_t number, uint32_t method, int64_t ns, int64_t length_ns,
                     int64_t cpu_ns, int64_t cpu_length_ns)
{
    af_stored_slice told = {AF_STORED_WHOLE, number, method,        ns,
                            length_ns,       cpu_ns, cpu_length_ns, s->place};
    s->place = 0;
    if (length_ns != AF_NO_LENGTH && length_ns < 0) {
        af_sink_warn(s->sink, AF_WARN_NEGATIVE_LENGTH, 1, AF_NO_OFFSET);
        told.length_ns = 0;
    }
    told.length_ns = MIN(told.length_ns, MOST_NS);
    told.cpu_length_ns =
        cpu_ns == AF_NO_CPU || cpu_length_ns < 0 ? AF_NO_LENGTH : MIN(cpu_length_ns, MOST_NS);
    af_slice_thread *thread = note(s, &told);
    if (thread == NULL) {
        return;
    }
    ns = told.ns;
    const int64_t end_ns = ns + MAX(told.length_ns, 0);
    thread->has_wholes = TRUE;
    thread->wholes_unordered |= told.place != 0 || told.length_ns == AF_NO_LENGTH ||
                                ns < thread->last_begin_ns ||
                                (ns == thread->last_begin_ns && end_ns > thread->last_end_ns);
    thread->last_begin_ns = ns;
    thread->last_end_ns = end_ns;
    thread->most_ns = MAX(thread->most_ns, end_ns);
    put_aside(s, &told);
}
