/* Descriptions of tracks, threads and processes, and lists of processes. */
#include "read/perfetto/perfetto.h"

/* The content of a description of a thread or process. */
typedef struct {
    gboolean given, has_pid, has_tid, is_sandboxed;
    int64_t pid, tid;
    af_span name, command;
    gboolean has_reference;
    int64_t reference_us, thread_us;
} task_text;

static void parse_thread(task_text *t, const af_protobuf *field)
{
    af_protobuf f[8];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    t->given = TRUE;
    t->pid = (int32_t)f[1].number;
    t->has_pid = f[1].field != 0;
    t->tid = (int64_t)f[2].number;
    t->has_tid = f[2].field != 0;
    t->name = af_protobuf_text(&f[5]);
    t->reference_us = (int64_t)f[6].number;
    t->has_reference = f[6].field != 0;
    t->thread_us = (int64_t)f[7].number;
}

static void parse_process(task_text *t, const af_protobuf *field)
{
    t->given = TRUE;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 1) {
            t->pid = (int32_t)f.number;
            t->has_pid = TRUE;
        } else if (f.field == 2 && t->command.bytes == NULL) {
            t->command = af_protobuf_text(&f);
        } else if (f.field == 6) {
            t->name = af_protobuf_text(&f);
        }
    }
}

static void take_translations(af_perfetto *p, const af_protobuf *map, af_idtable *names)
{
    for (af_protobuf f = af_protobuf_of(map); af_protobuf_next(&f);) {
        af_protobuf pair[3];
        if (f.field != 1) {
            continue;
        }
        af_protobuf_values(&f, pair, G_N_ELEMENTS(pair));
        const uint32_t key = af_texts_add(p->texts, af_protobuf_text(&pair[1]));
        uint32_t *value = af_idtable_item(names, key);
        if (value != NULL) {
            *value = af_texts_add(p->texts, af_protobuf_text(&pair[2]));
        }
    }
}

void af_perfetto_take_translation(af_perfetto *p, const af_perfetto_packet *packet,
                                  const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 4) {
            take_translations(p, &f, &p->slice_names);
        } else if (f.field == 5) {
            take_translations(p, &f, &p->track_names);
        }
    }
}

uint32_t af_perfetto_translate(const af_perfetto *p, gboolean is_track, uint32_t name)
{
    const uint32_t *translation =
        name == AF_NO_TEXT ? NULL
                           : af_idtable_find(is_track ? &p->track_names : &p->slice_names, name);
    return translation == NULL ? name : *translation;
}

const af_perfetto_counter *af_perfetto_find_counter(const af_perfetto *p, uint64_t uuid)
{
    return af_idtable_find(&p->counters, uuid);
}

static void take_counter(af_perfetto *p, uint64_t uuid, const af_protobuf *field)
{
    af_perfetto_counter *counter = af_idtable_item(&p->counters, uuid);
    if (counter == NULL) {
        return;
    }
    af_protobuf f[6];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    counter->is_thread_time |= f[1].number == 1;
    counter->multiplier = f[4].field != 0 ? (double)(int64_t)f[4].number : counter->multiplier;
    counter->is_incremental |= f[5].number != 0;
}

typedef struct {
    uint64_t uuid;
    gboolean has_uuid;
    af_track_text text;
    task_text thread, process;
    af_span name, key;
    af_protobuf counter; /* field 0 = it is none */
} track_text;

