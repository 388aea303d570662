#include <string.h>

#include "base/error_pass.h"
#include "base/hash.h"
#include "base/own_trace.h"
#include "base/tally.h"
#include "read/chrome/chrome.h"
#include "read/held.h"

/* The most asynchronous operations that may run at once: each needs a track. */
#define MOST_TRACKS 4096u

#define NO_TRACK UINT32_MAX
#define DROPPED  (UINT32_MAX - 1)

typedef struct {
    int64_t ns;
    uint64_t key; /* of the operation */
    uint32_t method, process;
    uint32_t thread; /* of aflame's own files: the track; otherwise AF_NO_THREAD */
    uint16_t kind;
    uint16_t old_form;
} async_record;

typedef struct {
    uint32_t track; /* if a begin is open */
    uint32_t depth; /* open begins */
    gboolean old_form;
    int64_t last_ns; /* of all its events */
} operation;

typedef struct {
    uint32_t thread, group;
    uint32_t next_free;
    af_array open; /* of uint32_t: the methods of the open begins, to match their ends */
} track;

/* The tracks of one name in one process. */
typedef struct {
    uint32_t first_free, n;
} track_group;

struct af_chrome_async {
    af_chrome *chrome;
    af_sorter *records;
    GString *key;
    af_idtable operations; /* of operation, by key */
    af_idtable groups;     /* of track_group, by process << 32 | method */
    af_array tracks;       /* of track */
    af_tally open;         /* open begins by track << 32 | method, if `counting` */
    gboolean counting;
    GError *error;
};

static af_sorter_key key_of_record(const void *record)
{
    return (af_sorter_key){0, ((const async_record *)record)->ns};
}

static const af_sorter_order by_time = {key_of_record, NULL};

af_chrome_async *af_chrome_async_new(af_chrome *chrome)
{
    af_meter *const meter = af_sink_meter(chrome->sink);
    af_chrome_async *a = g_new0(af_chrome_async, 1);
    a->chrome = chrome;
    a->key = g_string_new(NULL);
    af_idtable_init(&a->operations, sizeof(operation), meter);
    af_idtable_init(&a->groups, sizeof(track_group), meter);
    af_array_init_metered(&a->tracks, sizeof(track), meter);
    af_tally_init(&a->open);
    return a;
}

static track_group *group_at(const af_chrome_async *a, uint32_t number)
{
    return &AF_ARRAY_AT(&a->groups.items, track_group, number);
}

static track *track_at(const af_chrome_async *a, uint32_t number)
{
    return &AF_ARRAY_AT(&a->tracks, track, number);
}

void af_chrome_async_free(af_chrome_async *a)
{
    af_sorter_free(a->records);
    g_string_free(a->key, TRUE);
    for (size_t i = 0; i < a->tracks.n; i++) {
        af_array_clear(&track_at(a, (uint32_t)i)->open);
    }
    af_idtable_clear(&a->operations);
    af_idtable_clear(&a->groups);
    af_array_clear(&a->tracks);
    af_tally_clear(&a->open);
    g_clear_error(&a->error);
    g_free(a);
}

static void add_part(af_chrome_async *a, char what, const af_pull_value *value)
{
    g_string_append_c(a->key, what);
    if (value != NULL) {
        const af_span text = af_pull_text(value, a->chrome->other_buffer);
        af_span_append(a->key, text);
    }
    g_string_append_c(a->key, '\0');
}

/* Hashes the identity of an operation: category and id, the process if the id is local to it, and
 * in the old form the name. 64 bits do not collide by chance, and the key of the hash is secret. */
static uint64_t make_key(af_chrome_async *a, const af_chrome_event *event, gboolean old_form)
{
    const af_pull_value *id = af_chrome_get(event, AF_FIELD_ID);
    const af_pull_value *id2 = af_chrome_get(event, AF_FIELD_ID2);
    af_pull_value member;
    g_string_truncate(a->key, 0);
    add_part(a, 'c', af_chrome_get(event, AF_FIELD_CATEGORY));
    add_part(a, 's', af_chrome_get(event, AF_FIELD_SCOPE));
    if (old_form) {
        add_part(a, 'n', af_chrome_get(event, AF_FIELD_NAME));
    }
    if (id == NULL && id2 != NULL) {
        if (af_json_find_member(id2->text, "global", &member)) {
            id = &member;
        } else if (af_json_find_member(id2->text, "local", &member)) {
            id = &member;
            add_part(a, 'p', af_chrome_get(event, AF_FIELD_PROCESS));
        }
    }
    add_part(a, 'i', id);
    return af_hash_sip24(af_hash_get_secret(), a->key->str, a->key->len);
}

