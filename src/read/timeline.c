#include "read/timeline_state.h"

#include <string.h>

#include "base/error_pass.h"
#include "read/held.h"

/* The most extra nests of a track, as in slices_order.c. */
#define MOST_EXTRA 64u

static uint32_t add_extra(void *user, uint32_t nest)
{
    af_timeline *t = user;
    af_nest_owner owner = AF_ARRAY_AT(&t->owners, af_nest_owner, nest);
    owner.extra++;
    return owner.extra > MOST_EXTRA ? AF_NO_NEST : af_timeline_add_nest(t, &owner);
}

static af_sorter_key key_of_event(const void *event)
{
    return (af_sorter_key){0, ((const af_timeline_event *)event)->ns};
}

/* Events at the same time keep the order in which they were added. */
static const af_sorter_order by_time = {key_of_event, NULL};

af_timeline *af_timeline_new(af_sink *sink, const af_open_options *options)
{
    af_meter *const meter = af_sink_meter(sink);
    af_timeline *t = g_new0(af_timeline, 1);
    t->sink = sink;
    t->process = g_strdup(options->process);
    t->slices = af_slices_new(sink);
    af_texts_init(&t->texts, sink);
    t->nests = af_nests_new(sink, t->slices, &t->texts);
    if (options->overlap_tracks) {
        af_nests_set_extra(t->nests, add_extra, t);
    }
    t->tasks = af_tasks_new(sink, &t->texts);
    t->order = af_sorter_new(sizeof(af_timeline_event), &by_time, af_held_by_sorter(sink));
    if (af_sink_takes_states(sink)) {
        t->states = af_held_spool_new(sink);
        t->new_states = g_new(af_stored_state, AF_TIMELINE_STATES);
    }
    t->kernel_start_ns = t->start_ns = t->latest_ns = INT64_MIN;
    t->least_marker_ns = INT64_MAX;
    af_array_init_metered(&t->threads, sizeof(af_timeline_thread), meter);
    af_array_init_metered(&t->cpus, sizeof(af_cpu_state), meter);
    af_array_init_metered(&t->losses, sizeof(af_cpu_losses), meter);
    af_array_init_metered(&t->owners, sizeof(af_nest_owner), meter);
    af_idtable_init(&t->tracks, sizeof(af_track), meter);
    af_idtable_init(&t->groups, sizeof(af_row_group), meter);
    af_idtable_init(&t->series, sizeof(af_stored_series), meter);
    af_idtable_init(&t->rivals, sizeof(int64_t), meter);
    return t;
}

void af_timeline_free(af_timeline *t)
{
    if (t == NULL) {
        return;
    }
    for (size_t i = 0; i < t->groups.items.n; i++) {
        af_array_clear(&AF_ARRAY_AT(&t->groups.items, af_row_group, i).rows);
    }
    AF_ARRAYS_CLEAR(&t->threads, &t->cpus, &t->losses, &t->owners);
    af_idtable_clear(&t->tracks);
    af_idtable_clear(&t->groups);
    af_idtable_clear(&t->series);
    af_idtable_clear(&t->rivals);
    af_sorter_free(t->order);
    af_spool_free(t->states);
    g_free(t->new_states);
    af_spool_free(t->samples);
    g_free(t->process);
    g_free(t->drawn);
    af_tasks_free(t->tasks);
    af_nests_free(t->nests);
    af_slices_free(t->slices);
    af_texts_clear(&t->texts);
    g_clear_error(&t->error);
    g_free(t);
}

af_texts *af_timeline_texts(af_timeline *t)
{
    return &t->texts;
}

af_timeline_counts af_timeline_get_counts(const af_timeline *t)
{
    return t->counts;
}

void af_timeline_set_kernel_start(af_timeline *t, int64_t ns)
{
    t->kernel_start_ns = MAX(t->kernel_start_ns, ns);
}

void af_timeline_set_start(af_timeline *t, int64_t ns)
{
    t->start_ns = ns;
}

