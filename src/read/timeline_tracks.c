/* Tracks: descriptions that may stand anywhere, and rows for what runs at once. */
#include "read/timeline_state.h"

/* The most rows of one track. */
#define MOST_ROWS 1024u

/* Longer chains of parents are loops. */
#define MOST_PARENTS 100u

static af_track *track_at(const af_timeline *t, uint32_t track)
{
    return &AF_ARRAY_AT(&t->tracks.items, af_track, track);
}

static af_row_group *group_at(const af_timeline *t, uint32_t group)
{
    return &AF_ARRAY_AT(&t->groups.items, af_row_group, group);
}

/* The rows of a kind with a name, created on first use. AF_NO_GROUP if memory is refused. */
static uint32_t find_group(af_timeline *t, af_rows_kind kind, uint32_t of, uint32_t name,
                           const af_row_group *like)
{
    const uint64_t key =
        (uint64_t)kind << 60 | (uint64_t)(of & 0x3FFFFFFF) << 30 | (name & 0x3FFFFFFF);
    af_row_group fresh = *like;
    af_array_init_metered(&fresh.rows, sizeof(af_track_row), af_sink_meter(t->sink));
    return af_idtable_number(&t->groups, key, &fresh);
}

static uint32_t add_row(af_timeline *t, uint32_t number, uint64_t holder)
{
    af_row_group *group = group_at(t, number);
    if (group->rows.n == MOST_ROWS) {
        af_sink_warn(t->sink, AF_WARN_MANY_TRACKS, 1, AF_NO_OFFSET);
        return AF_NO_NEST;
    }
    const af_nest_owner owner = {group->thread, group->process, number, (uint32_t)group->rows.n, 0};
    af_track_row *row = af_array_add(&group->rows, 1);
    const uint32_t nest = row == NULL ? AF_NO_NEST : af_timeline_add_nest(t, &owner);
    if (nest == AF_NO_NEST) {
        group->rows.n -= row != NULL;
        af_sink_fail(t->sink);
        return AF_NO_NEST;
    }
    *row = (af_track_row){nest, holder};
    return nest;
}

static uint32_t find_row(af_timeline *t, uint32_t number, uint64_t holder, af_event_kind kind,
                         int64_t ns)
{
    if (number == AF_NO_GROUP) {
        return AF_NO_NEST;
    }
    const af_row_group *group = group_at(t, number);
    af_track_row *rows = group->rows.items, *vacant = NULL;
    for (size_t i = 0; i < group->rows.n; i++) {
        const gboolean is_busy = (rows[i].holder == holder || vacant == NULL) &&
                                 af_nests_is_busy(t->nests, rows[i].nest, ns);
        if (is_busy && rows[i].holder == holder) {
            return rows[i].nest;
        }
        if (!is_busy && vacant == NULL) {
            vacant = &rows[i];
        }
    }
    if (kind == AF_EVENT_END) {
        af_sink_warn(t->sink, AF_WARN_LONE_END, 1, AF_NO_OFFSET);
        return AF_NO_NEST;
    }
    if (vacant != NULL) {
        vacant->holder = holder;
        return vacant->nest;
    }
    return add_row(t, number, holder);
}

uint32_t af_timeline_row(af_timeline *t, af_rows_kind rows, const af_nest_owner *of, uint32_t name,
                         uint64_t holder, af_event_kind kind, int64_t ns)
{
    const af_row_group like = {
        .thread = of->thread, .process = of->process, .name = name, .renamed_by = AF_NO_TRACK};
    const uint32_t owner = of->thread != AF_NO_TASK ? of->thread : of->process;
    return find_row(t, find_group(t, rows, owner, name, &like), holder, kind, ns);
}

