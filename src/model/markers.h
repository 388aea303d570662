/* Marks: what a trace says beside its calls: moments that somebody named, and values of counters.
 *
 * They are kept as they come up to a limit, and counted beyond it. Times are those of calls; one
 * that lies before the first call is negative. */
#ifndef AF_MODEL_MARKERS_H
#define AF_MODEL_MARKERS_H

#include <stdint.h>
#include <glib.h>

/* So many marks and names of marks are kept of a trace: 24 MB. */
#define AF_MOST_MARKERS       ((size_t)1 << 20)
#define AF_MOST_MARKER_SERIES ((size_t)1 << 16)

#define AF_NO_SERIES  UINT32_MAX
#define AF_NO_PROCESS UINT32_MAX

typedef enum { AF_MARKER_INSTANT, AF_MARKER_COUNTER } af_marker_kind;

/* All marks of one name in one process. */
typedef struct {
    const char *name; /* cleaned; of a counter with its series: "heap: used" */
    af_marker_kind kind;
    uint32_t process; /* into the profile's processes, or AF_NO_PROCESS */
    uint64_t count;   /* those that are not kept as well */
} af_marker_series;

typedef struct {
    int64_t ns;
    int64_t thousandths; /* value of a counter */
    uint32_t series;
    uint32_t thread; /* of the profile that was read; UINT32_MAX = of its process, or of one
                        that has no calls */
} af_marker;

typedef struct {
    const af_marker_series *series;
    uint32_t n_series;
    const af_marker *marks; /* in order of time */
    size_t n_marks;
    uint64_t instants, values; /* all there were */
} af_markers;

#endif
