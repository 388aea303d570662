/* Marks that threads write into the kernel's buffer, and what its scheduler reports. */
#include <string.h>

#include "base/number.h"
#include "read/timeline_state.h"

/* The flag of a task that shares the process of its creator. */
#define SHARES_PROCESS 0x10000

/* More processors than any machine has. */
#define MOST_CPUS 65536

int64_t af_timeline_cpu_ns(af_timeline *t, uint32_t thread, int64_t ns)
{
    if (t->counts.switches == 0) {
        return AF_NO_CPU;
    }
    const af_timeline_thread *state = af_timeline_thread_state(t, thread);
    return state->total_ns + (state->cpu > 0 ? MAX(ns - state->since_ns, 0) : 0);
}

void af_timeline_clock(af_timeline *t, uint32_t thread, af_nest_event *event)
{
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    const int64_t scheduled_ns = af_timeline_cpu_ns(t, thread, event->ns);
    state->last_ns = event->ns;
    af_timeline_pass_waits(t, thread, event->nest, event->ns);
    if (event->cpu == AF_NEST_CPU) {
        /* the thread's own clock continues where that of the scheduler stood */
        const int64_t own_ns = event->cpu_ns;
        if (!state->has_own_time) {
            state->has_own_time = TRUE;
            state->own_base_ns = own_ns - af_nest_at(t->nests, event->nest)->cpu_ns;
        }
        event->cpu_ns = own_ns - state->own_base_ns;
    } else if (event->cpu == AF_NEST_NO_CPU && scheduled_ns != AF_NO_CPU && !state->has_own_time) {
        event->cpu = AF_NEST_CPU;
        event->cpu_ns = scheduled_ns;
    }
}

static af_cpu_state *cpu_at(af_timeline *t, int64_t cpu)
{
    return cpu < 0 || cpu >= MOST_CPUS ? NULL : af_array_slot(&t->cpus, (uint32_t)cpu);
}

af_off_state af_off_state_of(uint64_t prev_state)
{
    enum { SLEEPING = 1, BLOCKED = 2, KNOWN = 255 };
    return prev_state == 0 || prev_state > KNOWN ? AF_OFF_RUNNABLE
           : (prev_state & BLOCKED) != 0         ? AF_OFF_BLOCKED
           : (prev_state & SLEEPING) != 0        ? AF_OFF_SLEEPING
                                                 : AF_OFF_OTHER;
}

static void flush_states(af_timeline *t)
{
    if (t->n_new_states > 0 && t->error == NULL) {
        af_spool_add(t->states, (const uint8_t *)t->new_states,
                     t->n_new_states * sizeof *t->new_states, &t->error);
    }
    t->n_new_states = 0;
}

static void store_state(af_timeline *t, const af_stored_state *stored)
{
    if (t->states != NULL && stored->to_ns > stored->from_ns && t->error == NULL) {
        t->new_states[t->n_new_states++] = *stored;
        if (t->n_new_states == AF_TIMELINE_STATES) {
            flush_states(t);
        }
    }
}

static void give_state(af_timeline *t, const af_stored_state *stored, int64_t origin_ns)
{
    const af_timeline_thread *state = af_timeline_thread_state(t, stored->thread);
    const int64_t from_ns = MAX(af_slices_scaled(t->slices, stored->from_ns), origin_ns);
    const int64_t to_ns = af_slices_scaled(t->slices, stored->to_ns);
    if (state->nest == 0 || to_ns <= from_ns ||
        !af_timeline_draws(t, af_tasks_process_of(t->tasks, stored->thread))) {
        return;
    }
    const af_run_interval interval = {
        af_nest_at(t->nests, state->nest - 1)->thread, (af_run_state)stored->state,
        stored->in_kernel != 0, (uint64_t)(from_ns - origin_ns), (uint64_t)(to_ns - origin_ns)};
    af_sink_state(t->sink, &interval);
}