uint32_t af_timeline_track(af_timeline *t, uint64_t uuid)
{
    const size_t known = t->tracks.items.n;
    static const af_track fresh = {.text = {.name = AF_NO_TEXT, .key = AF_NO_TEXT},
                                   .thread = AF_NO_TASK,
                                   .process = AF_NO_TASK,
                                   .nest = AF_NO_NEST,
                                   .group = AF_NO_GROUP};
    const uint32_t track = af_idtable_number(&t->tracks, uuid, &fresh);
    if (track == AF_NO_TRACK) {
        return AF_NO_TRACK;
    }
    if (track >= known) {
        track_at(t, track)->uuid = uuid;
        track_at(t, track)->text.name =
            uuid == 0 ? af_texts_add(&t->texts, af_span_of("Default Track")) : AF_NO_TEXT;
    }
    return track;
}

uint32_t af_timeline_thread_track(af_timeline *t, int64_t pid, int64_t tid)
{
    /* uuids that writers draw at random are not of this form */
    const uint64_t uuid =
        UINT64_C(0xA) << 60 | (uint64_t)(pid & 0x3FFFFFFF) << 30 | (uint64_t)(tid & 0x3FFFFFFF);
    const uint32_t track = af_timeline_track(t, uuid);
    if (track != AF_NO_TRACK && !track_at(t, track)->described) {
        af_track *added = track_at(t, track);
        added->described = TRUE;
        added->uuid = 0; /* claims no thread */
        added->text.kind = AF_TRACK_THREAD;
        added->text.pid = pid;
        added->text.tid = tid;
    }
    return track;
}

void af_timeline_describe_track(af_timeline *t, uint64_t uuid, const af_track_text *text)
{
    const uint32_t number = af_timeline_track(t, uuid);
    if (number == AF_NO_TRACK) {
        return;
    }
    af_track *track = track_at(t, number);
    if (!track->described) {
        const uint32_t name = track->text.name;
        track->text = *text;
        track->text.name = text->name == AF_NO_TEXT ? name : text->name;
        track->described = TRUE;
    } else if (track->text.kind != text->kind || track->text.pid != text->pid ||
               track->text.tid != text->tid || track->text.parent != text->parent ||
               track->text.merge != text->merge) {
        af_sink_warn(t->sink, AF_WARN_TRACK_CONFLICT, 1, AF_NO_OFFSET);
    } else if (text->name != AF_NO_TEXT &&
               (track->text.name == AF_NO_TEXT || text->merge == AF_TRACKS_APART ||
                text->kind != AF_TRACK_GLOBAL)) {
        track->text.name = text->name;
    }
}

gboolean af_timeline_has_name(const af_timeline *t, uint32_t track)
{
    return track != AF_NO_TRACK && track_at(t, track)->described &&
           track_at(t, track)->text.name != AF_NO_TEXT;
}

static void resolve_thread(af_timeline *t, af_track *track)
{
    const af_track_text *text = &track->text;
    const int64_t tid =
        text->local_tid ? (int64_t)((uint64_t)text->pid << 32 | (uint32_t)text->tid) : text->tid;
    uint32_t thread = af_tasks_thread_of(t->tasks, text->pid, tid);
    const uint64_t claimed = af_timeline_thread_state(t, thread)->uuid;
    if (claimed != 0 && track->uuid != 0 && claimed != track->uuid) { /* the id was reused */
        const uint32_t before = thread;
        thread = af_tasks_start_thread(t->tasks, tid);
        af_tasks_join(t->tasks, thread, before);
    }
    if (track->uuid != 0) {
        af_timeline_thread_state(t, thread)->uuid = track->uuid;
    }
    track->thread = thread;
    track->process = af_tasks_process_of(t->tasks, thread);
    af_tasks_name_thread(t->tasks, thread, text->name, AF_NAMED_BY_DESCRIPTOR);
}

/* Determines the group of a track that is neither a thread's nor a process's. `parent` is resolved,
 * or NULL. */
