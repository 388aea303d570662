/* Instants and counters in a Perfetto trace: instants on the tracks of their threads or processes,
 * counters on tracks of their own, below their processes. */
#include "export/marker_threads.h"
#include "export/perfetto_form.h"

/* The uuids of threads and processes have the process in their upper half, which is never this. */
#define COUNTER_UUIDS (UINT64_C(0xFFFFFFFF) << 32)

typedef struct {
    af_perfetto_form *form;
    af_marker_threads threads;
    guint8 *described; /* by series: its track is written */
} writer;

static uint64_t process_track(const writer *w, uint32_t thread)
{
    return (uint64_t)w->form->selection->ids->pids[thread] << 32;
}

static void put_marker(writer *w, const af_marker *marker)
{
    const af_marker_series *series = &w->form->profile->markers.series[marker->series];
    const uint32_t thread = af_marker_threads_find(&w->threads, w->form->profile, marker);
    if (thread == AF_NO_MARKER_THREAD) {
        return;
    }
    Af__Perfetto__TracePacket packet = AF__PERFETTO__TRACE_PACKET__INIT;
    Af__Perfetto__TrackEvent event = AF__PERFETTO__TRACK_EVENT__INIT;
    event.has_type = event.has_track_uuid = TRUE;
    char *categories = (char *)series->categories;
    event.categories = &categories;
    event.n_categories = categories != NULL;
    if (series->kind == AF_MARKER_COUNTER) {
        if (w->described[marker->series] == 0) {
            const uint32_t number = marker->series;
            Af__Perfetto__CounterDescriptor counter = AF__PERFETTO__COUNTER_DESCRIPTOR__INIT;
            Af__Perfetto__TrackDescriptor track = AF__PERFETTO__TRACK_DESCRIPTOR__INIT;
            track.has_parent_uuid = TRUE;
            track.parent_uuid = process_track(w, thread);
            track.name = (char *)w->form->profile->markers.series[number].name;
            track.counter = &counter;
            af_perfetto_form_put_track(w->form, &track, COUNTER_UUIDS | number);
            w->described[number] = 1;
        }
        event.type = AF__PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER;
        event.track_uuid = COUNTER_UUIDS | marker->series;
        event.has_counter_value = marker->thousandths % 1000 == 0;
        event.counter_value = marker->thousandths / 1000;
        event.has_double_counter_value = !event.has_counter_value;
        event.double_counter_value = (double)marker->thousandths / 1000;
    } else {
        event.type = AF__PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
        event.track_uuid = marker->thread != UINT32_MAX ? af_perfetto_form_track(w->form, thread)
                                                        : process_track(w, thread);
        event.name = (char *)series->name;
    }
    packet.has_timestamp = packet.has_sequence_flags = TRUE;
    packet.timestamp = (uint64_t)marker->ns - w->form->start_ns;
    packet.sequence_flags = AF_PERFETTO_NEEDS_STATE;
    packet.track_event = &event;
    af_perfetto_form_put(w->form, &packet);
}

gboolean af_perfetto_markers_put(af_perfetto_form *form)
{
    const af_markers *markers = &form->profile->markers;
    writer w = {.form = form};
    w.described = g_try_new0(guint8, (size_t)markers->n_series + 1);
    const gboolean ok =
        af_marker_threads_init(&w.threads, form->profile, form->selection) && w.described != NULL;
    for (size_t i = 0; ok && i < markers->n_markers && form->out->error == NULL; i++) {
        put_marker(&w, &markers->markers[i]);
    }
    af_marker_threads_clear(&w.threads);
    g_free(w.described);
    return ok;
}