void af_timeline_give_states(af_timeline *t, int64_t origin_ns)
{
    while (t->states != NULL && t->states->length > 0 && !af_sink_is_stopped(t->sink)) {
        const size_t n = MIN(t->states->length / sizeof(af_stored_state), AF_TIMELINE_STATES);
        for (size_t i = 0; i < n; i++) {
            af_stored_state stored;
            memcpy(&stored, t->states->bytes + i * sizeof stored, sizeof stored);
            give_state(t, &stored, origin_ns);
        }
        af_spool_drop(t->states, n * sizeof(af_stored_state));
    }
}

/* The thread is off the processor for another reason from now on. */
static void change_off(af_timeline *t, uint32_t thread, af_off_state off, int64_t ns)
{
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    if (state->off != AF_OFF_UNKNOWN) {
        state->off_ns[state->off] += MAX(ns - state->off_since_ns, 0);
        store_state(t, &(af_stored_state){thread,
                                          state->off == AF_OFF_RUNNABLE ? AF_STATE_RUNNABLE
                                                                        : AF_STATE_BLOCKED,
                                          state->off == AF_OFF_BLOCKED, state->off_since_ns, ns});
    }
    state->off = off;
    state->off_since_ns = ns;
}

static void switch_out(af_timeline *t, uint32_t thread, int64_t ns, af_off_state off)
{
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    if (state->cpu > 0) {
        state->total_ns += MAX(ns - state->since_ns, 0);
        state->cpu = 0;
        store_state(t, &(af_stored_state){thread, AF_STATE_RUNNING, 0, state->since_ns, ns});
        change_off(t, thread, off, ns);
    }
}

/* The thread in whose context an event of the kernel happened; an interrupt of an idle processor
 * happens in none. */
static uint32_t find_waker(af_timeline *t, const af_timeline_event *e)
{
    if (e->b != AF_NO_PID) {
        return e->b == 0 ? AF_NO_TASK : af_tasks_thread(t->tasks, (int32_t)e->b);
    }
    const int64_t cpu = e->value - 1;
    const af_cpu_state *state =
        cpu >= 0 && (size_t)cpu < t->cpus.n ? &AF_ARRAY_AT(&t->cpus, af_cpu_state, cpu) : NULL;
    return state != NULL && state->known ? state->thread : AF_NO_TASK;
}

static void take_wake(af_timeline *t, uint32_t thread, const af_timeline_event *e)
{
    const uint32_t waker = find_waker(t, e);
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    if (thread == AF_NO_TASK || state->cpu > 0 || state->off == AF_OFF_RUNNABLE) {
        return;
    }
    const int64_t slept_ns = e->ns - state->off_since_ns;
    const gboolean slept = state->off == AF_OFF_SLEEPING || state->off == AF_OFF_BLOCKED;
    if (slept && waker != AF_NO_TASK && waker != thread && slept_ns > state->slept_ns) {
        state->slept_ns = slept_ns;
        state->waker = waker;
    }
    change_off(t, thread, AF_OFF_RUNNABLE, e->ns);
}

void af_timeline_pass_waits(af_timeline *t, uint32_t thread, uint32_t nest, int64_t ns)
{
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    /* without wake-ups, waiting for a processor after a sleep would count as sleep */
    if (thread == AF_NO_TASK || !state->switched_in || t->counts.wakes == 0) {
        return;
    }
    const gboolean runnable = state->off == AF_OFF_RUNNABLE;
    const int64_t runnable_ns =
        state->off_ns[AF_OFF_RUNNABLE] + (runnable ? MAX(ns - state->off_since_ns, 0) : 0);
    af_nests_wait(t->nests, nest, runnable_ns, state->slept_ns, state->waker);
    state->slept_ns = 0;
}

/* The end of the interval is missing. */
static void lose_interval(af_timeline *t, uint32_t thread)
{
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    af_sink_warn(t->sink, AF_WARN_LOST_SWITCHES, 1, AF_NO_OFFSET);
    switch_out(t, thread, MAX(state->last_ns, state->since_ns), AF_OFF_UNKNOWN);
}