static void parse_track(track_text *t, const af_protobuf *field)
{
    af_protobuf f[18], sandbox[4];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    af_protobuf_values(&f[7], sandbox, G_N_ELEMENTS(sandbox));
    const af_protobuf *name = f[13].field != 0 ? &f[13] : f[10].field != 0 ? &f[10] : &f[2];
    t->uuid = f[1].number;
    t->has_uuid = f[1].field != 0;
    t->name = af_protobuf_text(name);
    t->key = af_protobuf_text(f[17].field != 0 ? &f[17] : &f[16]);
    if (f[3].field != 0) {
        parse_process(&t->process, &f[3]);
    }
    if (f[4].field != 0) {
        parse_thread(&t->thread, &f[4]);
    }
    t->thread.is_sandboxed = sandbox[3].number != 0;
    t->counter = f[8];
    t->text.parent = f[5].number;
    t->text.own_nest = f[9].number != 0;
    t->text.merge = f[15].number == 2   ? AF_TRACKS_APART
                    : f[15].number == 3 ? AF_TRACKS_BY_KEY
                                        : AF_TRACKS_BY_NAME;
}

/* The thread of a sequence, and its reference times, from which old events count. */
static void take_reference(af_perfetto_sequence *s, const task_text *t)
{
    s->has_thread = TRUE;
    s->pid = t->pid;
    s->tid = (int32_t)t->tid;
    if (s->valid && t->has_reference) {
        s->has_reference = TRUE;
        s->reference_us = t->reference_us;
        s->thread_us = t->thread_us;
    }
}

void af_perfetto_take_track(af_perfetto *p, const af_perfetto_packet *packet,
                            const af_protobuf *field)
{
    track_text t = {0};
    parse_track(&t, field);
    if (!t.has_uuid || (t.thread.given && (!t.thread.has_pid || !t.thread.has_tid))) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, packet->offset);
        return;
    }
    t.text.name = af_texts_add_some(p->texts, t.name);
    t.text.key = af_texts_add_some(p->texts, t.key);
    if (t.thread.given) {
        t.text.kind = AF_TRACK_THREAD;
        t.text.pid = t.thread.pid;
        t.text.tid = (int32_t)t.thread.tid;
        t.text.local_tid = t.thread.is_sandboxed;
        t.text.name =
            t.thread.name.length > 0 ? af_texts_add_some(p->texts, t.thread.name) : t.text.name;
        take_reference(packet->sequence, &t.thread);
        p->n_threads_in_own += p->is_own;
        p->only_all = p->is_own && p->n_threads_in_own == 1 && af_span_is(t.thread.name, "all");
    } else if (t.process.given) {
        const af_span name = t.process.name.length > 0 ? t.process.name : t.process.command;
        t.text.kind = AF_TRACK_PROCESS;
        t.text.pid = t.process.pid;
        t.text.name = name.length > 0 ? af_texts_add_some(p->texts, name) : t.text.name;
    }
    if (t.counter.field != 0) {
        take_counter(p, t.uuid, &t.counter);
    }
    if (t.text.kind == AF_TRACK_GLOBAL) {
        t.text.name = af_perfetto_translate(p, TRUE, t.text.name);
    }
    af_timeline_describe_track(p->timeline, t.uuid, &t.text);
}

void af_perfetto_take_thread(af_perfetto *p, const af_perfetto_packet *packet,
                             const af_protobuf *field)
{
    task_text t = {0};
    af_perfetto_sequence *s = packet->sequence;
    parse_thread(&t, field);
    take_reference(s, &t);
    const af_timeline_event event = {.kind = AF_EVENT_THREAD,
                                     .ns = packet->ns,
                                     .a = (uint32_t)s->tid,
                                     .b = (uint32_t)s->pid,
                                     .name = af_texts_add_some(p->texts, t.name),
                                     .extra = AF_NAMED_BY_DESCRIPTOR};
    af_perfetto_add(p, packet, &event);
}

/* `user`: its id + 1; 0 = not stated. */
static void name_process(af_perfetto *p, const af_perfetto_packet *packet, int64_t pid,
                         af_span name, unsigned rank, uint64_t user)
{
    const af_timeline_event event = {.kind = AF_EVENT_PROCESS,
                                     .ns = packet->ns,
                                     .b = (uint32_t)pid,
                                     .value = (int64_t)user,
                                     .name = af_texts_add_some(p->texts, name),
                                     .extra = rank};
    af_perfetto_add(p, packet, &event);
}

