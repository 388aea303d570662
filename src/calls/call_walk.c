#include "calls/call_walk.h"

#include <string.h>

#include "base/changed_error.h"
#include "base/memory_error.h"
#include "build/rebuild_state.h"

typedef struct {
    uint32_t number; /* in the reports; AF_NOT_WALKED = it is not reported */
    uint32_t *stack; /* method numbers */
    uint32_t depth, capacity;
    uint32_t earlier; /* open calls from before the trace: the lowest of the stack */
    af_tally *open;   /* open calls above those, by method; NULL until an exit does not match */
    uint64_t runnable;
    uint64_t slept; /* since the last edge that was reported */
    uint32_t waker;
} walk_thread;

typedef enum { GOING, STOPPED, CHANGED, REFUSED } walk_state;

struct af_call_walk {
    const af_walk_plan *plan;
    af_observer observer;
    const guint8 *only;   /* by label; NULL = report all */
    af_warnings warnings; /* repeats those of the first reading; unused */
    af_rebuild *clocks;   /* stores only the clocks of all threads */
    walk_thread *threads;
    walk_state state;
    GError *error; /* the observer's */
};

af_call_walk *af_call_walk_new(const af_walk_plan *plan, const af_observer *observer,
                               const af_call_walk_limits *limits)
{
    af_call_walk *r = g_new0(af_call_walk, 1);
    r->plan = plan;
    r->observer = *observer;
    r->only = limits->labels;
    af_warnings_init(&r->warnings);
    r->clocks = af_rebuild_new(&plan->ticks, &r->warnings);
    r->threads = g_try_malloc0_n((size_t)plan->n_threads + 1, sizeof *r->threads);
    if (r->threads == NULL || !af_rebuild_grow_threads(r->clocks, plan->n_threads)) {
        af_call_walk_free(r);
        return NULL;
    }
    for (uint32_t t = 0; t < plan->n_threads; t++) {
        const uint32_t index = plan->threads[t].index;
        const gboolean same = limits->number_of == NULL || index == UINT32_MAX;
        r->threads[t].number = same ? index : limits->number_of[index];
    }
    return r;
}

void af_call_walk_free(af_call_walk *r)
{
    if (r == NULL) {
        return;
    }
    for (uint32_t t = 0; r->threads != NULL && t < r->plan->n_threads; t++) {
        g_free(r->threads[t].stack);
        if (r->threads[t].open != NULL) {
            af_tally_clear(r->threads[t].open);
            g_free(r->threads[t].open);
        }
    }
    g_free(r->threads);
    af_rebuild_free(r->clocks);
    g_clear_error(&r->error);
    g_free(r);
}

/* Fills the edge in place: a copy of it waits for its parts to reach memory, on each event. */
static void fill_edge(const af_call_walk *r, uint32_t thread, uint32_t method, af_call_event *edge)
{
    const af_walk_plan *plan = r->plan;
    const af_thread_state *clock = &r->clocks->threads[thread];
    const walk_thread *t = &r->threads[thread];
    edge->thread = t->number;
    edge->label = plan->label_of[method];
    edge->caller = t->depth > 0 ? plan->label_of[t->stack[t->depth - 1]] : UINT32_MAX;
    edge->depth = t->depth;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        edge->time_ns[c] = (clock->last[c] - clock->start[c]) * plan->scale[c];
    }
    edge->end = AF_CALL_RETURNED;
    edge->cut = FALSE;
    edge->open_at_begin = FALSE;
    edge->forwards = plan->forwards[method] != 0;
    edge->runnable_ns = t->runnable * plan->scale[AF_WALL];
    edge->slept_ns = t->slept * plan->scale[AF_WALL];
    edge->waker = t->slept > 0 ? t->waker : AF_NO_WAKER;
}

static void take_wait(void *user, const af_wait *wait)
{
    const af_call_walk *r = user;
    if (wait->thread < r->plan->n_threads) {
        walk_thread *t = &r->threads[wait->thread];
        t->runnable += wait->runnable;
        if (wait->slept > t->slept) {
            t->slept = wait->slept;
            t->waker = wait->waker;
        }
    }
}

static void take_state(void *user, const af_run_interval *interval)
{
    af_call_walk *r = user;
    if (r->state != GOING || interval->thread >= r->plan->n_threads ||
        r->threads[interval->thread].number == AF_NOT_WALKED) {
        return;
    }
    af_run_interval numbered = *interval;
    numbered.thread = r->threads[interval->thread].number;
    if (!r->observer.state(r->observer.user, &numbered, &r->error)) {
        r->state = STOPPED;
    }
}

static void report(af_call_walk *r, uint32_t thread,
                   bool (*callback)(void *, const af_call_event *, GError **),
                   const af_call_event *edge)
{
    if (!callback(r->observer.user, edge, &r->error)) {
        r->state = STOPPED;
    }
    r->threads[thread].slept = 0;
}

