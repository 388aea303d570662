/* The calls of some methods, one by one and added up.
 *
 * All are counted. Of each the book keeps what is known, up to a limit: of more calls only the
 * longest are kept, and medians and the like are then as exact as a sketch (base/sketch.h). */
#ifndef AF_CALLS_CALL_STORE_H
#define AF_CALLS_CALL_STORE_H

#include "base/array.h"
#include "calls/call_histogram.h"
#include "calls/call_follower.h"

#define AF_CALL_STORE_MOST 1000000u
#define AF_CALL_CLOCKS     3 /* wall, cpu, wait */

/* The calls of a label. Times by af_clock. */
typedef struct {
    uint64_t calls, nested, unwinds;
    uint64_t known[AF_CALL_CLOCKS];    /* calls that have the clock; what follows is of these */
    uint64_t total_ns[AF_CALL_CLOCKS]; /* of calls that are not nested */
    uint64_t min_ns[AF_CALL_CLOCKS], max_ns[AF_CALL_CLOCKS];
    uint64_t median_ns[AF_CALL_CLOCKS], p95_ns[AF_CALL_CLOCKS]; /* once the book is closed */
} af_call_sum;

typedef struct af_call_store af_call_store;

/* For labels below `n_labels`; `clocks` are bits 1 << clock, AF_WAIT among them if it is known. The
 * longest calls are those of `clock`. NULL if the machine refuses memory. */
af_call_store *af_call_store_new(uint32_t n_labels, unsigned clocks, af_clock clock, uint32_t most);
void af_call_store_free(af_call_store *book);

/* An af_call_func. */
gboolean af_call_store_add(void *book, const af_call *call, GError **error);

/* After the last call. FALSE if the machine refuses memory. */
gboolean af_call_store_close(af_call_store *book);

/* ---- of a closed book ---- */

uint64_t af_call_store_n(const af_call_store *book);

/* Those that are kept, by their numbers. */
const af_call *af_call_store_calls(const af_call_store *book, uint32_t *n);

const af_call_sum *af_call_store_sum(const af_call_store *book, uint32_t label);

/* The histogram of all calls in the book's clock; free with g_array_unref(). */
GArray *af_call_store_spread(const af_call_store *book);

/* Whether a call has times of the clock. */
gboolean af_call_has(const af_call *call, af_clock clock);

/* How long a call took, in itself and with all it called. Wait is wall minus CPU, never below 0. */
uint64_t af_call_time_ns(const af_call *call, af_clock clock);
uint64_t af_call_self_ns(const af_call *call, af_clock clock);

#endif
