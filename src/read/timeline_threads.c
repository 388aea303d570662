/* The names of threads, processes and tracks, for the sink. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "read/timeline_state.h"

/* Threads without slices are listed up to this number. */
#define MOST_LISTED 100000u

/* ... and named in the facts up to this one. */
#define MOST_SHOWN 200u

typedef struct {
    int64_t pid; /* INT64_MAX = none */
    gboolean is_track;
    int64_t tid;
    uint32_t nest; /* or the next numbers, for threads without one */
    uint32_t thread;
} ordered;

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_ordered(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    int order = compare_numbers(x->pid, y->pid);
    order = order != 0 ? order : compare_numbers(x->is_track, y->is_track);
    order = order != 0 ? order : compare_numbers(x->tid, y->tid);
    return order != 0 ? order : compare_numbers(x->nest, y->nest);
}

/* The name of a worker of the kernel without its task: "kworker/0:1-events" -> "kworker/0:1". */
static af_span cut_worker(af_span name)
{
    static const char worker[] = "kworker/";
    for (size_t i = sizeof worker - 1; af_span_begins(name, worker) && i < name.length; i++) {
        if (name.bytes[i] == '-' || name.bytes[i] == '+') {
            name.length = i;
        }
    }
    return name;
}

static gboolean ends_in(af_span whole, af_span end)
{
    return end.length > 0 && end.length <= whole.length &&
           memcmp(whole.bytes + whole.length - end.length, end.bytes, end.length) == 0;
}

af_span af_timeline_process_name(const af_timeline *t, uint32_t process)
{
    const af_span name = af_texts_get(&t->texts, af_process_at(t->tasks, process)->name);
    return name.length > 0 || t->is_own
               ? name
               : af_texts_get(&t->texts, af_tasks_main_comm(t->tasks, process));
}

/* The shown part of an id that is unique only within its process. */
static int64_t shown_tid(int64_t tid)
{
    return tid < 0 ? 0 : tid & 0xFFFFFFFF;
}

static void name_thread(const af_timeline *t, uint32_t thread, GString *name)
{
    const uint32_t process = af_tasks_process_of(t->tasks, thread);
    const af_span whole = af_texts_get(&t->texts, af_task_at(t->tasks, thread)->name);
    const af_span own = t->is_own ? whole : cut_worker(whole);
    if (!t->is_own && af_tasks_is_main(t->tasks, thread) &&
        (own.length == 0 || ends_in(cut_worker(af_timeline_process_name(t, process)), own))) {
        g_string_append(name, "main");
    } else if (own.length == 0) {
        g_string_append_printf(name, "Thread %" G_GINT64_FORMAT,
                               shown_tid(af_task_at(t->tasks, thread)->tid));
    } else {
        af_span_append(name, own);
    }
}

static void name_nest(const af_timeline *t, const af_nest_owner *owner, GString *name)
{
    if (owner->group != AF_NO_GROUP) {
        const af_row_group *group = &AF_ARRAY_AT(&t->groups.items, af_row_group, owner->group);
        /* The name of a group of rows; one that is apart has the last name of its track. */
        af_span_append(
            name, af_texts_get(
                      &t->texts,
                      group->renamed_by == AF_NO_TRACK
                          ? group->name
                          : AF_ARRAY_AT(&t->tracks.items, af_track, group->renamed_by).text.name));
        if (name->len == 0) {
            g_string_append(name, "[no name]");
        }
        if (owner->row > 0) {
            g_string_append_printf(name, " (%u)", owner->row + 1);
        }
    } else if (owner->thread != AF_NO_TASK) {
        name_thread(t, owner->thread, name);
        if (owner->row > 0) {
            g_string_append(name, " (track)");
        }
    } else if (owner->process != AF_NO_TASK) {
        g_string_append(name, "process");
    } else {
        g_string_append(name, "no thread");
    }
    if (owner->extra > 0) {
        g_string_append_printf(name, owner->extra == 1 ? " (overlap)" : " (overlap %u)",
                               owner->extra);
    }
}