static void resolve_group(af_timeline *t, uint32_t number, const af_track *parent, uint32_t named)
{
    af_track *track = track_at(t, number);
    if (track->text.name == AF_NO_TEXT) {
        track->text.name = named;
    }
    if (parent != NULL) {
        track->thread = parent->thread;
        track->process = parent->process;
    } else if (track->text.kind == AF_TRACK_IN_PROCESS) {
        track->process = af_tasks_process(t->tasks, track->text.pid);
    }
    const uint32_t name =
        track->text.merge == AF_TRACKS_BY_KEY ? track->text.key : track->text.name;
    af_rows_kind kind = track->process == AF_NO_TASK ? AF_ROWS_OF_NONE : AF_ROWS_OF_PROCESS;
    uint32_t of = track->process, key = name;
    if (track->text.merge == AF_TRACKS_APART || name == AF_NO_TEXT) {
        kind = AF_ROWS_APART;
        of = number;
        key = 0;
    } else if (parent != NULL && parent->group != AF_NO_GROUP) {
        kind = AF_ROWS_OF_GROUP;
        of = parent->group;
    } else if (parent != NULL && parent->thread != AF_NO_TASK) {
        kind = AF_ROWS_OF_THREAD;
        of = parent->thread;
    } else if (parent != NULL) {
        kind = AF_ROWS_OF_PROCESS;
    }
    const gboolean apart = track->text.merge == AF_TRACKS_APART;
    const af_row_group like = {.thread = track->thread,
                               .process = track->process,
                               .name = track->text.name,
                               .renamed_by = apart ? number : AF_NO_TRACK};
    const uint32_t group = find_group(t, kind, of, key, &like);
    track_at(t, number)->group = group;
}

static void resolve_one(af_timeline *t, uint32_t number, uint32_t parent, uint32_t named)
{
    af_track *track = track_at(t, number);
    track->resolved = TRUE;
    if (track->text.kind == AF_TRACK_THREAD) {
        resolve_thread(t, track);
    } else if (track->text.kind == AF_TRACK_PROCESS) {
        const int64_t pid = track->text.pid;
        uint32_t process = af_tasks_process(t->tasks, pid);
        const uint64_t claimed = process == AF_NO_TASK ? 0 : af_process_at(t->tasks, process)->uuid;
        if (claimed != 0 && claimed != track->uuid) {
            process = af_tasks_start_process(t->tasks, pid);
        }
        if (process != AF_NO_TASK) {
            af_process_at(t->tasks, process)->uuid = track->uuid;
        }
        track->process = process;
        af_tasks_name_process(t->tasks, process, track->text.name, AF_PROCESS_BY_DESCRIPTOR);
    } else {
        resolve_group(t, number, parent == AF_NO_TRACK ? NULL : track_at(t, parent), named);
    }
}

/* Resolves a track after its parents. `named` is the name of the event that asks. */
static void resolve(af_timeline *t, uint32_t number, uint32_t named)
{
    uint32_t chain[MOST_PARENTS + 1];
    unsigned n = 0;
    gboolean broken = FALSE;
    for (uint32_t at = number; !track_at(t, at)->resolved;) {
        chain[n++] = at;
        const af_track *track = track_at(t, at);
        if (track->text.kind != AF_TRACK_GLOBAL || track->text.parent == 0) {
            break;
        }
        const uint32_t parent = af_idmap_find(&t->tracks.ids, track->text.parent);
        broken = n > MOST_PARENTS || parent == AF_IDMAP_NONE || !track_at(t, parent)->described;
        if (broken) {
            break;
        }
        at = parent;
    }
    if (broken) {
        track_at(t, number)->resolved = track_at(t, number)->broken = TRUE;
        return;
    }
    while (n-- > 0) {
        const af_track *track = track_at(t, chain[n]);
        const gboolean is_child = track->text.kind == AF_TRACK_GLOBAL && track->text.parent != 0;
        const uint32_t parent =
            is_child ? af_idmap_find(&t->tracks.ids, track->text.parent) : AF_NO_TRACK;
        if (parent != AF_NO_TRACK && track_at(t, parent)->broken) {
            track_at(t, chain[n])->resolved = track_at(t, chain[n])->broken = TRUE;
        } else {
            resolve_one(t, chain[n], parent, n == 0 ? named : AF_NO_TEXT);
        }
    }
}

