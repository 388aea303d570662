/* A Perfetto trace: protobuf packets, one for each start and each end of a call, for
 * ui.perfetto.dev and trace_processor.
 *
 * Packets are in file order: readers sort them by time and keep the order of equal times, so calls
 * of zero length stay in place. Names and categories are written once, at the top, and referenced
 * by number. A thread is a track, identified by its process and thread id. Times are ns since the
 * trace began, of one clock; if that is wall time and there is CPU time too, each end has the CPU
 * time of the call as the argument `cpu_ns`.
 *
 * Perfetto accepts at most 512 nested calls. It drops the starts of deeper ones and counts them as
 * errors, but keeps their ends, which then end the wrong calls. So neither is written, and their
 * time belongs to the enclosing call.
 *
 * Tested: protoc 3.21 decodes it without unknown fields. trace_processor was not available as a
 * package. */
#include "export/exporter.h"

#include "base/array.h"
#include "base/memory_error.h"
#include "base/trace_uuid.h"
#include "export/calls.h"
#include "export/perfetto.pb-c.h"
#include "export/ids.h"
#include "export/protobuf.h"
#include "export/label_numbers.h"

#define SEQUENCE 1

#define DEEPEST 512

/* Flags of a packet. */
#define STATE_CLEARED 1
#define NEEDS_STATE   2

/* The number of the only argument name. */
#define CPU_NAME 1

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    af_export_ids process;
    af_label_numbers used;
    uint64_t start_ns; /* of the trace, in the clock of the packets */
    gboolean begun;    /* the first packet is written */
    gboolean both;     /* also write CPU times, for threads that have them */
    af_array *began;   /* by thread, of uint64_t: CPU times at the start of open calls */
} writer;

static void put(writer *w, Perfetto__TracePacket *packet)
{
    Perfetto__Trace part = PERFETTO__TRACE__INIT;
    packet->has_trusted_packet_sequence_id = TRUE;
    packet->trusted_packet_sequence_id = SEQUENCE;
    if (!w->begun) {
        packet->has_sequence_flags = w->begun = TRUE;
        packet->sequence_flags |= STATE_CLEARED;
    }
    part.n_packet = 1;
    part.packet = &packet;
    af_protobuf_put(w->out, &part.base);
}

/* ---- the header ---- */

/* Tells readers of aflame who wrote the file. */
static void put_uuid(writer *w)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    Perfetto__Uuid uuid = PERFETTO__UUID__INIT;
    uuid.has_msb = uuid.has_lsb = TRUE;
    uuid.msb = AF_TRACE_UUID_MSB;
    uuid.lsb = (int64_t)w->start_ns;
    packet.trace_uuid = &uuid;
    put(w, &packet);
}

static void put_names(writer *w, Perfetto__InternedData *names)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    packet.interned_data = names;
    packet.has_sequence_flags = TRUE;
    packet.sequence_flags = NEEDS_STATE;
    put(w, &packet);
}

static void put_categories(writer *w)
{
    Perfetto__EventCategory category = PERFETTO__EVENT_CATEGORY__INIT, *categories = &category;
    Perfetto__InternedData names = PERFETTO__INTERNED_DATA__INIT;
    names.n_event_categories = 1;
    names.event_categories = &categories;
    category.has_iid = TRUE;
    for (unsigned i = 0; i < AF_CATEGORY_COUNT; i++) {
        category.iid = i + 1;
        category.name = (char *)af_category_title((af_category)i);
        put_names(w, &names);
    }
}

static void put_labels(writer *w)
{
    Perfetto__EventName name = PERFETTO__EVENT_NAME__INIT, *list = &name;
    Perfetto__InternedData names = PERFETTO__INTERNED_DATA__INIT;
    names.n_event_names = 1;
    names.event_names = &list;
    name.has_iid = TRUE;
    for (uint32_t i = 0; i < w->used.n && w->out->error == NULL; i++) {
        name.iid = i + 1;
        name.name = (char *)w->profile->labels[w->used.labels[i]].text;
        put_names(w, &names);
    }
}

static void put_argument_name(writer *w)
{
    Perfetto__DebugAnnotationName name = PERFETTO__DEBUG_ANNOTATION_NAME__INIT, *list = &name;
    Perfetto__InternedData names = PERFETTO__INTERNED_DATA__INIT;
    names.n_debug_annotation_names = 1;
    names.debug_annotation_names = &list;
    name.has_iid = TRUE;
    name.iid = CPU_NAME;
    name.name = (char *)"cpu_ns";
    put_names(w, &names);
}

/* ---- tracks ---- */

static uint64_t get_track(const writer *w, uint32_t thread)
{
    return (uint64_t)w->process.pids[thread] << 32 | w->process.tids[thread];
}

static void put_track(writer *w, Perfetto__TrackDescriptor *track, uint64_t uuid)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    track->has_uuid = TRUE;
    track->uuid = uuid;
    packet.track_descriptor = track;
    packet.has_timestamp = TRUE;
    put(w, &packet);
}