/* ---- to the sink ---- */

typedef struct {
    af_timeline *timeline;
    uint32_t *processes; /* numbers of the sink, by those of the tasks */
    uint64_t next_id;
    GString *name;
    GString *idle; /* names of threads and processes without data */
    uint64_t n_idle, n_scheduled;
    uint32_t *rivals; /* pairs with the longest time, + 1, by thread of the tasks */
} naming;

static uint32_t number_process(naming *n, uint32_t process)
{
    const af_timeline *t = n->timeline;
    if (process == AF_NO_TASK) {
        return AF_NO_PROCESS;
    }
    if (n->processes[process] == AF_NO_PROCESS) {
        char id[24];
        g_snprintf(id, sizeof id, "%" G_GINT64_FORMAT, af_process_at(t->tasks, process)->pid);
        n->processes[process] = af_sink_add_process(
            t->sink, af_span_of(id), cut_worker(af_timeline_process_name(t, process)));
    }
    return n->processes[process];
}

/* Threads without data are only listed. */
static void list_thread(naming *n, const ordered *one)
{
    if (n->n_idle++ < MOST_SHOWN) {
        g_string_append_printf(n->idle, "%s%.*s (%" G_GINT64_FORMAT ")", n->n_idle > 1 ? ", " : "",
                               (int)MIN(n->name->len, 200u), n->name->str, shown_tid(one->tid));
    }
}

/* Lists the named processes that have no data. */
static void list_processes(naming *n)
{
    const af_timeline *t = n->timeline;
    for (uint32_t i = 0; i < t->tasks->processes.n; i++) {
        const af_span name = cut_worker(af_texts_get(&t->texts, af_process_at(t->tasks, i)->name));
        const ordered one = {.tid = af_process_at(t->tasks, i)->pid};
        if (n->processes[i] == AF_NO_PROCESS && name.length > 0 && one.tid > 0) {
            g_string_truncate(n->name, 0);
            af_span_append(n->name, name);
            list_thread(n, &one);
        }
    }
}

/* How long a thread with slices ran and waited, in the whole recording. */
static void report_scheduling(const af_timeline *t, const ordered *one, const char *name)
{
    static const char *const names[AF_OFF_STATES] = {NULL, "runnable", "sleeping",
                                                     "uninterruptible", "stopped"};
    char time[AF_NUMBER_SIZE];
    if (one->is_track || one->thread >= t->threads.n ||
        !af_timeline_draws(t, af_tasks_process_of(t->tasks, one->thread))) {
        return;
    }
    const af_timeline_thread *state = &AF_ARRAY_AT(&t->threads, af_timeline_thread, one->thread);
    if (!state->switched_in) {
        return;
    }
    g_autoptr(GString) text = g_string_new(name);
    const int64_t open_ns = state->cpu > 0 ? MAX(t->latest_ns - state->since_ns, 0) : 0;
    g_string_append_printf(text, " (%" G_GINT64_FORMAT "): running %s", shown_tid(one->tid),
                           af_number_time(time, (uint64_t)(state->total_ns + open_ns)));
    for (unsigned off = 1; off < AF_OFF_STATES; off++) {
        if (state->off_ns[off] > 0) {
            g_string_append_printf(text, ", %s %s", names[off],
                                   af_number_time(time, (uint64_t)state->off_ns[off]));
        }
    }
    af_sink_add_fact(t->sink, af_span_of("scheduling"), af_span_of_string(text));
}

/* NULL if memory is refused. */
static uint32_t *find_rivals(const af_timeline *t)
{
    uint32_t *rivals = g_try_new0(uint32_t, t->tasks->threads.n + 1);
    for (uint32_t i = 0; rivals != NULL && i < t->rivals.items.n; i++) {
        uint32_t *most = &rivals[t->rivals.ids.ids[i] >> 32];
        if (*most == 0 || AF_ARRAY_AT(&t->rivals.items, int64_t, i) >
                              AF_ARRAY_AT(&t->rivals.items, int64_t, *most - 1)) {
            *most = i + 1;
        }
    }
    return rivals;
}

