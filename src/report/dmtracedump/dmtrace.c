#include "report/dmtracedump/dmtrace.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory_error.h"

#include "build/walk_plan.h"

typedef struct {
    uint32_t method, open; /* `open` into d->open */
    uint64_t entry;
} frame;

typedef struct {
    gboolean begun;
    uint64_t id;
    af_array frames;
    size_t depth;
    uint64_t first, last;
} call_stack;

static gboolean is_one_clock(unsigned clocks)
{
    return (clocks & (clocks - 1)) == 0;
}

static af_clock choose_clock(const af_scope *scope)
{
    return is_one_clock(scope->clocks)             ? af_scope_first_clock(scope)
           : af_scope_n_without(scope, AF_CPU) > 0 ? AF_WALL
                                                   : AF_CPU;
}

/* By the ids in the input, which may have more threads than the profile. */
static void list_threads(af_idmap *ids, const af_scope *scope, const af_walk_plan *plan)
{
    g_autofree guint8 *meant = g_malloc0((gsize)scope->profile->n_threads + 1);
    for (uint32_t i = 0; i < scope->n_threads; i++) {
        meant[scope->threads[i]] = 1;
    }
    for (uint32_t t = 0; t < plan->n_threads; t++) {
        const uint32_t index = plan->threads[t].index;
        if (index < scope->profile->n_threads && meant[index] != 0) {
            af_idmap_number(ids, plan->threads[t].id);
        }
    }
}

/* A thread with records, by its number in the readings. */
static const af_thread *find_thread(const af_profile *profile, uint32_t thread)
{
    const af_walk_plan *plan = profile->walk_plan;
    const uint32_t index =
        plan != NULL && thread < plan->n_threads ? plan->threads[thread].index : UINT32_MAX;
    return index < profile->n_threads ? &profile->threads[index] : NULL;
}

uint64_t af_dmtrace_thread_id(const af_profile *profile, const af_sink *sink, uint32_t thread)
{
    const af_thread *found =
        af_container_is_android(profile->facts.container) ? NULL : find_thread(profile, thread);
    return found != NULL ? found->id : af_idmap_id(af_sink_threads(sink), thread);
}

static void name_threads(af_dmtrace_names *names, const af_profile *profile)
{
    for (uint32_t t = 0; profile->walk_plan != NULL && t < profile->walk_plan->n_threads; t++) {
        const af_thread *thread = find_thread(profile, t);
        if (thread != NULL) {
            af_dmtrace_names_add_thread(names, thread->id,
                                        (af_span){thread->name, strlen(thread->name)});
        }
    }
}

gboolean af_dmtrace_begin(af_dmtrace_names *names, af_dmtrace_options *options,
                          const af_report_request *request, GError **error)
{
    const af_scope *scope = &request->scope;
    const af_profile *profile = scope->profile;
    *options = (af_dmtrace_options){.clock = choose_clock(scope),
                                    .quirks = request->quirks,
                                    .all = scope->n_threads == profile->n_threads};
    af_idmap_init_hashed(&options->threads, NULL);
    if (af_profile_origin(profile) != profile) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_USAGE,
            "dmtracedump tables come straight from the records: only --thread and --clock "
            "apply to them");
        return FALSE;
    }
    if (profile->walk_plan != NULL && profile->walk_plan->ticks.scale > 0) {
        options->tick_ns = profile->walk_plan->scale[options->clock];
    }
    if (!options->all && profile->walk_plan != NULL) {
        list_threads(&options->threads, scope, profile->walk_plan);
    }
    const af_event_consumer consumer = af_dmtrace_names_listener(names);
    if (!request->read(profile, &consumer, error)) {
        return FALSE;
    }
    if (!af_container_is_android(profile->facts.container)) {
        name_threads(names, profile);
    }
    if (options->threads.failed || !af_dmtrace_names_sort(names)) {
        return af_memory_error_set(error);
    }
    return TRUE;
}

void af_dmtrace_options_clear(af_dmtrace_options *options)
{
    af_idmap_clear(&options->threads);
}

void af_dmtrace_init(af_dmtrace *d, const af_dmtrace_names *names,
                     const af_dmtrace_options *options)
{
    *d = (af_dmtrace){.names = names, .options = options};
    d->sums = g_try_new0(af_dmtrace_sums, names->methods.n);
    d->failed = d->sums == NULL;
    af_idmap_init(&d->edge_keys, 0, NULL);
    af_idmap_init(&d->open_keys, 0, NULL);
    af_array_init(&d->edges, sizeof(af_dmtrace_edge));
    af_array_init(&d->method_of, sizeof(uint32_t));
    af_array_init(&d->stacks, sizeof(call_stack));
    af_array_init(&d->open, sizeof(uint32_t));
}

