/* How long calls take, as a small histogram.
 *
 * Durations are counted in steps of 1, 2, 5, 10, ... ns: as many steps for 20 ns as for 20 s. */
#ifndef AF_CALLS_CALL_HISTOGRAM_H
#define AF_CALLS_CALL_HISTOGRAM_H

#include <stdint.h>
#include <glib.h>

#define AF_SPREAD_STEPS 59 /* 0, 1, 2, 5, ..., 10^19 ns */

typedef struct {
    uint64_t calls[AF_SPREAD_STEPS]; /* by where the step begins */
} af_spread;

/* A row of the histogram: calls that took from_ns or more, and less than to_ns. */
typedef struct {
    uint64_t from_ns, to_ns, calls;
} af_spread_row;

void af_spread_add(af_spread *spread, uint64_t ns);

/* The rows from the shortest call to the longest, also those between that are empty: a dozen at
 * most. Free with g_array_unref(). */
GArray *af_spread_rows(const af_spread *spread);

/* The same in steps of equal length, for `n` durations that are all known and not far apart. */
GArray *af_spread_even_rows(const uint64_t *ns, size_t n);

/* Whether there are calls enough, and near enough to each other, for steps of equal length to show
 * more. */
gboolean af_spread_is_narrow(const af_spread *spread);

#endif