static void set_rival(const naming *n, uint32_t thread, af_thread_owner *of)
{
    const af_timeline *t = n->timeline;
    const uint32_t pair = thread != AF_NO_TASK ? n->rivals[thread] : 0;
    if (pair > 0) {
        of->rival = af_sink_waker(t->sink, (uint32_t)t->rivals.ids.ids[pair - 1]);
        of->rival_ns =
            (uint64_t)af_slices_scaled(t->slices, AF_ARRAY_AT(&t->rivals.items, int64_t, pair - 1));
    }
}

static void describe(naming *n, const ordered *one, uint64_t rank)
{
    af_timeline *t = n->timeline;
    const gboolean has_nest = one->nest < t->owners.n;
    const af_nest_owner listed = {one->thread, af_tasks_process_of(t->tasks, one->thread),
                                  AF_NO_GROUP, 0, 0};
    const af_nest_owner *owner =
        has_nest ? &AF_ARRAY_AT(&t->owners, af_nest_owner, one->nest) : &listed;
    const uint32_t process = af_timeline_process_of_owner(t, owner);
    af_thread_owner of = {.id = one->is_track ? n->next_id++ : (uint64_t)shown_tid(one->tid),
                          .process = number_process(n, process),
                          .rank = rank,
                          .is_track = has_nest && !af_nest_owner_is_thread(owner) &&
                                      t->take_sample == NULL};
    const uint32_t thread =
        has_nest ? af_nest_at(t->nests, one->nest)->thread : af_sink_thread(t->sink, one->nest);
    if (thread == UINT32_MAX) {
        return;
    }
    g_string_truncate(n->name, 0);
    name_nest(t, owner, n->name);
    if (!has_nest || (!one->is_track && af_nest_at(t->nests, one->nest)->n_slices == 0 &&
                      t->take_sample == NULL)) {
        list_thread(n, one);
    } else if (t->take_sample == NULL && n->n_scheduled++ < MOST_SHOWN) {
        report_scheduling(t, one, n->name->str);
    }
    if (has_nest && !one->is_track) {
        set_rival(n, one->thread, &of);
    }
    af_sink_set_thread_owner(t->sink, thread, &of);
    af_sink_describe_thread(t->sink, thread, n->name->str, n->name->len, TRUE, FALSE);
}

/* Puts all nests, and the threads without one, in the order in which they are listed. */
static size_t order_threads(af_timeline *t, ordered *all, uint64_t *next_id)
{
    const uint32_t n_nests = (uint32_t)t->owners.n;
    size_t n = 0;
    *next_id = 1;
    for (uint32_t i = 0; i < n_nests; i++) {
        ordered *one = &all[n++];
        const af_nest_owner *owner = &AF_ARRAY_AT(&t->owners, af_nest_owner, i);
        const gboolean own = af_nest_owner_is_thread(owner);
        const uint32_t process = af_timeline_process_of_owner(t, owner);
        *one = (ordered){.pid = process == AF_NO_TASK ? INT64_MAX
                                                      : af_process_at(t->tasks, process)->pid,
                         .is_track = !own || owner->row > 0 || owner->extra > 0,
                         .tid = own ? af_task_at(t->tasks, owner->thread)->tid : 0,
                         .nest = i,
                         .thread = owner->thread};
    }
    const uint32_t n_threads = MIN((uint32_t)t->tasks->threads.n, MOST_LISTED);
    uint32_t added = 0;
    for (uint32_t i = 0; i < n_threads; i++) {
        const int64_t tid = af_task_at(t->tasks, i)->tid;
        const gboolean has_nest =
            i < t->threads.n && AF_ARRAY_AT(&t->threads, af_timeline_thread, i).nest > 0;
        if (tid != 0 && !has_nest && af_task_at(t->tasks, i)->name != AF_NO_TEXT) {
            const uint32_t process = af_tasks_process_of(t->tasks, i);
            all[n++] = (ordered){
                .pid = process == AF_NO_TASK ? INT64_MAX : af_process_at(t->tasks, process)->pid,
                .tid = tid,
                .nest = n_nests + added++,
                .thread = i};
        }
    }
    for (size_t i = 0; i < n; i++) {
        *next_id = MAX(*next_id, (uint64_t)shown_tid(all[i].tid) + 1);
    }
    qsort(all, n, sizeof *all, compare_ordered);
    return n;
}