static gboolean push(af_call_walk *r, walk_thread *t, uint32_t method)
{
    if (t->depth == t->capacity) {
        const uint64_t capacity = t->capacity == 0 ? 64 : (uint64_t)t->capacity * 2;
        uint32_t *stack =
            capacity > UINT32_MAX ? NULL : g_try_realloc_n(t->stack, capacity, sizeof *stack);
        if (stack == NULL) {
            r->state = REFUSED;
            return FALSE;
        }
        t->stack = stack;
        t->capacity = (uint32_t)capacity;
    }
    t->stack[t->depth++] = method;
    return TRUE;
}

/* Whether the observer needs a call of the method inside the open calls. */
static gboolean is_asked_for(const af_call_walk *r, const walk_thread *t, uint32_t method)
{
    const guint8 *only = r->only;
    const uint32_t *label_of = r->plan->label_of;
    return t->number != AF_NOT_WALKED &&
           (only == NULL || only[label_of[method]] != 0 ||
            (t->depth > 0 && only[label_of[t->stack[t->depth - 1]]] != 0));
}

static void enter(af_call_walk *r, uint32_t thread, uint32_t method, gboolean open_at_begin)
{
    walk_thread *t = &r->threads[thread];
    if (!is_asked_for(r, t, method)) {
        push(r, t, method);
        return;
    }
    af_call_event edge;
    fill_edge(r, thread, method, &edge);
    edge.open_at_begin = open_at_begin;
    if (push(r, t, method)) {
        report(r, thread, r->observer.enter, &edge);
    }
}

static void leave(af_call_walk *r, uint32_t thread, af_call_end end)
{
    walk_thread *t = &r->threads[thread];
    t->depth--;
    if (is_asked_for(r, t, t->stack[t->depth])) {
        af_call_event edge;
        fill_edge(r, thread, t->stack[t->depth], &edge);
        edge.end = end;
        report(r, thread, r->observer.leave, &edge);
    }
}

/* ---- the rules of the rebuilder ---- */

static void count_open(af_call_walk *r, walk_thread *t, uint32_t method, int step)
{
    if (!af_tally_add(t->open, method, step)) {
        r->state = REFUSED;
    }
}

/* Whether an exit can close something: its method was entered and is open. */
static gboolean is_open(af_call_walk *r, walk_thread *t, uint32_t method)
{
    if (t->open == NULL) {
        t->open = g_new(af_tally, 1);
        af_tally_init(t->open);
        for (uint32_t i = t->earlier; i < t->depth; i++) {
            count_open(r, t, t->stack[i], 1);
        }
    }
    return af_tally_get(t->open, method) > 0;
}

static void leave_counted(af_call_walk *r, uint32_t thread, af_call_end end)
{
    walk_thread *t = &r->threads[thread];
    if (t->open != NULL) {
        count_open(r, t, t->stack[t->depth - 1], -1);
    }
    leave(r, thread, end);
}

/* Handles an exit of a method other than the innermost. */
static void leave_odd(af_call_walk *r, uint32_t thread, uint32_t method, af_call_end end)
{
    walk_thread *t = &r->threads[thread];
    const gboolean open = is_open(r, t, method);
    if (r->state == GOING && !open) {
        if (r->observer.pass != NULL && t->number != AF_NOT_WALKED) {
            af_call_event edge;
            fill_edge(r, thread, method, &edge);
            report(r, thread, r->observer.pass, &edge);
        }
        return;
    }
    while (r->state == GOING && t->stack[t->depth - 1] != method) {
        leave_counted(r, thread, AF_CALL_MISSED);
    }
    if (r->state == GOING) {
        leave_counted(r, thread, end);
    }
}

static void take_exit(af_call_walk *r, uint32_t thread, uint32_t method, af_call_end end)
{
    walk_thread *t = &r->threads[thread];
    if (t->depth > t->earlier) {
        if (t->stack[t->depth - 1] == method) {
            leave_counted(r, thread, end);
        } else {
            leave_odd(r, thread, method, end);
        }
    } else if (t->depth > 0 && t->stack[t->depth - 1] == method) {
        t->earlier--;
        leave(r, thread, end);
    } else {
        r->state = CHANGED;
    }
}