/* The track of an event that aflame wrote; AF_NO_THREAD for others. */
static uint32_t find_own_track(af_chrome *c, const af_chrome_event *event)
{
    const af_pull_value *scope = af_chrome_get(event, AF_FIELD_SCOPE);
    if (scope == NULL || !af_span_is(af_pull_text(scope, c->other_buffer), AF_TRACE_TRACK)) {
        return AF_NO_THREAD;
    }
    const uint32_t thread = af_chrome_thread_of(c, event);
    af_owners_declare_track(c->owners, thread);
    return thread;
}

void af_chrome_async_take(af_chrome_async *a, af_async_kind kind, const af_chrome_event *event,
                          gboolean old_form)
{
    af_chrome *c = a->chrome;
    async_record record = {.kind = (uint16_t)kind, .old_form = (uint16_t)(old_form != FALSE)};
    if (!af_chrome_time(c, event, &record.ns)) {
        return;
    }
    const af_owner_id process = af_chrome_process_id(c, event);
    record.process = af_owners_process(c->owners, &process);
    record.method = af_chrome_method_of(c, event);
    record.thread = find_own_track(c, event);
    record.key = record.thread == AF_NO_THREAD ? make_key(a, event, old_form) : 0;
    if (a->records == NULL) {
        a->records = af_sorter_new(sizeof record, &by_time, af_held_by_sorter(a->chrome->sink));
    }
    if (a->error == NULL) {
        af_sorter_add(a->records, &record, &a->error);
    }
}

/* Returns a free track for the operation's name in its process. */
static uint32_t find_track(af_chrome_async *a, const async_record *record)
{
    af_chrome *c = a->chrome;
    const uint32_t group = af_idtable_number(
        &a->groups, (uint64_t)record->process << 32 | record->method, &(track_group){NO_TRACK, 0});
    if (group == UINT32_MAX) {
        return DROPPED;
    }
    track_group *tracks = group_at(a, group);
    const uint32_t found = tracks->first_free;
    if (found != NO_TRACK) {
        tracks->first_free = track_at(a, found)->next_free;
        return found;
    }
    if (a->tracks.n == MOST_TRACKS) {
        af_sink_warn(c->sink, AF_WARN_MANY_TRACKS, 1, AF_NO_OFFSET);
        return DROPPED;
    }
    track *added = af_array_add(&a->tracks, 1);
    if (added == NULL) {
        return DROPPED;
    }
    const af_span name = af_frames_text(&c->names, record->method);
    g_string_truncate(a->key, 0);
    af_span_append(a->key, name);
    g_string_append_printf(a->key, tracks->n == 0 ? " (async)" : " (async %u)", tracks->n + 1);
    *added = (track){
        .group = group,
        .thread = af_owners_add_track(c->owners, record->process, af_span_of_string(a->key))};
    af_array_init_metered(&added->open, sizeof(uint32_t), af_sink_meter(c->sink));
    tracks->n++;
    return (uint32_t)a->tracks.n - 1;
}

/* Counts a begin that opens or closes. */
static void count_begin(af_chrome_async *a, uint32_t number, uint32_t method, int step)
{
    if (a->counting && !af_tally_add(&a->open, (uint64_t)number << 32 | method, step)) {
        af_sink_fail(a->chrome->sink);
    }
}

/* Whether a begin of that name is open on a track. Counting starts at the first end that does not
 * match the innermost begin, so that many such ends on a deep stack do not each search it. */
static gboolean is_open(af_chrome_async *a, uint32_t number, uint32_t method)
{
    const gboolean counted = a->counting;
    a->counting = TRUE;
    for (uint32_t t = 0; t < a->tracks.n && !counted; t++) {
        const af_array *open = &track_at(a, t)->open;
        for (size_t i = 0; i < open->n; i++) {
            count_begin(a, t, AF_ARRAY_AT(open, uint32_t, i), 1);
        }
    }
    return af_tally_get(&a->open, (uint64_t)number << 32 | method) > 0;
}

/* Returns how many begins an end of that name closes: the innermost of that name and all inside it;
 * 0 if none is open. Without a track, it closes the innermost. */
static uint32_t count_closed(af_chrome_async *a, const operation *o, uint32_t method)
{
    if (o->depth == 0 || o->track == DROPPED) {
        return o->depth > 0;
    }
    const uint32_t *methods = track_at(a, o->track)->open.items;
    uint32_t n = 0;
    if (methods[o->depth - 1] != method && !is_open(a, o->track, method)) {
        return 0;
    }
    while (n < o->depth) {
        if (methods[o->depth - ++n] == method) {
            return n;
        }
    }
    return 0;
}

