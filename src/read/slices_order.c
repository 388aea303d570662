/* Turns stored slices into events: matches begins with ends and nests slices. */
#include "base/error_pass.h"
#include "base/own_trace.h"
#include "read/held.h"
#include "read/slices_state.h"

#include <string.h>

/* A slice that exceeds its parent by up to this much gets no warning: tools round begin and
 * duration separately. */
#define ROUNDING_NS 1000

/* A begin or end, or a slice with both, in a sorter. Without a CPU clock in the file, records omit
 * the last two fields. */
typedef struct {
    uint32_t thread, method;
    int64_t ns, end_ns; /* end_ns is 0 for begins and ends */
    /* slices: input order << 1, or DECLARED and the nesting << 1; + 1 = endless
     * begins and ends: input order << 2; + 1 = an end, + 3 = that of a slice that is open */
    uint64_t number;
    int64_t cpu_ns, cpu_end_ns;
} sorted;

#define DECLARED (UINT64_C(1) << 63)

enum { ENDS = 1, IS_OPEN = 2, EDGE_BITS = 2 };

static af_sorter_key key_of_sorted(const void *record)
{
    const sorted *one = record;
    return (af_sorter_key){one->thread, one->ns};
}

static int compare_sorted(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    if (x->end_ns != y->end_ns && ((x->number | y->number) & DECLARED) == 0) {
        return x->end_ns > y->end_ns ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static const af_sorter_order by_thread_and_time = {key_of_sorted, compare_sorted};

static void put_sorted(af_slices *s, af_sorter **sorter, const sorted *record)
{
    if (*sorter == NULL) {
        *sorter = af_sorter_new(s->sorted_size, &by_thread_and_time, af_held_by_sorter(s->sink));
    }
    s->stopped |= !af_sorter_add(*sorter, record, &s->error);
}

/* Returns FALSE at the end. */
static gboolean take_sorted(af_slices *s, af_sorter *sorter, sorted *record)
{
    const void *next = NULL;
    if (s->stopped || !af_sorter_next(sorter, &next, &s->error)) {
        s->stopped = TRUE;
        return FALSE;
    }
    if (next != NULL) {
        record->cpu_ns = record->cpu_end_ns = AF_NO_CPU;
        memcpy(record, next, s->sorted_size);
    }
    return next != NULL;
}

static af_slice_thread *thread_at(const af_slices *s, uint32_t number)
{
    return &AF_ARRAY_AT(&s->threads, af_slice_thread, number);
}

static void flush(af_slices *s)
{
    if (!s->stopped) {
        s->stopped = !af_sink_events(s->sink, s->batch, s->filled, AF_NO_OFFSET, 0);
    }
    s->filled = 0;
}

static void hand_on(af_slices *s, uint32_t number, unsigned action, uint32_t method, int64_t ns,
                    int64_t cpu_ns)
{
    af_slice_thread *thread = thread_at(s, number);
    if (cpu_ns != AF_NO_CPU) {
        thread->cpu_ns = MAX(thread->cpu_ns, cpu_ns - thread->least_cpu_ns);
    }
    thread->out_ns = ns;
    af_event *event = &s->batch[s->filled++];
    event->thread = number;
    event->call = af_event_call(method, action);
    const uint64_t since_ns = (uint64_t)(ns - s->least_ns);
    event->time[AF_WALL] = s->cpu_only ? 0 : since_ns;
    event->time[AF_CPU] = s->cpu_only ? since_ns : thread->has_cpu ? (uint64_t)thread->cpu_ns : 0;
    if (s->filled == AF_SLICES_BATCH) {
        flush(s);
    }
}

static af_open_slice *top_of(const af_slice_thread *thread)
{
    return thread->open.n == 0 ? NULL
                               : &AF_ARRAY_AT(&thread->open, af_open_slice, thread->open.n - 1);
}

static void count_name(af_slices *s, af_slice_thread *thread, uint32_t method, int step)
{
    if (thread->names != NULL && !af_tally_add(thread->names, method, step)) {
        af_sink_fail(s->sink);
        s->stopped = TRUE;
    }
}

static void push(af_slices *s, af_slice_thread *thread, const af_open_slice *slice)
{
    if (!af_array_append(&thread->open, slice)) {
        s->stopped = TRUE;
        return;
    }
    count_name(s, thread, slice->method, 1);
}

static void pop(af_slices *s, af_slice_thread *thread)
{
    count_name(s, thread, top_of(thread)->method, -1);
    thread->open.n--;
}

/* Whether a slice of that name is open. Counting starts at the first end that does not match, so
 * that many such ends on a deep stack do not each search it. */
static gboolean is_open(af_slices *s, af_slice_thread *thread, uint32_t method)
{
    if (thread->names == NULL) {
        thread->names = g_new(af_tally, 1);
        af_tally_init(thread->names);
        for (size_t i = 0; i < thread->open.n; i++) {
            count_name(s, thread, AF_ARRAY_AT(&thread->open, af_open_slice, i).method, 1);
        }
    }
    return af_tally_get(thread->names, method) > 0;
}

/* Returns the method of the slice that an end closes; AF_NO_METHOD if it closes none. */
static uint32_t find_closed(af_slices *s, const sorted *edge)
{
    af_slice_thread *thread = thread_at(s, edge->thread);
    const af_open_slice *top = top_of(thread);
    const uint32_t method = edge->method;
    if (top == NULL) {
        af_sink_warn(s->sink, AF_WARN_LONE_END, 1, AF_NO_OFFSET);
        return AF_NO_METHOD;
    }
    if (method == AF_NO_METHOD || method == top->method || is_open(s, thread, method)) {
        return method == AF_NO_METHOD ? top->method : method;
    }
    if (!s->rules.ignore_other_ends) {
        af_sink_warn(s->sink, AF_WARN_OTHER_END, 1, AF_NO_OFFSET);
        return top->method;
    }
    if (thread->has_wholes) {
        af_sink_warn(s->sink, AF_WARN_UNMATCHED_EXIT, 1, AF_NO_OFFSET);
    } else {
        hand_on(s, edge->thread, AF_EXIT, method, edge->ns, edge->cpu_ns); /* the sink ignores it */
    }
    return AF_NO_METHOD;
}

/* ---- begins and ends: passed on directly or, in threads with whole slices, made to such ---- */

static void finish_slice(af_slices *s, uint32_t number, int64_t ns, int64_t cpu_ns,
                         gboolean endless)
{
    af_slice_thread *thread = thread_at(s, number);
    const af_open_slice *slice = top_of(thread);
    const sorted whole = {.thread = number,
                          .method = slice->method,
                          .ns = slice->ns,
                          .end_ns = ns,
                          .number = slice->number << 1 | (unsigned)(endless != FALSE),
                          .cpu_ns = slice->cpu_ns,
                          .cpu_end_ns = cpu_ns};
    put_sorted(s, &s->wholes, &whole);
    pop(s, thread);
}

static void take_edge(af_slices *s, const sorted *edge)
{
    af_slice_thread *thread = thread_at(s, edge->thread);
    const gboolean direct = !thread->has_wholes;
    if ((edge->number & ENDS) == 0) {
        push(s, thread,
             &(af_open_slice){.method = edge->method,
                              .number = edge->number >> EDGE_BITS,
                              .ns = edge->ns,
                              .cpu_ns = edge->cpu_ns});
        if (direct) {
            hand_on(s, edge->thread, AF_ENTER, edge->method, edge->ns, edge->cpu_ns);
        }
        return;
    }
    const uint32_t method = find_closed(s, edge);
    for (gboolean inside = method != AF_NO_METHOD; inside;) {
        inside = top_of(thread)->method != method;
        if (direct) {
            pop(s, thread);
        } else {
            if (inside) {
                af_sink_warn(s->sink, AF_WARN_MISSING_EXIT, 1, AF_NO_OFFSET);
            }
            finish_slice(s, edge->thread, edge->ns, edge->cpu_ns, FALSE);
        }
    }
    if (direct && method != AF_NO_METHOD) {
        hand_on(s, edge->thread, (edge->number & IS_OPEN) != 0 ? AF_STILL_OPEN : AF_EXIT, method,
                edge->ns, edge->cpu_ns);
    }
}

/* ---- whole slices ---- */

static void leave_top(af_slices *s, uint32_t number)
{
    af_slice_thread *thread = thread_at(s, number);
    const af_open_slice *top = top_of(thread);
    hand_on(s, number, top->endless ? AF_STILL_OPEN : AF_EXIT, top->method, top->end_ns,
            top->cpu_end_ns);
    thread->open.n--;
}

/* Whether the innermost slice has ended when this one begins. An endless slice has not, even at its
 * last instant. A slice of zero length with a declared depth may be inside one that ends at the
 * same instant. */
static gboolean is_over(const af_slice_thread *thread, const sorted *whole)
{
    const int64_t end_ns = top_of(thread)->end_ns;
    if (top_of(thread)->endless) {
        return FALSE;
    }
    if (end_ns == whole->ns && whole->end_ns == whole->ns && (whole->number & DECLARED) != 0) {
        return thread->open.n >= (whole->number >> 1 & (AF_SLICES_NESTING_LIMIT - 1));
    }
    return end_ns <= whole->ns;
}

/* Returns the next extra track of a thread or extra track, which is created on first use. Returns
 * UINT32_MAX if there is none. */
static uint32_t find_track(af_slices *s, uint32_t number)
{
    const af_slice_thread known = *thread_at(s, number);
    if (known.next_extra > 0 || s->rules.add_track == NULL || known.extra == AF_SLICES_TRACKS) {
        return known.next_extra - 1;
    }
    const uint32_t track = s->rules.add_track(s->rules.user, known.of, known.extra + 1);
    af_slice_thread *added = af_slices_thread(s, track);
    if (added == NULL) {
        s->stopped = TRUE;
        return UINT32_MAX;
    }
    added->has_wholes = TRUE;
    added->of = known.of;
    added->extra = known.extra + 1;
    added->most_ns = known.most_ns;
    added->least_cpu_ns = known.least_cpu_ns;
    added->has_cpu = known.has_cpu;
    if (!known.has_cpu) {
        if (!s->cpu_only) {
            af_sink_lack_clock(s->sink, track, AF_CPU);
        }
    }
    thread_at(s, number)->next_extra = track + 1;
    return track;
}

/* Closes slices that have ended. Returns whether the slice fits into the innermost open one, or
 * none is open. */
static gboolean fits(af_slices *s, uint32_t number, const sorted *whole)
{
    af_slice_thread *thread = thread_at(s, number);
    while (thread->open.n > 0 && is_over(thread, whole) && !s->stopped) {
        leave_top(s, number);
    }
    return thread->open.n == 0 || whole->end_ns - ROUNDING_NS <= top_of(thread)->end_ns;
}

/* Returns the thread, or its first extra track where the slice fits. An endless slice does not
 * start a track. */
static uint32_t choose_track(af_slices *s, const sorted *whole)
{
    const gboolean endless = (whole->number & 1) != 0;
    uint32_t number = whole->thread;
    while (number != UINT32_MAX && !fits(s, number, whole) && !endless) {
        number = find_track(s, number);
    }
    return number != UINT32_MAX ? number : whole->thread;
}

static void play_whole(af_slices *s, const sorted *whole)
{
    const uint32_t number = choose_track(s, whole);
    af_slice_thread *thread = thread_at(s, number);
    const af_open_slice *parent = top_of(thread);
    gboolean endless = (whole->number & 1) != 0;
    int64_t end_ns = whole->end_ns;
    if (parent != NULL && end_ns > parent->end_ns) {
        if (endless) {
            af_sink_warn(s->sink, AF_WARN_MISSING_EXIT, 1, AF_NO_OFFSET);
        } else if (end_ns - parent->end_ns > ROUNDING_NS) {
            af_sink_warn(s->sink, AF_WARN_OVERLAP, 1, AF_NO_OFFSET);
        }
        end_ns = parent->end_ns;
        endless = FALSE;
    }
    hand_on(s, number, AF_ENTER, whole->method, whole->ns, whole->cpu_ns);
    push(s, thread,
         &(af_open_slice){.method = whole->method,
                          .endless = endless,
                          .end_ns = end_ns,
                          .cpu_end_ns = whole->cpu_end_ns});
}

/* Closes the open slices. Endless ones stay open if that makes no difference. */
static void leave_wholes(af_slices *s, uint32_t number)
{
    af_slice_thread *thread = thread_at(s, number);
    size_t endless = 0;
    while (endless < thread->open.n && AF_ARRAY_AT(&thread->open, af_open_slice, endless).endless) {
        endless++;
    }
    while (thread->open.n > endless && !s->stopped) {
        leave_top(s, number);
    }
    while (thread->open.n > 0 && thread->out_ns < thread->most_ns && !s->stopped) {
        leave_top(s, number);
    }
}

static sorted make_whole(const af_slices *s, const af_stored_slice *stored, uint64_t number)
{
    const gboolean endless = stored->length_ns == AF_NO_LENGTH;
    sorted whole = {.thread = stored->thread,
                    .method = stored->method,
                    .ns = stored->ns,
                    .end_ns = endless ? thread_at(s, stored->thread)->most_ns
                                      : stored->ns + stored->length_ns,
                    .number = number << 1 | (unsigned)(endless != FALSE),
                    .cpu_ns = stored->cpu_ns,
                    .cpu_end_ns = AF_NO_CPU};
    if (stored->nesting != 0) {
        whole.number = DECLARED | stored->nesting << 1 | (unsigned)(endless != FALSE);
    }
    if (stored->cpu_length_ns != AF_NO_LENGTH) {
        whole.cpu_end_ns = stored->cpu_ns + stored->cpu_length_ns;
    }
    return whole;
}

static void give_wait(af_slices *s, const af_stored_slice *stored)
{
    const gboolean slept = stored->cpu_length_ns != AF_NO_LENGTH;
    flush(s);
    af_sink_wait(s->sink,
                 &(af_wait){.thread = stored->thread,
                            .runnable = (uint64_t)stored->length_ns,
                            .slept = slept ? (uint64_t)stored->cpu_length_ns : 0,
                            .waker = slept ? af_sink_waker(s->sink, stored->method) : AF_NO_WAKER});
}

static void play_entry(af_slices *s, const af_stored_slice *stored, uint64_t number)
{
    const af_slice_thread *thread = thread_at(s, stored->thread);
    if (thread->omitted) {
        return;
    }
    if (stored->kind == AF_STORED_WAIT) {
        give_wait(s, stored);
        return;
    }
    if (stored->kind == AF_STORED_WHOLE) {
        const sorted whole = make_whole(s, stored, number);
        if (thread->has_edges || thread->wholes_unordered) {
            put_sorted(s, &s->wholes, &whole);
        } else {
            play_whole(s, &whole);
        }
        return;
    }
    const gboolean ends = stored->kind == AF_STORED_END;
    const sorted edge = {.thread = stored->thread,
                         .method = stored->method,
                         .ns = stored->ns,
                         .number = number << EDGE_BITS | (ends ? ENDS : 0) |
                                   (ends && stored->nesting != 0 ? IS_OPEN : 0),
                         .cpu_ns = stored->cpu_ns,
                         .cpu_end_ns = AF_NO_CPU};
    if (thread->edges_unordered) {
        put_sorted(s, &s->edges, &edge);
    } else {
        take_edge(s, &edge);
    }
}

/* Processes the stored entries and frees them on the way. */
static void play_entries(af_slices *s)
{
    af_stored_previous previous = {0};
    af_stored_slice stored;
    for (uint64_t i = 0; i < s->n_stored && !s->stopped;) {
        const uint8_t *at = s->spool->bytes;
        const uint8_t *const end = at + s->spool->length;
        const uint8_t *const far = MIN(end, at + 16 * AF_SLICES_BUFFER);
        while (i < s->n_stored && at < far && !s->stopped) {
            af_stored_slice_decode(&previous, &at, &stored);
            play_entry(s, &stored, i++);
        }
        af_spool_drop(s->spool, (size_t)(at - s->spool->bytes));
    }
}

static void play_sorted(af_slices *s)
{
    sorted next;
    if (s->edges != NULL && !s->stopped) {
        s->stopped = !af_sorter_begin(s->edges, &s->error);
        while (take_sorted(s, s->edges, &next)) {
            take_edge(s, &next);
        }
        g_clear_pointer(&s->edges, af_sorter_free);
    }
    for (uint32_t t = 0; t < s->threads.n; t++) {
        af_slice_thread *thread = thread_at(s, t);
        while (thread->has_wholes && thread->has_edges && thread->open.n > 0 && !s->stopped) {
            finish_slice(s, t, thread->most_ns, AF_NO_CPU, TRUE);
        }
    }
    if (s->wholes != NULL && !s->stopped) {
        s->stopped = !af_sorter_begin(s->wholes, &s->error);
        while (take_sorted(s, s->wholes, &next)) {
            play_whole(s, &next);
        }
        g_clear_pointer(&s->wholes, af_sorter_free);
    }
    for (uint32_t t = 0; t < s->threads.n && !s->stopped; t++) {
        if (thread_at(s, t)->has_wholes) {
            leave_wholes(s, t);
        }
    }
}

/* Determines the threads with a CPU clock: those where half of the slices have CPU times. */
static void find_clocks(af_slices *s)
{
    uint64_t n_missing = 0;
    for (uint32_t t = 0; t < s->threads.n; t++) {
        af_slice_thread *thread = thread_at(s, t);
        const uint64_t n_without = thread->n_slices - thread->n_with_cpu;
        thread->has_cpu = thread->n_with_cpu > 0 && thread->n_with_cpu >= n_without;
        s->has_cpu |= thread->has_cpu;
        n_missing += thread->has_cpu ? n_without : 0;
        if (!thread->has_cpu && (s->facts & AF_TRACE_CPU) == 0) {
            af_sink_lack_clock(s->sink, t, AF_CPU);
        }
    }
    if (n_missing > 0) {
        af_sink_warn(s->sink, AF_WARN_CPU_MISSING, n_missing, AF_NO_OFFSET);
    }
}

void af_slices_set_facts(af_slices *s, unsigned facts)
{
    s->facts |= facts;
}

gboolean af_slices_finish(af_slices *s, af_recording_kind recorded, GError **error)
{
    find_clocks(s);
    s->cpu_only = (s->facts & AF_TRACE_CPU) != 0 && !s->has_cpu;
    if ((s->facts & AF_TRACE_OVERFLOW) != 0) {
        af_sink_facts(s->sink)->recording.overflow = 1;
    }
    s->sorted_size = s->has_cpu ? sizeof(sorted) : offsetof(sorted, cpu_ns);
    const unsigned cpu = s->has_cpu || s->cpu_only ? 1u << AF_CPU : 0;
    const af_ticks ticks = {.clocks = (s->cpu_only ? 0 : 1u << AF_WALL) | cpu,
                            .tick_ns = 1,
                            .settled = TRUE,
                            .own_ends = TRUE,
                            .recorded = (s->facts & AF_TRACE_SAMPLED) != 0 ? AF_RECORDED_SAMPLES
                                                                           : recorded};
    af_sink_start(s->sink, &ticks);
    if (s->error == NULL) {
        af_spool_add(s->spool, s->buffer, s->used, &s->error);
        s->used = 0;
        s->stopped = s->error != NULL;
        play_entries(s);
        play_sorted(s);
        flush(s);
    }
    return af_error_pass(error, &s->error);
}
