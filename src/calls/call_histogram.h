/* A small histogram of call durations.
 *
 * Bins start at 1, 2, 5, 10, ... ns, so the relative precision is the same for 20 ns and for 20
 * s. */
#pragma once

#include <stdint.h>
#include <glib.h>

#define AF_SPREAD_STEPS 59 /* 0, 1, 2, 5, ..., 10^19 ns */

typedef struct {
    uint64_t calls[AF_SPREAD_STEPS]; /* by bin */
} af_spread;

/* A row of the histogram: calls with from_ns <= duration < to_ns. */
typedef struct {
    uint64_t from_ns, to_ns, calls;
} af_spread_row;

void af_spread_add(af_spread *spread, uint64_t ns);

/* The rows from the shortest call to the longest, with empty ones in between; a dozen at most. Free
 * with g_array_unref(). */
GArray *af_spread_rows(const af_spread *spread);

/* The same in bins of equal width, for `n` durations of similar size. */
GArray *af_spread_even_rows(const uint64_t *ns, size_t n);

/* Whether bins of equal width show more: there are enough calls of similar duration. */
gboolean af_spread_is_narrow(const af_spread *spread);