static void begin_operation(af_chrome_async *a, operation *o, const async_record *record)
{
    o->track = o->depth == 0 ? find_track(a, record) : o->track;
    if (o->track != DROPPED) {
        track *on = track_at(a, o->track);
        if (!af_array_append(&on->open, &record->method)) {
            return;
        }
        count_begin(a, o->track, record->method, 1);
        af_slices_begin(a->chrome->slices, on->thread, record->method, record->ns, AF_NO_CPU);
    }
    o->depth++;
}

/* Closes the innermost begin; `open` = it has no end. */
static void close_begin(af_chrome_async *a, operation *o, int64_t ns, gboolean open)
{
    o->depth--;
    if (o->track == DROPPED) {
        return;
    }
    track *left = track_at(a, o->track);
    count_begin(a, o->track, AF_ARRAY_AT(&left->open, uint32_t, --left->open.n), -1);
    if (open) {
        af_slices_leave_open(a->chrome->slices, left->thread, ns, AF_NO_CPU);
    } else {
        af_slices_end(a->chrome->slices, left->thread, AF_NO_METHOD, ns, AF_NO_CPU);
    }
    if (o->depth == 0) {
        track_group *group = group_at(a, left->group);
        left->next_free = group->first_free;
        group->first_free = o->track;
    }
}

/* An end that matches no open begin is ignored. */
static void end_operation(af_chrome_async *a, operation *o, const async_record *record)
{
    const uint32_t n = count_closed(a, o, record->method);
    if (n == 0) {
        af_sink_warn(a->chrome->sink, AF_WARN_LONE_END, 1, AF_NO_OFFSET);
    } else if (n > 1) {
        af_sink_warn(a->chrome->sink, AF_WARN_MISSING_EXIT, n - 1, AF_NO_OFFSET);
    }
    for (uint32_t i = 0; i < n; i++) {
        close_begin(a, o, record->ns, FALSE);
    }
}

static void mark_operation(af_chrome_async *a, uint32_t thread, const async_record *record)
{
    af_chrome *c = a->chrome;
    const af_marker mark = {
        .ns = record->ns,
        .series = af_sink_marker_series(c->sink, AF_MARKER_INSTANT, record->process,
                                        af_frames_text(&c->names, record->method),
                                        af_sink_method_text(c->sink, record->method)->group),
        .thread = thread};
    af_chrome_mark(c, AF_MARKER_INSTANT, &mark);
}

static void take_own_record(af_chrome_async *a, const async_record *record)
{
    af_slices *slices = a->chrome->slices;
    if (record->kind == AF_ASYNC_BEGIN) {
        af_slices_begin(slices, record->thread, record->method, record->ns, AF_NO_CPU);
    } else if (record->kind == AF_ASYNC_END) {
        af_slices_end(slices, record->thread, AF_NO_METHOD, record->ns, AF_NO_CPU);
    } else {
        mark_operation(a, record->thread, record);
    }
}

static void take_record(af_chrome_async *a, const async_record *record)
{
    operation *o = af_idtable_item(&a->operations, record->key);
    if (o == NULL) {
        return;
    }
    o->last_ns = record->ns; /* records arrive in time order */
    o->old_form = record->old_form != 0;
    if (record->kind == AF_ASYNC_BEGIN) {
        begin_operation(a, o, record);
    } else if (record->kind == AF_ASYNC_END) {
        end_operation(a, o, record);
    } else {
        const gboolean open = o->depth > 0 && o->track != DROPPED;
        mark_operation(a, open ? track_at(a, o->track)->thread : AF_NO_THREAD, record);
    }
}

/* An operation without an end lasts until the last event of its id; one of the old form, which has
 * no other events, until the end of the trace. */
static void finish_open(af_chrome_async *a)
{
    const int64_t end_ns = af_slices_latest(a->chrome->slices);
    for (size_t i = 0; i < a->operations.items.n; i++) {
        operation *o = &AF_ARRAY_AT(&a->operations.items, operation, i);
        if (o->depth > 0) {
            af_sink_warn(a->chrome->sink, AF_WARN_OPEN_OPERATION, o->depth, AF_NO_OFFSET);
        }
        while (o->depth > 0) {
            close_begin(a, o, o->old_form ? MAX(end_ns, o->last_ns) : o->last_ns, TRUE);
        }
    }
}

gboolean af_chrome_async_finish(af_chrome_async *a, GError **error)
{
    const void *next = NULL;
    if (a->records == NULL) {
        return TRUE;
    }
    if (a->error == NULL && af_sorter_begin(a->records, &a->error)) {
        while (af_sorter_next(a->records, &next, &a->error) && next != NULL &&
               !af_sink_is_stopped(a->chrome->sink)) {
            const async_record record = *(const async_record *)next;
            (record.thread == AF_NO_THREAD ? take_record : take_own_record)(a, &record);
        }
        finish_open(a);
    }
    return af_error_pass(error, &a->error);
}