void af_dmtrace_clear(af_dmtrace *d)
{
    for (size_t i = 0; i < d->stacks.n; i++) {
        af_array_clear(&AF_ARRAY_AT(&d->stacks, call_stack, i).frames);
    }
    g_free(d->sums);
    af_array_clear(&d->edges);
    af_array_clear(&d->method_of);
    af_array_clear(&d->stacks);
    af_array_clear(&d->open);
    af_idmap_clear(&d->edge_keys);
    af_idmap_clear(&d->open_keys);
}

static uint32_t *open_at(const af_dmtrace *d, uint32_t number)
{
    return &AF_ARRAY_AT(&d->open, uint32_t, number);
}

static frame *frame_at(const call_stack *s, size_t depth)
{
    return &AF_ARRAY_AT(&s->frames, frame, depth);
}

static void add_edge(af_dmtrace *d, uint32_t owner, unsigned list, uint32_t relative, uint64_t time)
{
    const uint32_t number =
        af_idmap_number(&d->edge_keys, af_dmtrace_edge_key(owner, list, relative));
    if (number == AF_IDMAP_NONE || !af_array_reach(&d->edges, (size_t)number + 1)) {
        d->failed = TRUE;
        return;
    }
    af_dmtrace_edge *edge = &AF_ARRAY_AT(&d->edges, af_dmtrace_edge, number);
    edge->time += time;
    edge->calls++;
}

/* Ends a call of `child` by `parent`. `child_open` and `parent_open` count the activations of each
 * in the stack below the call. */
static void add_call(af_dmtrace *d, uint32_t parent, uint32_t parent_open, uint32_t child,
                     uint32_t child_open, uint64_t time)
{
    af_dmtrace_sums *sums = &d->sums[child];
    if (child_open == 0) {
        sums->inclusive += time;
    }
    sums->calls[child_open > 0]++;
    add_edge(d, parent, parent_open > 1 ? AF_DMTRACE_CHILDREN_AGAIN : AF_DMTRACE_CHILDREN, child,
             time);
    add_edge(d, child, child_open > 0 ? AF_DMTRACE_PARENTS_AGAIN : AF_DMTRACE_PARENTS, parent,
             time);
}

/* The innermost open call, and the number of open activations of its method. */
static uint32_t top_of(const af_dmtrace *d, const call_stack *s, uint32_t *open)
{
    if (s->depth == 0) {
        *open = 0;
        return AF_DMTRACE_TOPLEVEL;
    }
    const frame *top = frame_at(s, s->depth - 1);
    *open = *open_at(d, top->open);
    return top->method;
}

/* Charges the time since the thread's last record to a method with `open` activations. */
static void spend(af_dmtrace *d, call_stack *s, uint32_t method, uint32_t open, uint64_t now)
{
    d->sums[method].exclusive += now - s->last;
    if (open <= 1) {
        d->sums[method].top_exclusive += now - s->last;
    }
    s->last = now;
}

static void enter(af_dmtrace *d, uint32_t thread, uint32_t method, uint64_t now)
{
    call_stack *s = &AF_ARRAY_AT(&d->stacks, call_stack, thread);
    uint32_t caller_open;
    const uint32_t caller = top_of(d, s, &caller_open);
    spend(d, s, caller, caller_open, now);
    const uint32_t open = af_idmap_number(&d->open_keys, (uint64_t)thread << 32 | method);
    if (open == AF_IDMAP_NONE || !af_array_reach(&d->open, (size_t)open + 1) ||
        !af_array_reach(&s->frames, s->depth + 1)) {
        d->failed = TRUE;
        return;
    }
    ++*open_at(d, open);
    *frame_at(s, s->depth++) = (frame){method, open, now};
}

static void pop(af_dmtrace *d, call_stack *s, uint64_t now)
{
    const frame f = *frame_at(s, --s->depth);
    const uint32_t below = --*open_at(d, f.open);
    uint32_t caller_open;
    const uint32_t caller = top_of(d, s, &caller_open);
    add_call(d, caller, caller_open, f.method, below, now - f.entry);
    spend(d, s, f.method, below + 1, now);
}