/* Returns the record's times, repaired as for the trees. */
static void take_times(af_call_walk *r, uint32_t thread, const uint64_t raw[AF_CLOCKS])
{
    af_rebuild *clocks = r->clocks;
    af_thread_state *clock = &clocks->threads[thread];
    af_rebuild_record_wall(clocks, raw[AF_WALL]);
    if (clock->root == AF_NO_ROW) {
        /* Enters the calls from before the trace, before the thread's first record. */
        const af_walk_plan_thread *plan = &r->plan->threads[thread];
        af_rebuild_begin_thread(r->clocks, &r->clocks->threads[thread], raw);
        if (r->clocks->failed) {
            r->state = REFUSED;
        }
        for (uint32_t i = 0; i < plan->n_earlier && r->state == GOING; i++) {
            enter(r, thread, plan->earlier[i], TRUE);
        }
        r->threads[thread].earlier = plan->n_earlier;
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        uint64_t time = raw[c] + clock->carry[c];
        if (G_UNLIKELY(time < clock->last[c] || time > clocks->largest_time)) {
            time = af_rebuild_repair_time(clocks, clock, c, raw[c], AF_NO_OFFSET);
        }
        clock->last[c] = time;
    }
    clock->counts.records++;
    clocks->last_wall = clock->last[AF_WALL];
}

/* Checks that the clocks are those of the first reading. */
static void start(void *user, const af_ticks *ticks)
{
    af_call_walk *r = user;
    const af_ticks *planned = &r->plan->ticks;
    if (ticks->clocks != planned->clocks || ticks->tick_ns != planned->tick_ns ||
        ticks->wraps != planned->wraps ||
        (ticks->ask == NULL && (ticks->has_elapsed != planned->has_elapsed ||
                                ticks->elapsed_ticks != planned->elapsed_ticks))) {
        r->state = CHANGED;
    }
}

static af_call_end end_of(const af_walk_plan *plan, unsigned action)
{
    if (action == AF_STILL_OPEN && plan->ticks.own_ends) {
        return AF_CALL_OPEN;
    }
    return action == AF_UNWIND ? AF_CALL_UNWOUND : AF_CALL_RETURNED;
}

static gboolean take_events(void *user, const af_sink *sink, const af_event *events, size_t n)
{
    af_call_walk *r = user;
    const af_walk_plan *plan = r->plan;
    for (size_t i = 0; i < n && r->state == GOING; i++) {
        const af_event *event = &events[i];
        const uint32_t method = event->call >> AF_ACTION_BITS;
        const unsigned action = event->call & 3;
        if (G_UNLIKELY(event->thread >= plan->n_threads || method >= plan->n_methods ||
                       plan->label_of[method] == AF_NO_LABEL ||
                       plan->threads[event->thread].index == UINT32_MAX)) {
            r->state = CHANGED;
            break;
        }
        take_times(r, event->thread, event->time);
        if (r->state != GOING) {
            break;
        }
        if (action == AF_ENTER) {
            if (r->threads[event->thread].open != NULL) {
                count_open(r, &r->threads[event->thread], method, 1);
            }
            enter(r, event->thread, method, FALSE);
        } else {
            take_exit(r, event->thread, method, end_of(plan, action));
        }
    }
    return r->state == GOING;
}

/* Whether the thread ended where it did in the first reading. */
static gboolean has_arrived(const af_call_walk *r, uint32_t thread)
{
    const af_walk_plan_thread *plan = &r->plan->threads[thread];
    const af_thread_state *clock = &r->clocks->threads[thread];
    return clock->counts.records == plan->records && r->threads[thread].earlier == 0 &&
           (plan->records == 0 || memcmp(clock->last, plan->last, sizeof plan->last) == 0);
}

static void close_thread(af_call_walk *r, uint32_t thread)
{
    af_thread_state *clock = &r->clocks->threads[thread];
    if (!r->plan->threads[thread].exited && r->clocks->has_wall && !r->plan->ticks.own_ends) {
        clock->last[AF_WALL] = r->plan->end_ticks;
    }
    while (r->threads[thread].depth > 0 && r->state == GOING) {
        leave(r, thread, AF_CALL_OPEN);
    }
}

static gboolean fail(af_call_walk *r, GError **error)
{
    if (r->state == STOPPED) {
        g_propagate_error(error, g_steal_pointer(&r->error));
    } else if (r->state == REFUSED) {
        af_memory_error_set(error);
    } else {
        af_changed_error_set(error);
    }
    return FALSE;
}

gboolean af_call_walk_finish(af_call_walk *r, GError **error)
{
    for (uint32_t t = 0; t < r->plan->n_threads && r->state == GOING; t++) {
        if (!has_arrived(r, t)) {
            r->state = CHANGED;
        }
    }
    for (uint32_t t = 0; t < r->plan->n_threads && r->state == GOING; t++) {
        close_thread(r, t);
    }
    return r->state == GOING ? TRUE : fail(r, error);
}

static gboolean finish(void *user, const af_sink *sink, GError **error)
{
    return af_call_walk_finish(user, error);
}

af_event_consumer af_call_walk_consumer(af_call_walk *walk)
{
    return (af_event_consumer){.start = start,
                               .events = take_events,
                               .wait = take_wait,
                               .state = walk->observer.state != NULL ? take_state : NULL,
                               .finish = finish,
                               .user = walk};
}