void af_timeline_resolve_tracks(af_timeline *t)
{
    for (uint32_t i = 0; i < t->tracks.items.n && !af_sink_has_failed(t->sink); i++) {
        const af_track *track = track_at(t, i);
        if (track->described && !track->resolved && track->text.kind != AF_TRACK_GLOBAL) {
            resolve(t, i, AF_NO_TEXT);
        }
    }
}

/* The nest for an event of a track. */
static uint32_t choose_nest(af_timeline *t, uint32_t number, const af_timeline_event *e)
{
    af_track *track = track_at(t, number);
    if (track->group != AF_NO_GROUP) {
        return find_row(t, track->group, (uint64_t)number << 1 | 1, (af_event_kind)e->kind, e->ns);
    }
    if (track->nest == AF_NO_NEST && track->text.own_nest) {
        const af_nest_owner owner = {track->thread, track->process, AF_NO_GROUP, 1, 0};
        track->nest = af_timeline_add_nest(t, &owner);
    } else if (track->nest == AF_NO_NEST) {
        track->nest = track->thread != AF_NO_TASK ? af_timeline_nest_of_thread(t, track->thread)
                                                  : af_timeline_nest_of_process(t, track->process);
    }
    return track->nest;
}

uint32_t af_timeline_nest_of_track(af_timeline *t, const af_timeline_event *e)
{
    if (e->a >= t->tracks.items.n) {
        return AF_NO_NEST;
    }
    if (!track_at(t, e->a)->resolved) {
        resolve(t, e->a, AF_NO_TEXT);
    }
    return track_at(t, e->a)->broken ? AF_NO_NEST : choose_nest(t, e->a, e);
}

static void take_state(af_timeline *t, const af_nest_event *event)
{
    if (af_nests_is_busy(t->nests, event->nest, event->ns)) {
        af_nest_event end = *event;
        end.name = end.category = AF_NO_TEXT;
        af_nests_end(t->nests, &end);
    }
    if (event->name != AF_NO_TEXT) {
        af_nests_begin(t->nests, event);
    }
}

void af_timeline_take_track_event(af_timeline *t, const af_timeline_event *e)
{
    if (e->a >= t->tracks.items.n) {
        return;
    }
    if (!track_at(t, e->a)->resolved) {
        resolve(t, e->a, e->name);
    }
    const af_track *track = track_at(t, e->a);
    if (track->broken) {
        af_sink_warn(t->sink, AF_WARN_TRACK_LOST, 1, AF_NO_OFFSET);
        return;
    }
    if (e->kind == AF_EVENT_COUNTER) {
        const uint32_t name = track->text.name != AF_NO_TEXT ? track->text.name : e->name;
        af_timeline_mark(t, AF_MARKER_COUNTER, track->process, name, AF_NO_NEST, e);
        return;
    }
    const uint32_t nest = choose_nest(t, e->a, e);
    if (nest == AF_NO_NEST) {
        return;
    }
    af_nest_event event = {.nest = nest,
                           .name = e->name,
                           .category = e->extra,
                           .ns = e->ns,
                           .cpu = (af_nest_cpu_kind)e->cpu_kind,
                           .cpu_ns = e->cpu_ns};
    track = track_at(t, e->a);
    const gboolean is_own = track->thread != AF_NO_TASK && track->group == AF_NO_GROUP;
    if (is_own) {
        af_timeline_clock(t, track->thread, &event);
    }
    switch (e->kind) {
    case AF_EVENT_BEGIN:
        af_nests_begin(t->nests, &event);
        break;
    case AF_EVENT_END:
        af_nests_end(t->nests, &event);
        break;
    case AF_EVENT_STATE:
        if (is_own) {
            af_sink_warn(t->sink, AF_WARN_BAD_PACKETS, 1,
                         AF_NO_OFFSET); /* a thread has slices, not states */
            break;
        }
        take_state(t, &event);
        break;
    case AF_EVENT_WHOLE:
        af_nests_whole(t->nests, &event, e->value);
        break;
    case AF_EVENT_PASS:
        af_nests_pass(t->nests, &event);
        break;
    default:
        af_timeline_mark(t, AF_MARKER_INSTANT, track->process, e->name, nest, e);
        break;
    }
}