static void leave(af_dmtrace *d, uint32_t thread, uint32_t method, uint64_t now)
{
    call_stack *s = &AF_ARRAY_AT(&d->stacks, call_stack, thread);
    if (s->depth == 0) {
        add_call(d, AF_DMTRACE_TOPLEVEL, 0, method, 0, now);
        spend(d, s, method, 0, now);
        return;
    }
    const uint32_t open = af_idmap_find(&d->open_keys, (uint64_t)thread << 32 | method);
    if (open == AF_IDMAP_NONE || *open_at(d, open) == 0) {
        uint32_t top_open;
        const uint32_t top = top_of(d, s, &top_open);
        spend(d, s, top, top_open, now);
        return;
    }
    while (frame_at(s, s->depth - 1)->method != method) {
        pop(d, s, now);
    }
    pop(d, s, now);
}

static uint32_t find_method(af_dmtrace *d, const af_sink *sink, const af_event *event)
{
    const uint32_t number = event->call >> AF_ACTION_BITS;
    if (!af_array_reach(&d->method_of, (size_t)number + 1)) {
        return AF_DMTRACE_UNKNOWN;
    }
    uint32_t *method = &AF_ARRAY_AT(&d->method_of, uint32_t, number);
    if (*method == 0) {
        *method = 1 + af_dmtrace_names_find(d->names, af_event_method_id(sink, event));
    }
    return *method - 1;
}

static void take_event(af_dmtrace *d, const af_sink *sink, const af_event *event)
{
    const uint64_t now = af_dmtrace_time_us(d->options, sink, event);
    const uint32_t method = find_method(d, sink, event);
    call_stack *s = &AF_ARRAY_AT(&d->stacks, call_stack, event->thread);
    if (!s->begun) {
        *s = (call_stack){.begun = TRUE,
                          .id = af_idmap_id(af_sink_threads(sink), event->thread),
                          .first = now,
                          .last = now};
        af_array_init(&s->frames, sizeof(frame));
    }
    if ((event->call & 3) == AF_ENTER) {
        enter(d, event->thread, method, now);
    } else {
        leave(d, event->thread, method, now);
    }
}

static gboolean take_events(void *user, const af_sink *sink, const af_event *events, size_t n)
{
    af_dmtrace *d = user;
    d->failed |= !af_array_reach(&d->stacks, af_sink_threads(sink)->n);
    for (size_t i = 0; i < n && !d->failed; i++) {
        if (af_dmtrace_wants(d->options, sink, events[i].thread)) {
            take_event(d, sink, &events[i]);
        }
    }
    return !d->failed;
}

af_event_consumer af_dmtrace_listener(af_dmtrace *d)
{
    return af_dmtrace_names_listener_events(d->names, take_events, d);
}

static int compare_stacks(const void *a, const void *b)
{
    const call_stack *x = *(call_stack *const *)a, *y = *(call_stack *const *)b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Ends the calls that are still open, the outermost first; none counts those inside it as open. */
static void close_stack(af_dmtrace *d, const call_stack *s)
{
    for (size_t i = 0; i < s->depth; i++) {
        *open_at(d, frame_at(s, i)->open) = 0;
    }
    uint32_t caller = AF_DMTRACE_TOPLEVEL, caller_open = 0;
    for (size_t i = 0; i < s->depth; i++) {
        const frame *f = frame_at(s, i);
        add_call(d, caller, caller_open, f->method, *open_at(d, f->open), s->last - f->entry);
        caller = f->method;
        caller_open = ++*open_at(d, f->open);
    }
}

gboolean af_dmtrace_finish(af_dmtrace *d)
{
    g_autofree call_stack **order = g_try_new(call_stack *, d->stacks.n + 1);
    if (d->failed || d->method_of.failed || order == NULL) {
        return FALSE;
    }
    size_t n = 0;
    for (size_t i = 0; i < d->stacks.n; i++) {
        call_stack *s = &AF_ARRAY_AT(&d->stacks, call_stack, i);
        if (s->begun) {
            order[n++] = s;
        }
    }
    qsort(order, n, sizeof *order, compare_stacks);
    for (size_t i = 0; i < n; i++) {
        d->total += order[i]->last - order[i]->first;
        close_stack(d, order[i]);
    }
    d->sums[AF_DMTRACE_TOPLEVEL].inclusive = d->total;
    return !d->failed;
}