static void count(af_timeline_counts *counts, const af_timeline_event *event)
{
    switch ((af_event_kind)event->kind) {
    case AF_EVENT_BEGIN:
    case AF_EVENT_WHOLE:
    case AF_EVENT_MARK_BEGIN:
    case AF_EVENT_MARK_ASYNC_BEGIN:
    case AF_EVENT_FUNCTION_BEGIN:
        counts->slices++;
        break;
    case AF_EVENT_STATE:
        counts->slices += event->name != AF_NO_TEXT;
        break;
    case AF_EVENT_INSTANT:
    case AF_EVENT_MARK_INSTANT:
    case AF_EVENT_MARK_ASYNC_INSTANT:
        counts->instants++;
        break;
    case AF_EVENT_COUNTER:
    case AF_EVENT_MARK_COUNTER:
        counts->counters++;
        break;
    case AF_EVENT_SAMPLE:
        counts->samples++;
        break;
    case AF_EVENT_SWITCH:
        counts->switches++;
        break;
    case AF_EVENT_WAKE:
        counts->wakes++;
        break;
    default:
        break;
    }
}

void af_timeline_add(af_timeline *t, const af_timeline_event *added)
{
    af_timeline_event event = *added;
    if (event.ns > AF_SLICES_MOST_NS || event.ns < -AF_SLICES_MOST_NS) {
        af_sink_warn(t->sink, AF_WARN_BAD_TIME, 1, AF_NO_OFFSET);
        return;
    }
    if (event.cpu_kind != AF_NEST_NO_CPU &&
        (event.cpu_ns > AF_SLICES_MOST_NS || event.cpu_ns < -AF_SLICES_MOST_NS)) {
        event.cpu_kind = AF_NEST_NO_CPU;
    }
    if (event.kind == AF_EVENT_WHOLE) {
        event.value = CLAMP(event.value, 0, AF_SLICES_MOST_NS);
    }
    count(&t->counts, &event);
    if (t->error == NULL) {
        af_sorter_add(t->order, &event, &t->error);
    }
    if (event.kind == AF_EVENT_WHOLE) {
        af_timeline_event pass = event;
        pass.kind = AF_EVENT_PASS;
        pass.ns = event.ns + event.value;
        pass.cpu_kind = AF_NEST_NO_CPU;
        af_timeline_add(t, &pass);
    }
}

af_timeline_thread *af_timeline_add_thread_state(af_timeline *t, uint32_t thread)
{
    static af_timeline_thread nothing;
    af_timeline_thread *state = af_array_slot(&t->threads, thread);
    nothing = (af_timeline_thread){0};
    return state != NULL ? state : &nothing;
}

uint32_t af_timeline_add_nest(af_timeline *t, const af_nest_owner *owner)
{
    const uint32_t nest = af_nests_add(t->nests);
    af_nest_owner *added = af_array_slot(&t->owners, nest);
    if (added == NULL) {
        return AF_NO_NEST;
    }
    *added = *owner;
    return nest;
}

uint32_t af_timeline_nest_of_thread(af_timeline *t, uint32_t thread)
{
    af_timeline_thread *state = af_timeline_thread_state(t, thread);
    if (state->nest == 0) {
        const af_nest_owner owner = {thread, af_tasks_process_of(t->tasks, thread), AF_NO_GROUP, 0,
                                     0};
        const uint32_t nest = af_timeline_add_nest(t, &owner);
        state->nest = nest + 1;
    }
    return state->nest - 1;
}

uint32_t af_timeline_nest_of_process(af_timeline *t, uint32_t process)
{
    if (process == AF_NO_TASK) {
        return AF_NO_NEST;
    }
    uint32_t *nest = &af_process_at(t->tasks, process)->nest;
    if (*nest == 0) {
        const af_nest_owner owner = {AF_NO_TASK, process, AF_NO_GROUP, 0, 0};
        *nest = af_timeline_add_nest(t, &owner) + 1;
    }
    return *nest - 1;
}

