/* The selected threads that carry the markers of a profile in formats of other tools. */
#pragma once

#include "export/exporter.h"

#define AF_NO_MARKER_THREAD UINT32_MAX

typedef struct {
    uint32_t *selected; /* by thread of the profile that was read: the selected one, or none */
    uint32_t *first;    /* by process: its first selected thread, or none */
    uint32_t any;       /* the first selected thread */
} af_marker_threads;

/* FALSE if out of memory; clear it in any case. */
gboolean af_marker_threads_init(af_marker_threads *threads, const af_profile *profile,
                                const af_selection *selection);
void af_marker_threads_clear(af_marker_threads *threads);

/* The selected thread that has the marker, or whose process has it; AF_NO_MARKER_THREAD if none is
 * selected. */
uint32_t af_marker_threads_find(const af_marker_threads *threads, const af_profile *profile,
                                const af_marker *marker);
