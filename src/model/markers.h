/* Markers: named instants and values of counters, recorded alongside the calls of a trace.
 *
 * A profile stores markers up to a limit and counts the rest. Times have the same zero as those of
 * calls; markers before the first call have negative times. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* The most markers and series that a profile stores: 24 MB. */
#define AF_MOST_MARKERS       ((size_t)1 << 20)
#define AF_MOST_MARKER_SERIES ((size_t)1 << 16)

#define AF_NO_SERIES  UINT32_MAX
#define AF_NO_PROCESS UINT32_MAX

typedef enum { AF_MARKER_INSTANT, AF_MARKER_COUNTER } af_marker_kind;

/* All markers with one name in one process. */
typedef struct {
    const char *name; /* cleaned; a counter's includes its series: "heap: used" */
    af_marker_kind kind;
    uint32_t process;       /* into the profile's processes, or AF_NO_PROCESS */
    uint64_t count;         /* including those beyond the limit */
    const char *categories; /* of the first, as the file names them; NULL = none, or not saved */
} af_marker_series;

typedef struct {
    int64_t ns;
    int64_t thousandths; /* value of a counter */
    uint32_t series;
    uint32_t thread; /* of the profile that was read; UINT32_MAX = its process, or a thread
                        without calls */
} af_marker;

/* What the kernel's scheduler did with a thread. */
typedef enum {
    AF_STATE_RUNNING,
    AF_STATE_RUNNABLE, /* no processor was free for it */
    AF_STATE_BLOCKED,  /* asleep, or waiting for a device, or stopped */
    AF_RUN_STATES
} af_run_state;

/* Times have the same zero as those of calls. */
typedef struct {
    uint32_t thread;
    af_run_state state;
    gboolean in_kernel; /* blocked where no signal ends it: for a disk, memory or a driver */
    uint64_t from_ns, to_ns;
} af_run_interval;

typedef struct {
    const af_marker_series *series;
    uint32_t n_series;
    const af_marker *markers; /* in order of time */
    size_t n_markers;
    uint64_t instants, values; /* including those beyond the limit */
} af_markers;