static void put_process(writer *w, uint32_t thread)
{
    Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    process.has_pid = TRUE;
    process.pid = (int32_t)w->process.pids[thread];
    process.process_name = (char *)w->process.names[thread];
    track.process = &process;
    put_track(w, &track, (uint64_t)w->process.pids[thread] << 32);
}

static void put_thread(writer *w, uint32_t t)
{
    Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    thread.has_pid = thread.has_tid = TRUE;
    thread.pid = (int32_t)w->process.pids[t];
    thread.tid = (int32_t)w->process.tids[t];
    thread.thread_name = (char *)w->profile->threads[t].name;
    track.thread = &thread;
    put_track(w, &track, get_track(w, t));
}

static void put_tracks(writer *w)
{
    const af_selection *selection = w->selection;
    uint32_t last_pid = 0;
    for (uint32_t i = 0; i < selection->n_threads && w->out->error == NULL; i++) {
        const uint32_t t = selection->threads[i];
        if (w->process.pids[t] != last_pid) {
            put_process(w, t);
        }
        last_pid = w->process.pids[t];
        put_thread(w, t);
    }
}

/* ---- calls ---- */

static gboolean put_event(writer *w, const af_call_event *edge, Perfetto__TrackEvent *event,
                          GError **error)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    event->has_type = event->has_track_uuid = TRUE;
    event->track_uuid = get_track(w, edge->thread);
    packet.has_timestamp = packet.has_sequence_flags = TRUE;
    packet.timestamp = edge->time_ns[w->selection->clock] - w->start_ns;
    packet.sequence_flags = NEEDS_STATE;
    packet.track_event = event;
    put(w, &packet);
    return w->out->error == NULL || af_export_stop(error);
}

static gboolean enter_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    if (edge->depth >= DEEPEST) {
        return TRUE;
    }
    uint64_t category = w->profile->labels[edge->label].category + UINT64_C(1);
    if (w->both && af_thread_has(w->profile, edge->thread, AF_CPU)) {
        uint64_t *began = af_array_add(&w->began[edge->thread], 1);
        if (began == NULL) {
            return af_memory_error_set(error);
        }
        *began = edge->time_ns[AF_CPU];
    }
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
    event.has_name_iid = TRUE;
    event.name_iid = w->used.number_of[edge->label] + UINT64_C(1);
    event.n_category_iids = 1;
    event.category_iids = &category;
    return put_event(w, edge, &event, error);
}

static gboolean leave_call(void *user, const af_call_event *edge, GError **error)
{
    writer *w = user;
    if (edge->depth >= DEEPEST) {
        return TRUE;
    }
    Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    Perfetto__DebugAnnotation cpu = PERFETTO__DEBUG_ANNOTATION__INIT, *list = &cpu;
    event.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END;
    if (w->both && af_thread_has(w->profile, edge->thread, AF_CPU)) {
        af_array *began = &w->began[edge->thread];
        cpu.has_name_iid = cpu.has_uint_value = TRUE;
        cpu.name_iid = CPU_NAME;
        cpu.uint_value = edge->time_ns[AF_CPU] - AF_ARRAY_AT(began, uint64_t, --began->n);
        event.n_debug_annotations = 1;
        event.debug_annotations = &list;
    }
    return put_event(w, edge, &event, error);
}

/* ---- the file ---- */

static gboolean put_all(writer *w, GError **error)
{
    const af_observer observer = {enter_call, leave_call, NULL, w, NULL};
    put_uuid(w);
    put_tracks(w);
    put_categories(w);
    put_labels(w);
    if (w->both) {
        put_argument_name(w);
    }
    return af_export_walk(w->profile, w->selection, &observer, error);
}

static gboolean write_perfetto(const af_profile *profile, const af_selection *selection,
                               af_out *out, GError **error)
{
    writer w = {.profile = profile, .selection = selection, .out = out};
    w.both = selection->clock == AF_WALL && af_profile_has(profile, AF_CPU);
    w.start_ns = selection->clock == AF_WALL ? af_profile_start_ns(profile) : 0;
    w.began = g_try_new0(af_array, (size_t)profile->n_threads + 1);
    gboolean ok = w.began != NULL && af_export_ids_init(&w.process, profile);
    if (!ok || !af_label_numbers_init(&w.used, profile, selection->threads, selection->n_threads)) {
        g_free(w.began);
        if (ok) {
            af_export_ids_clear(&w.process);
        }
        return af_memory_error_set(error);
    }
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_array_init(&w.began[t], sizeof(uint64_t));
    }
    ok = put_all(&w, error);
    for (uint32_t t = 0; t < profile->n_threads; t++) {
        af_array_clear(&w.began[t]);
    }
    g_free(w.began);
    af_label_numbers_clear(&w.used);
    af_export_ids_clear(&w.process);
    return ok;
}

const af_exporter af_exporter_perfetto = {
    .name = "perfetto",
    .extensions = "pftrace perfetto-trace",
    .title = "Perfetto trace, for ui.perfetto.dev",
    .calls = AF_CALLS_NEEDED,
    .binary = TRUE,
    .deepest = DEEPEST,
    .write = write_perfetto,
};