/* "binder:812_3 (815)"; the main thread of another process has the name of the process. */
static void name_wakers(naming *n)
{
    af_timeline *t = n->timeline;
    for (uint32_t i = 0; i < af_sink_n_wakers(t->sink); i++) {
        const uint32_t thread = af_sink_waker_number(t->sink, i);
        const uint32_t process = af_tasks_process_of(t->tasks, thread);
        g_string_truncate(n->name, 0);
        if (process != AF_NO_TASK && af_tasks_is_main(t->tasks, thread) &&
            !af_timeline_draws(t, process)) {
            af_span_append(n->name, cut_worker(af_timeline_process_name(t, process)));
        }
        if (n->name->len == 0) {
            name_thread(t, thread, n->name);
        }
        g_string_append_printf(n->name, " (%" G_GINT64_FORMAT ")",
                               shown_tid(af_task_at(t->tasks, thread)->tid));
        af_sink_name_waker(t->sink, i, af_span_of_string(n->name));
    }
}

void af_timeline_name_threads(af_timeline *t)
{
    const uint32_t n_processes = (uint32_t)t->tasks->processes.n;
    const size_t most = t->owners.n + t->tasks->threads.n;
    naming n = {.timeline = t, .processes = g_try_new(uint32_t, (size_t)n_processes + 1)};
    g_autofree ordered *all = g_try_new(ordered, most + 1);
    af_sink_fail_if(t->sink, n.processes == NULL || all == NULL);
    n.rivals = find_rivals(t);
    af_sink_fail_if(t->sink, n.rivals == NULL);
    n.name = g_string_new(NULL);
    n.idle = g_string_new(NULL);
    if (!af_sink_has_failed(t->sink)) {
        memset(n.processes, 0xFF, ((size_t)n_processes + 1) * sizeof *n.processes);
        const size_t n_all = order_threads(t, all, &n.next_id);
        for (size_t i = 0; i < n_all; i++) {
            describe(&n, &all[i], i);
        }
        af_sink *sink = n.timeline->sink;
        for (uint32_t i = 0; i < af_sink_n_marker_series(sink); i++) {
            const uint32_t process = af_sink_series_process(sink, i);
            if (process < (uint32_t)n.timeline->tasks->processes.n) {
                af_sink_set_series_process(sink, i, number_process(&n, process));
            }
        }
        list_processes(&n);
        name_wakers(&n);
        if (n_processes == 1 && af_process_at(t->tasks, 0)->pid >= 0) {
            af_sink_facts(t->sink)->has_pid = TRUE;
            af_sink_facts(t->sink)->pid = (uint64_t)af_process_at(t->tasks, 0)->pid;
        }
    }
    if (n.n_idle > MOST_SHOWN) {
        g_string_append_printf(n.idle, " and %" G_GUINT64_FORMAT " more", n.n_idle - MOST_SHOWN);
    }
    if (n.n_idle > 0) {
        af_sink_add_fact(n.timeline->sink, af_span_of("no data"), af_span_of_string(n.idle));
    }
    g_string_free(n.idle, TRUE);
    g_string_free(n.name, TRUE);
    g_free(n.rivals);
    g_free(n.processes);
}
