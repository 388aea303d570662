#include "export/perfetto_form.h"

#include "base/own_trace.h"
#include "export/protobuf.h"

#define SEQUENCE 1

void af_perfetto_form_put(af_perfetto_form *form, Af__Perfetto__TracePacket *packet)
{
    Af__Perfetto__Trace part = AF__PERFETTO__TRACE__INIT;
    packet->has_trusted_packet_sequence_id = TRUE;
    packet->trusted_packet_sequence_id = SEQUENCE;
    if (!form->begun) {
        packet->has_sequence_flags = form->begun = TRUE;
        packet->sequence_flags |= AF_PERFETTO_STATE_CLEARED;
    }
    part.n_packet = 1;
    part.packet = &packet;
    af_protobuf_put(form->out, &part.base);
}

/* Tells readers of aflame who wrote the file. */
static void put_uuid(af_perfetto_form *form)
{
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    Af__Perfetto__Uuid uuid = AF__PERFETTO__UUID__INIT;
    uuid.has_msb = uuid.has_lsb = TRUE;
    uuid.msb = AF_TRACE_UUID_WITH(af_exporter_facts(form->profile, form->selection));
    uuid.lsb = (int64_t)form->start_ns;
    packet.trace_uuid = &uuid;
    af_perfetto_form_put(form, &packet);
}

void af_perfetto_form_put_names(af_perfetto_form *form, Af__Perfetto__InternedData *names)
{
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    packet.interned_data = names;
    packet.has_sequence_flags = TRUE;
    packet.sequence_flags = AF_PERFETTO_NEEDS_STATE;
    af_perfetto_form_put(form, &packet);
}

uint64_t af_perfetto_form_track(const af_perfetto_form *form, uint32_t thread)
{
    return (uint64_t)form->selection->ids->pids[thread] << 32 | form->selection->ids->tids[thread];
}

void af_perfetto_form_put_track(af_perfetto_form *form, Af__Perfetto__TrackDescriptor *track,
                                uint64_t uuid)
{
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    track->has_uuid = TRUE;
    track->uuid = uuid;
    packet.track_descriptor = track;
    packet.has_timestamp = TRUE;
    af_perfetto_form_put(form, &packet);
}

static void put_process(af_perfetto_form *form, uint32_t thread)
{
    Af__Perfetto__ProcessDescriptor process = AF__PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Af__Perfetto__TrackDescriptor track = AF__PERFETTO__TRACK_DESCRIPTOR__INIT;
    process.has_pid = TRUE;
    process.pid = (int32_t)form->selection->ids->pids[thread];
    process.process_name = (char *)form->selection->ids->names[thread];
    track.process = &process;
    af_perfetto_form_put_track(form, &track, (uint64_t)form->selection->ids->pids[thread] << 32);
}

/* The events of a track name it by its id; it needs no thread. */
static void put_asynchronous_track(af_perfetto_form *form, uint32_t t)
{
    Af__Perfetto__TrackDescriptor track = AF__PERFETTO__TRACK_DESCRIPTOR__INIT;
    track.name = (char *)form->profile->threads[t].name;
    track.has_parent_uuid = TRUE;
    track.parent_uuid = (uint64_t)form->selection->ids->pids[t] << 32;
    track.has_sibling_merge_behavior = TRUE;
    track.sibling_merge_behavior = AF_PERFETTO_MERGE_NONE;
    af_perfetto_form_put_track(form, &track, af_perfetto_form_track(form, t));
}

static void put_thread(af_perfetto_form *form, uint32_t t)
{
    Af__Perfetto__ThreadDescriptor thread = AF__PERFETTO__THREAD_DESCRIPTOR__INIT;
    Af__Perfetto__TrackDescriptor track = AF__PERFETTO__TRACK_DESCRIPTOR__INIT;
    thread.has_pid = thread.has_tid = TRUE;
    thread.pid = (int32_t)form->selection->ids->pids[t];
    thread.tid = (int32_t)form->selection->ids->tids[t];
    thread.thread_name = (char *)form->profile->threads[t].name;
    track.thread = &thread;
    af_perfetto_form_put_track(form, &track, af_perfetto_form_track(form, t));
}

static void put_tracks(af_perfetto_form *form)
{
    const af_selection *selection = form->selection;
    uint32_t last_pid = 0;
    for (uint32_t i = 0; i < selection->n_threads && form->out->error == NULL; i++) {
        const uint32_t t = selection->threads[i];
        if (form->selection->ids->pids[t] != last_pid) {
            put_process(form, t);
        }
        last_pid = form->selection->ids->pids[t];
        if (form->profile->threads[t].is_track && form->selection->calls != NULL) {
            put_asynchronous_track(form, t);
        } else {
            put_thread(form, t);
        }
    }
}

void af_perfetto_form_begin(af_perfetto_form *form)
{
    put_uuid(form);
    put_tracks(form);
}

gboolean af_perfetto_form_init(af_perfetto_form *form, const af_profile *profile,
                               const af_selection *selection, af_out *out)
{
    *form = (af_perfetto_form){.profile = profile, .selection = selection, .out = out};
    if (selection->calls != NULL && selection->clock == AF_WALL) {
        const af_markers *markers = &profile->markers;
        form->start_ns = af_profile_start_ns(profile);
        /* packets have no negative times: the trace begins with the first marker. Differences from
         * a negative start wrap to the right time */
        if (markers->n_markers > 0 && markers->markers[0].ns < (int64_t)form->start_ns) {
            form->start_ns = (uint64_t)markers->markers[0].ns;
        }
    }
    return af_label_numbers_init(&form->used, profile, selection->threads, selection->n_threads);
}