/* The sink's number of a series. Its categories are passed on if they are new. */
static uint32_t add_series(af_timeline *t, af_stored_series *known, af_marker_kind kind,
                           uint32_t process, uint32_t name, uint32_t categories)
{
    const af_span none = {"[no name]", 9}, text = af_texts_get(&t->texts, name);
    if (known->number == 0 || (categories != known->categories && categories != AF_NO_TEXT)) {
        const uint32_t number = af_sink_marker_series(
            t->sink, kind, process == AF_NO_TASK ? AF_NO_PROCESS : process,
            text.length == 0 ? none : text, af_texts_get(&t->texts, categories));
        *known = known->number == 0 ? (af_stored_series){number + 1, categories} : *known;
    }
    return known->number - 1;
}

void af_timeline_mark(af_timeline *t, af_marker_kind kind, uint32_t process, uint32_t name,
                      uint32_t nest, const af_timeline_event *event)
{
    const uint64_t key = (uint64_t)kind << 63 | (uint64_t)(process & 0x7FFFFFFF) << 32 | name;
    af_stored_series *stored = af_idtable_item(&t->series, key);
    if (stored == NULL) {
        return;
    }
    const uint32_t series =
        add_series(t, stored, kind, process, name,
                   event->kind < AF_EVENT_FIRST_OF_KERNEL ? event->extra : AF_NO_TEXT);
    const af_marker marker = {.ns = event->ns,
                              .thousandths = kind == AF_MARKER_COUNTER ? event->value : 0,
                              .series = series,
                              .thread = nest == AF_NO_NEST ? UINT32_MAX
                                                           : af_nest_at(t->nests, nest)->thread};
    t->least_marker_ns = MIN(t->least_marker_ns, event->ns);
    af_sink_add_marker(t->sink, kind, &marker);
}

static void take_thread_name(af_timeline *t, const af_timeline_event *e)
{
    af_tasks_name_thread(t->tasks, af_timeline_thread_of(t, e), e->name, (af_task_rank)e->extra);
}

static uint32_t nest_of_sample(af_timeline *t, const af_timeline_event *e)
{
    if (e->cpu_kind == AF_SAMPLE_OF_TRACK) {
        return af_timeline_nest_of_track(t, e);
    }
    if (e->a != AF_NO_PID) {
        return af_timeline_nest_of_thread(t, af_timeline_thread_of(t, e));
    }
    if (e->b != AF_NO_PID) {
        return af_timeline_nest_of_process(t, af_tasks_process(t->tasks, (int32_t)e->b));
    }
    if (t->nowhere_nest == 0) {
        const af_nest_owner owner = {AF_NO_TASK, AF_NO_TASK, AF_NO_GROUP, 0, 0};
        t->nowhere_nest = af_timeline_add_nest(t, &owner) + 1;
    }
    return t->nowhere_nest - 1;
}

static void take_sample(af_timeline *t, const af_timeline_event *e)
{
    const uint32_t nest = nest_of_sample(t, e);
    if (nest != AF_NO_NEST && t->samples != NULL) {
        const af_stored_sample stored = {.event = *e, .nest = nest};
        if (t->error == NULL) {
            af_spool_add(t->samples, (const uint8_t *)&stored, sizeof stored, &t->error);
        }
    } else if (nest != AF_NO_NEST) {
        t->take_sample(t->take_user, af_nest_at(t->nests, nest)->thread, e);
    }
}

static void take(af_timeline *t, const af_timeline_event *e)
{
    const gboolean of_tracks = e->kind < AF_EVENT_THREAD;
    const gboolean of_kernel = e->kind >= AF_EVENT_FIRST_OF_KERNEL;
    if (e->kind == AF_EVENT_THREAD) {
        take_thread_name(t, e);
    } else if (e->kind == AF_EVENT_PROCESS) {
        const uint32_t process = af_tasks_process(t->tasks, (int32_t)e->b);
        af_tasks_name_process(t->tasks, process, e->name, e->extra);
        if (e->value > 0 && process != AF_NO_TASK) {
            af_process_at(t->tasks, process)->uid = e->value - 1;
        }
    } else if ((of_kernel && e->ns < t->kernel_start_ns) || (of_tracks && e->ns < t->start_ns)) {
        t->counts.early++;
    } else if (of_kernel) {
        af_timeline_take_kernel_event(t, e);
    } else if (e->kind == AF_EVENT_SAMPLE) {
        if (t->take_sample != NULL) {
            take_sample(t, e);
        }
    } else if (t->take_sample == NULL) {
        af_timeline_take_track_event(t, e);
    }
}

