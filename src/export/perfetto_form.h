/* What the packets of calls and of samples have in common in a Perfetto trace. All packets are of one
 * sequence; names are written once, before they are used, and referenced by number. */
#pragma once

#include "export/exporter.h"
#include "export/label_numbers.h"
#include "export/perfetto.pb-c.h"

/* Flags of a packet. */
#define AF_PERFETTO_STATE_CLEARED 1
#define AF_PERFETTO_NEEDS_STATE   2

/* Of a track: others of the same name remain tracks of their own. */
#define AF_PERFETTO_MERGE_NONE 2

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    af_out *out;
    af_label_numbers used;
    uint64_t start_ns; /* of the trace, in the clock of the packets */
    gboolean begun;    /* the first packet is written */
} af_perfetto_form;

/* FALSE if out of memory. */
gboolean af_perfetto_form_init(af_perfetto_form *form, const af_profile *profile,
                               const af_selection *selection, af_out *out);

/* Writes the packet that tells aflame's reader who wrote the file, and those that name processes
 * and threads. */
void af_perfetto_form_begin(af_perfetto_form *form);

/* Describes a track. */
void af_perfetto_form_put_track(af_perfetto_form *form, Af__Perfetto__TrackDescriptor *track,
                                uint64_t uuid);

/* The instants and counters of the selected threads and their processes. FALSE if out of memory. */
gboolean af_perfetto_markers_put(af_perfetto_form *form);

/* The uuid of a thread's track. */
uint64_t af_perfetto_form_track(const af_perfetto_form *form, uint32_t thread);

void af_perfetto_form_put(af_perfetto_form *form, Af__Perfetto__TracePacket *packet);
void af_perfetto_form_put_names(af_perfetto_form *form, Af__Perfetto__InternedData *names);

/* The stacks of the selected threads as samples: af_perfetto_form_begin() comes before. */
gboolean af_perfetto_samples_put(af_perfetto_form *form, GError **error);