void af_perfetto_take_process(af_perfetto *p, const af_perfetto_packet *packet,
                              const af_protobuf *field)
{
    task_text t = {0};
    parse_process(&t, field);
    name_process(p, packet, t.pid, t.name.length > 0 ? t.name : t.command, AF_PROCESS_BY_DESCRIPTOR,
                 0);
}

static void name_thread(af_perfetto *p, const af_perfetto_packet *packet, uint32_t pid,
                        uint32_t tid, af_span name)
{
    const af_timeline_event event = {.kind = AF_EVENT_THREAD,
                                     .ns = packet->ns,
                                     .a = tid,
                                     .b = pid,
                                     .name = af_texts_add_some(p->texts, name),
                                     .extra = AF_NAMED_BY_TREE};
    af_perfetto_add(p, packet, &event);
}

static void take_listed_process(af_perfetto *p, const af_perfetto_packet *packet,
                                const af_protobuf *field, gboolean generic)
{
    uint64_t pid = 0, is_comm = 0, user = 0;
    af_span command = {NULL, 0};
    unsigned n = 0;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 1) {
            pid = f.number;
        } else if (f.field == 3) {
            command = n++ == 0 ? af_protobuf_text(&f) : command;
        } else if (f.field == 9 && !generic) {
            is_comm = f.number;
        } else if (f.field == 5 && !generic) {
            user = (uint32_t)f.number + (uint64_t)1;
            af_perfetto_set_uid(p, (uint32_t)pid, user - 1);
        }
    }
    if (command.bytes == NULL || pid == 0) {
        return;
    }
    /* The first argument; if there are no others, up to its first blank. */
    const char *blank = n != 1 ? NULL : memchr(command.bytes, ' ', command.length);
    if (blank != NULL) {
        command.length = (size_t)(blank - command.bytes);
    }
    name_process(p, packet, (int32_t)pid, command, AF_PROCESS_BY_SYSTEM, user);
    if (is_comm != 0) {
        name_thread(p, packet, (uint32_t)pid, (uint32_t)pid, command);
    }
}

static void take_listed_thread(af_perfetto *p, const af_perfetto_packet *packet,
                               const af_protobuf *field, gboolean generic)
{
    af_protobuf f[4];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    const uint64_t tid = f[1].number, pid = f[generic ? 2 : 3].number;
    if (tid != 0) {
        name_thread(p, packet, pid == 0 ? AF_NO_PID : (uint32_t)pid, (uint32_t)tid,
                    af_protobuf_text(&f[generic ? 3 : 2]));
    }
}

void af_perfetto_take_process_tree(af_perfetto *p, const af_perfetto_packet *packet,
                                   const af_protobuf *field)
{
    const gboolean generic = field->field != 2;
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        if (f.field == 1 && f.wire == AF_WIRE_BYTES) {
            take_listed_process(p, packet, &f, generic);
        } else if (f.field == 2 && f.wire == AF_WIRE_BYTES) {
            take_listed_thread(p, packet, &f, generic);
        }
    }
}

void af_perfetto_take_process_stats(af_perfetto *p, const af_perfetto_packet *packet,
                                    const af_protobuf *field)
{
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_next(&f);) {
        uint64_t pid = 0;
        if (f.field != 1) {
            continue;
        }
        for (af_protobuf g = af_protobuf_of(&f); af_protobuf_next(&g);) {
            if (g.field == 1) {
                pid = g.number;
            } else if (g.field == 11 && pid != 0) {
                for (af_protobuf h = af_protobuf_of(&g); af_protobuf_next(&h);) {
                    if (h.field == 1) {
                        name_thread(p, packet, (uint32_t)pid, (uint32_t)h.number,
                                    (af_span){NULL, 0});
                    }
                }
            }
        }
    }
}