static uint32_t mention(af_timeline *t, int64_t tid, uint32_t name)
{
    if (tid == 0) {
        return AF_NO_TASK;
    }
    const uint32_t thread = af_tasks_thread(t->tasks, tid);
    af_tasks_name_thread(t->tasks, thread, name, AF_NAMED_BY_EVENT);
    return thread;
}

/* The thread that left the processor had kept another one from it, which was ready. */
static void add_rival(af_timeline *t, uint32_t thread, uint32_t rival, int64_t ns)
{
    const af_timeline_thread *state = af_timeline_thread_state(t, thread);
    const int64_t from_ns = MAX(state->off_since_ns, af_timeline_thread_state(t, rival)->since_ns);
    if (thread == rival || state->off != AF_OFF_RUNNABLE || ns <= from_ns) {
        return;
    }
    int64_t *rival_ns = af_idtable_item(&t->rivals, (uint64_t)thread << 32 | rival);
    if (rival_ns != NULL) {
        *rival_ns += ns - from_ns;
    }
}

static void take_switch(af_timeline *t, const af_timeline_event *e)
{
    const int64_t number = e->value & UINT32_MAX;
    const af_off_state off = (af_off_state)(e->value >> 32);
    af_cpu_state *cpu = cpu_at(t, number);
    const gboolean anyone = e->cpu_ns == 1;
    const int64_t out = (int32_t)e->a, in = (int32_t)e->b;
    if (!anyone) {
        mention(t, out, e->name);
    }
    const uint32_t thread = mention(t, in, e->extra);
    if (cpu == NULL) {
        return;
    }
    if (cpu->known && cpu->thread != AF_NO_TASK) {
        if (anyone || cpu->tid == out) {
            switch_out(t, cpu->thread, e->ns, off);
        } else {
            lose_interval(t, cpu->thread);
        }
    }
    if (thread != AF_NO_TASK) {
        af_timeline_thread *state = af_timeline_thread_state(t, thread);
        if (state->cpu > 0) {
            const uint32_t before = state->cpu - 1;
            lose_interval(t, thread);
            AF_ARRAY_AT(&t->cpus, af_cpu_state, before).known = FALSE;
        } else if (cpu->known && cpu->thread != AF_NO_TASK) {
            add_rival(t, thread, cpu->thread, e->ns);
        }
        change_off(t, thread, AF_OFF_UNKNOWN, e->ns);
        state->switched_in = TRUE;
        state->cpu = (uint32_t)number + 1;
        state->since_ns = e->ns;
    }
    *cpu = (af_cpu_state){TRUE, in, thread};
}

void af_timeline_lose(af_timeline *t, uint64_t cpu, uint64_t n_events, uint64_t offset)
{
    af_cpu_losses *losses = af_array_slot(&t->losses, (uint32_t)MIN(cpu, MOST_CPUS - 1));
    if (losses == NULL) {
        return;
    }
    losses->lost += n_events;
    losses->gaps += n_events == 0;
    losses->after = offset + 1;
}

void af_timeline_report_losses(af_timeline *t)
{
    enum { MOST_LISTED = 64 };
    unsigned n = 0;
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < t->losses.n; i++) {
        char number[AF_NUMBER_SIZE];
        const af_cpu_losses *losses = &AF_ARRAY_AT(&t->losses, af_cpu_losses, i);
        if (losses->lost == 0 && losses->gaps == 0) {
            continue;
        }
        af_sink_warn(t->sink, AF_WARN_LOST_KERNEL, MAX(losses->lost, losses->gaps),
                     losses->after - 1);
        if (n++ >= MOST_LISTED) {
            continue;
        }
        g_string_append(text, n > 1 ? ", " : "");
        if (losses->lost > 0) {
            g_string_append_printf(text, "%s event%s on CPU %u",
                                   af_number_count(number, losses->lost),
                                   losses->lost == 1 ? "" : "s", (unsigned)i);
        } else {
            g_string_append_printf(text, "an unknown number on CPU %u", (unsigned)i);
        }
    }
    if (n > MOST_LISTED) {
        g_string_append_printf(text, ", and on %u other CPUs", n - MOST_LISTED);
    }
    if (n > 0) {
        af_sink_add_fact(t->sink, af_span_of(AF_FACT_LOST), af_span_of_string(text));
    }
}

