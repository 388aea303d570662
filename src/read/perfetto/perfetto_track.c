/* Descriptions of tracks, threads and processes, and lists of processes. */
#include "read/perfetto/perfetto.h"

/* The name of a process {1 pid, 2 command..., 6 name}: that, or the first word of the command. */
static af_span name_of_process(const af_protobuf *field)
{
    af_protobuf command = af_protobuf_of(field), f[7];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    return f[6].length > 0 || !af_protobuf_find(&command, 2) ? af_protobuf_text(&f[6])
                                                             : af_protobuf_text(&command);
}

static void take_translations(af_perfetto *p, const af_protobuf *map, af_idtable *names)
{
    for (af_protobuf f = af_protobuf_of(map); af_protobuf_find(&f, 1);) {
        af_protobuf pair[3];
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

/* The thread of a sequence {1 pid, 2 tid, 6 time, 7 CPU time}, and its reference times, from which
 * old events count. */
static void take_reference(af_perfetto_sequence *s, const af_protobuf *thread)
{
    s->has_thread = TRUE;
    s->pid = (int32_t)thread[1].number;
    s->tid = (int32_t)thread[2].number;
    if (s->valid && thread[6].field != 0) {
        s->has_reference = TRUE;
        s->reference_us = (int64_t)thread[6].number;
        s->thread_us = (int64_t)thread[7].number;
    }
}

/* Adds a text, unless it is empty. */
static void add_name(af_perfetto *p, uint32_t *name, af_span text)
{
    *name = text.length > 0 ? af_texts_add(p->texts, text) : *name;
}

void af_perfetto_take_track(af_perfetto *p, const af_perfetto_packet *packet,
                            const af_protobuf *field)
{
    af_protobuf f[18], thread[8], process[2], sandbox[4];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    af_protobuf_values(&f[3], process, G_N_ELEMENTS(process));
    af_protobuf_values(&f[4], thread, G_N_ELEMENTS(thread));
    af_protobuf_values(&f[7], sandbox, G_N_ELEMENTS(sandbox));
    const gboolean is_thread = f[4].field != 0;
    if (f[1].field == 0 || (is_thread && (thread[1].field == 0 || thread[2].field == 0))) {
        af_sink_warn(p->sink, AF_WARN_BAD_PACKETS, 1, packet->offset);
        return;
    }
    const uint64_t uuid = f[1].number;
    af_track_text text = {.name = AF_NO_TEXT,
                          .key = AF_NO_TEXT,
                          .parent = f[5].number,
                          .own_nest = f[9].number != 0,
                          .merge = f[15].number == 2   ? AF_TRACKS_APART
                                   : f[15].number == 3 ? AF_TRACKS_BY_KEY
                                                       : AF_TRACKS_BY_NAME};
    add_name(p, &text.name,
             af_protobuf_text(&f[f[13].field != 0   ? 13
                                 : f[10].field != 0 ? 10
                                                    : 2]));
    add_name(p, &text.key, af_protobuf_text(&f[f[17].field != 0 ? 17 : 16]));
    if (is_thread) {
        text.kind = AF_TRACK_THREAD;
        text.pid = (int32_t)thread[1].number;
        text.tid = (int32_t)thread[2].number;
        text.local_tid = sandbox[3].number != 0;
        add_name(p, &text.name, af_protobuf_text(&thread[5]));
        take_reference(packet->sequence, thread);
        p->n_threads_in_own += p->is_own;
        p->only_all = p->is_own && p->n_threads_in_own == 1 &&
                      af_span_is(af_protobuf_text(&thread[5]), "all");
    } else if (f[3].field != 0) {
        text.kind = AF_TRACK_PROCESS;
        text.pid = (int32_t)process[1].number;
        add_name(p, &text.name, name_of_process(&f[3]));
    }
    if (f[8].field != 0) {
        take_counter(p, uuid, &f[8]);
    }
    if (text.kind == AF_TRACK_GLOBAL) {
        text.name = af_perfetto_translate(p, TRUE, text.name);
    }
    af_timeline_describe_track(p->timeline, uuid, &text);
}

static void add_thread(af_perfetto *p, const af_perfetto_packet *packet, uint32_t pid, uint32_t tid,
                       af_span name, af_task_rank rank)
{
    const af_timeline_event event = {.kind = AF_EVENT_THREAD,
                                     .ns = packet->ns,
                                     .a = tid,
                                     .b = pid,
                                     .name = af_texts_add_some(p->texts, name),
                                     .extra = rank};
    af_perfetto_add(p, packet, &event);
}

void af_perfetto_take_thread(af_perfetto *p, const af_perfetto_packet *packet,
                             const af_protobuf *field)
{
    af_protobuf f[8];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    take_reference(packet->sequence, f);
    add_thread(p, packet, (uint32_t)f[1].number, (uint32_t)f[2].number, af_protobuf_text(&f[5]),
               AF_NAMED_BY_DESCRIPTOR);
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
    af_protobuf f[2];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    name_process(p, packet, (int32_t)f[1].number, name_of_process(field), AF_PROCESS_BY_DESCRIPTOR,
                 0);
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
        add_thread(p, packet, (uint32_t)pid, (uint32_t)pid, command, AF_NAMED_BY_TREE);
    }
}

static void take_listed_thread(af_perfetto *p, const af_perfetto_packet *packet,
                               const af_protobuf *field, gboolean generic)
{
    af_protobuf f[4];
    af_protobuf_values(field, f, G_N_ELEMENTS(f));
    const uint64_t tid = f[1].number, pid = f[generic ? 2 : 3].number;
    if (tid != 0) {
        add_thread(p, packet, pid == 0 ? AF_NO_PID : (uint32_t)pid, (uint32_t)tid,
                   af_protobuf_text(&f[generic ? 3 : 2]), AF_NAMED_BY_TREE);
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
    for (af_protobuf f = af_protobuf_of(field); af_protobuf_find(&f, 1);) {
        af_protobuf process[2], thread[2];
        af_protobuf_values(&f, process, G_N_ELEMENTS(process));
        for (af_protobuf g = af_protobuf_of(&f);
             process[1].number != 0 && af_protobuf_find(&g, 11);) {
            af_protobuf_values(&g, thread, G_N_ELEMENTS(thread));
            if (thread[1].field != 0) {
                add_thread(p, packet, (uint32_t)process[1].number, (uint32_t)thread[1].number,
                           (af_span){NULL, 0}, AF_NAMED_BY_TREE);
            }
        }
    }
}