/* Events make threads, processes, tracks and open slices, before any event reaches the sink. The
 * memory that they take is checked after this many. */
#define WEIGHED_EVENTS 256u

static gboolean play(af_timeline *t, GError **error)
{
    const void *next;
    uint64_t n = 0;
    if (t->error == NULL && af_sorter_begin(t->order, &t->error)) {
        gboolean goes_on = !af_sink_is_stopped(t->sink);
        while (goes_on && af_sorter_next(t->order, &next, &t->error) && next != NULL) {
            const af_timeline_event *event = next;
            t->latest_ns = MAX(t->latest_ns, event->ns);
            take(t, event);
            if (++n % WEIGHED_EVENTS == 0) {
                af_sink_fits(t->sink, 0);
                goes_on = !af_sink_is_stopped(t->sink);
            }
        }
    }
    return af_error_pass(error, &t->error);
}

static int64_t cpu_of_nest(void *user, uint32_t nest, int64_t ns)
{
    af_timeline *t = user;
    const af_nest_owner *owner = &AF_ARRAY_AT(&t->owners, af_nest_owner, nest);
    const gboolean own = af_nest_owner_is_thread(owner) && owner->extra == 0;
    if (!own || t->counts.switches == 0) {
        return AF_NO_CPU;
    }
    af_timeline_pass_waits(t, owner->thread, nest, ns);
    const af_timeline_thread *state = af_timeline_thread_state(t, owner->thread);
    if (state->has_own_time) {
        return AF_NO_CPU;
    }
    if (!state->switched_in) {
        af_nest_at(t->nests, nest)->lacks_cpu = TRUE;
    }
    return af_timeline_cpu_ns(t, owner->thread, ns);
}

uint32_t af_timeline_process_of_owner(const af_timeline *t, const af_nest_owner *owner)
{
    return af_nest_owner_is_thread(owner) ? af_tasks_process_of(t->tasks, owner->thread)
                                          : owner->process;
}

static uint32_t process_of_nest(const af_timeline *t, uint32_t nest)
{
    return af_timeline_process_of_owner(t, &AF_ARRAY_AT(&t->owners, af_nest_owner, nest));
}

uint64_t *af_timeline_new_weights(af_timeline *t)
{
    uint64_t *weights = g_try_new0(uint64_t, t->tasks->processes.n + 1);
    af_sink_fail_if(t->sink, weights == NULL);
    return weights;
}

/* If no slice has a duration, processes count by whether they have slices. */
static void count_slices(const af_timeline *t, uint64_t *weights)
{
    const uint32_t n = (uint32_t)t->tasks->processes.n;
    for (uint32_t i = 0; i <= n; i++) {
        if (weights[i] > 0) {
            return;
        }
    }
    for (uint32_t i = 0; i < t->owners.n; i++) {
        weights[MIN(process_of_nest(t, i), n)] += (af_nest_at(t->nests, i)->n_slices > 0);
    }
}

/* Omits the slices of processes that are not drawn. */
static gboolean omit_slices(af_timeline *t, GError **error)
{
    const uint32_t n = (uint32_t)t->tasks->processes.n;
    g_autofree uint64_t *weights = af_timeline_chooses(t) ? af_timeline_new_weights(t) : NULL;
    if (weights == NULL) {
        return TRUE;
    }
    for (uint32_t i = 0; i < t->owners.n; i++) {
        weights[MIN(process_of_nest(t, i), n)] += af_nest_at(t->nests, i)->total_ns;
    }
    count_slices(t, weights);
    const gboolean ok = af_timeline_choose_processes(t, weights, error);
    for (uint32_t i = 0; ok && i < t->owners.n; i++) {
        if (!af_timeline_draws(t, process_of_nest(t, i))) {
            af_slices_omit(t->slices, af_nest_at(t->nests, i)->thread);
        }
    }
    return ok;
}