static void take_new_task(af_timeline *t, const af_timeline_event *e)
{
    const int64_t tid = (int32_t)e->b;
    if (tid == 0) {
        return;
    }
    if ((e->value & SHARES_PROCESS) == 0) {
        const uint32_t process = af_tasks_start_process(t->tasks, tid);
        af_tasks_name_process(t->tasks, process, e->name, AF_PROCESS_BY_SYSTEM);
        af_tasks_name_thread(t->tasks, af_tasks_thread(t->tasks, tid), e->name, AF_NAMED_BY_EVENT);
        return;
    }
    const uint32_t creator = af_tasks_thread(t->tasks, (int32_t)e->a);
    const uint32_t thread = af_tasks_start_thread(t->tasks, tid);
    af_tasks_name_thread(t->tasks, thread, e->name, AF_NAMED_BY_EVENT);
    af_tasks_join(t->tasks, thread, creator);
}

static void take_rename(af_timeline *t, const af_timeline_event *e)
{
    const uint32_t thread = mention(t, (int32_t)e->a, e->name);
    if (thread != AF_NO_TASK && af_tasks_is_main(t->tasks, thread)) {
        af_tasks_name_process(t->tasks, af_tasks_process_of(t->tasks, thread), e->name,
                              AF_PROCESS_BY_SYSTEM);
    }
}

/* The thread that wrote a mark. The mark says to which process it belongs. */
static uint32_t writer_of(af_timeline *t, const af_timeline_event *e)
{
    const uint32_t thread =
        e->b == 0 ? af_tasks_thread(t->tasks, (int32_t)e->a) : af_timeline_thread_of(t, e);
    af_timeline_thread_state(t, thread)->last_ns = e->ns;
    return thread;
}

static uint32_t process_of_mark(af_timeline *t, const af_timeline_event *e)
{
    return e->b == AF_NO_PID ? AF_NO_TASK : af_tasks_process(t->tasks, (int32_t)e->b);
}

static void take_mark(af_timeline *t, const af_timeline_event *e)
{
    if (e->a == 0) { /* an interrupt while nothing ran: idle tasks have no slices */
        af_sink_warn(t->sink, AF_WARN_IDLE_MARKS, 1, AF_NO_OFFSET);
        return;
    }
    const uint32_t thread = writer_of(t, e);
    const uint32_t nest = thread == AF_NO_TASK ? AF_NO_NEST : af_timeline_nest_of_thread(t, thread);
    if (nest == AF_NO_NEST) {
        return;
    }
    af_nest_event event = {
        .nest = nest, .name = e->name, .category = AF_NO_TEXT, .ns = e->ns, .cpu = AF_NEST_NO_CPU};
    af_timeline_clock(t, thread, &event);
    if (e->kind == AF_EVENT_MARK_BEGIN) {
        af_nests_begin(t->nests, &event);
    } else {
        event.name = AF_NO_TEXT;
        af_nests_end(t->nests, &event);
    }
}

static void take_async(af_timeline *t, const af_timeline_event *e)
{
    writer_of(t, e);
    const gboolean begins = e->kind == AF_EVENT_MARK_ASYNC_BEGIN;
    const af_nest_owner of = {.thread = AF_NO_TASK, .process = process_of_mark(t, e)};
    const uint32_t nest = af_timeline_row(t, AF_ROWS_ASYNC, &of, e->extra, (uint64_t)e->value,
                                          begins ? AF_EVENT_BEGIN : AF_EVENT_END, e->ns);
    if (nest == AF_NO_NEST) {
        return;
    }
    const af_nest_event event = {
        .nest = nest, .name = begins ? e->name : AF_NO_TEXT, .category = AF_NO_TEXT, .ns = e->ns};
    if (!begins) {
        af_nests_end(t->nests, &event);
    } else if (af_nests_is_busy(t->nests, nest, e->ns)) {
        /* a second begin with the cookie of an open one only counts */
        af_sink_warn(t->sink, AF_WARN_DOUBLE_BEGIN, 1, AF_NO_OFFSET);
    } else {
        af_nests_begin(t->nests, &event);
    }
}