gboolean af_timeline_finish_slices(af_timeline *t, GError **error)
{
    if (!play(t, error)) {
        return FALSE;
    }
    if (af_sink_has_failed(t->sink)) {
        return TRUE;
    }
    af_timeline_resolve_tracks(t);
    af_nests_finish(t->nests, t->latest_ns, cpu_of_nest, t);
    af_timeline_end_scheduling(t);
    if (!omit_slices(t, error)) {
        return FALSE;
    }
    const int64_t origin_ns = af_slices_base(t->slices, t->least_marker_ns);
    af_sink_set_marker_origin(t->sink, origin_ns);
    af_timeline_give_states(t, origin_ns);
    const gboolean ok = af_slices_finish(t->slices, AF_RECORDED_CALLS, error);
    af_timeline_name_threads(t);
    return ok;
}

/* Passes on the samples of the drawn processes. */
static gboolean give_samples(af_timeline *t, GError **error)
{
    const uint32_t n = (uint32_t)t->tasks->processes.n;
    const size_t n_samples = t->samples->length / sizeof(af_stored_sample);
    g_autofree uint64_t *weights = af_timeline_new_weights(t);
    if (weights == NULL) {
        return TRUE;
    }
    af_stored_sample stored;
    for (size_t i = 0; i < n_samples; i++) {
        memcpy(&stored, t->samples->bytes + i * sizeof stored, sizeof stored);
        weights[MIN(process_of_nest(t, stored.nest), n)]++;
    }
    const gboolean ok = af_timeline_choose_processes(t, weights, error);
    for (size_t i = 0; ok && i < n_samples && !af_sink_is_stopped(t->sink); i++) {
        memcpy(&stored, t->samples->bytes + i * sizeof stored, sizeof stored);
        if (af_timeline_draws(t, process_of_nest(t, stored.nest))) {
            t->take_sample(t->take_user, af_nest_at(t->nests, stored.nest)->thread, &stored.event);
        }
    }
    return ok;
}

gboolean af_timeline_finish_samples(af_timeline *t, af_timeline_sample_func *hand_on, void *user,
                                    GError **error)
{
    t->take_sample = hand_on;
    t->take_user = user;
    t->samples = af_timeline_chooses(t) ? af_held_spool_new(t->sink) : NULL;
    if (!play(t, error)) {
        return FALSE;
    }
    if (af_sink_has_failed(t->sink)) {
        return TRUE;
    }
    af_timeline_resolve_tracks(t);
    af_timeline_end_scheduling(t);
    if (t->samples != NULL && !give_samples(t, error)) {
        return FALSE;
    }
    af_timeline_give_states(t, 0);
    af_timeline_name_threads(t);
    return TRUE;
}

static void take_nothing(void *user, uint32_t thread, const af_timeline_event *event)
{
}

gboolean af_timeline_finish_names(af_timeline *t, GError **error)
{
    t->take_sample = take_nothing;
    if (!play(t, error)) {
        return FALSE;
    }
    af_timeline_resolve_tracks(t);
    return TRUE;
}

uint32_t af_timeline_process(af_timeline *t, int64_t pid)
{
    return af_tasks_process(t->tasks, pid);
}

uint32_t af_timeline_n_processes(const af_timeline *t)
{
    return (uint32_t)t->tasks->processes.n;
}

uint32_t af_timeline_process_part(af_timeline *t, int64_t pid, uint32_t name)
{
    const af_nest_owner of = {.thread = AF_NO_TASK, .process = af_tasks_process(t->tasks, pid)};
    const uint32_t nest = af_timeline_row(t, AF_ROWS_PART, &of, name, 0, AF_EVENT_BEGIN, 0);
    return nest == AF_NO_NEST ? UINT32_MAX : af_nest_at(t->nests, nest)->thread;
}