/* Calls of functions of the kernel are a track of their own under the thread. */
static void take_function(af_timeline *t, const af_timeline_event *e)
{
    const uint32_t thread = writer_of(t, e);
    const af_nest_owner of = {.thread = thread, .process = af_tasks_process_of(t->tasks, thread)};
    const gboolean begins = e->kind == AF_EVENT_FUNCTION_BEGIN;
    const uint32_t nest =
        af_timeline_row(t, AF_ROWS_FUNCTIONS, &of, af_texts_add(&t->texts, af_span_of("Funcgraph")),
                        0, begins ? AF_EVENT_BEGIN : AF_EVENT_END, e->ns);
    if (nest != AF_NO_NEST) {
        const af_nest_event event = {
            .nest = nest, .name = e->name, .category = AF_NO_TEXT, .ns = e->ns};
        (begins ? af_nests_begin : af_nests_end)(t->nests, &event);
    }
}

static void take_mark_instant(af_timeline *t, const af_timeline_event *e)
{
    const uint32_t thread = writer_of(t, e);
    const uint32_t process = e->kind == AF_EVENT_MARK_INSTANT
                                 ? af_tasks_process_of(t->tasks, thread)
                                 : process_of_mark(t, e);
    const af_timeline_thread *state = af_timeline_thread_state(t, thread);
    const uint32_t nest =
        e->kind == AF_EVENT_MARK_INSTANT && state->nest > 0 ? state->nest - 1 : AF_NO_NEST;
    af_timeline_mark(t, AF_MARKER_INSTANT, process, e->name, nest, e);
}

void af_timeline_take_kernel_event(af_timeline *t, const af_timeline_event *e)
{
    const gboolean is_mark = e->kind <= AF_EVENT_FUNCTION_END;
    if (is_mark && t->take_sample != NULL) {
        writer_of(t, e);
        return;
    }
    switch (e->kind) {
    case AF_EVENT_MARK_BEGIN:
    case AF_EVENT_MARK_END:
        take_mark(t, e);
        break;
    case AF_EVENT_MARK_INSTANT:
    case AF_EVENT_MARK_ASYNC_INSTANT:
        take_mark_instant(t, e);
        break;
    case AF_EVENT_MARK_COUNTER:
        af_timeline_mark(t, AF_MARKER_COUNTER, process_of_mark(t, e), e->name, AF_NO_NEST, e);
        break;
    case AF_EVENT_MARK_ASYNC_BEGIN:
    case AF_EVENT_MARK_ASYNC_END:
        take_async(t, e);
        break;
    case AF_EVENT_FUNCTION_BEGIN:
    case AF_EVENT_FUNCTION_END:
        take_function(t, e);
        break;
    case AF_EVENT_SWITCH:
        take_switch(t, e);
        break;
    case AF_EVENT_NEW_TASK:
        take_new_task(t, e);
        break;
    case AF_EVENT_RENAME:
        take_rename(t, e);
        break;
    case AF_EVENT_END_TASK:
        if (e->a != 0) {
            mention(t, (int32_t)e->a, e->name);
            af_tasks_end_thread(t->tasks, (int32_t)e->a);
        }
        break;
    case AF_EVENT_WAKE:
        take_wake(t, mention(t, (int32_t)e->a, e->name), e);
        break;
    default:
        mention(t, (int32_t)e->a, e->name);
        break;
    }
}

void af_timeline_end_scheduling(af_timeline *t)
{
    for (uint32_t i = 0; i < t->threads.n; i++) {
        const af_timeline_thread *state = af_timeline_thread_state(t, i);
        if (state->cpu > 0) {
            store_state(t,
                        &(af_stored_state){i, AF_STATE_RUNNING, 0, state->since_ns, t->latest_ns});
        }
        change_off(t, i, AF_OFF_UNKNOWN, t->latest_ns);
    }
    flush_states(t);
}
