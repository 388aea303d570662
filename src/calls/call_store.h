/* A call store: the single calls of some methods, and their totals.
 *
 * It counts every call and stores each up to a limit. Beyond the limit it stores the longest calls
 * only, and medians and percentiles come from a sketch (base/quantile.h) with its precision. */
#pragma once

#include "base/array.h"
#include "calls/call_histogram.h"
#include "calls/call_follower.h"

#define AF_CALL_STORE_MOST 1000000u
#define AF_CALL_CLOCKS     3 /* wall, cpu, wait */

/* The calls of a label. Times by af_clock. */
typedef struct {
    uint64_t calls, nested, unwinds;
    uint64_t
        known[AF_CALL_CLOCKS]; /* calls that have the clock; the fields below cover only these */
    uint64_t total_ns[AF_CALL_CLOCKS]; /* of calls that are not nested */
    uint64_t min_ns[AF_CALL_CLOCKS], max_ns[AF_CALL_CLOCKS];
    uint64_t median_ns[AF_CALL_CLOCKS], p95_ns[AF_CALL_CLOCKS]; /* set by af_call_store_close() */
} af_call_sum;

typedef struct af_call_store af_call_store;

/* For labels below `n_labels`. `clocks` are bits 1 << clock, with AF_WAIT if it is known; `clock`
 * decides which calls are the longest. NULL if memory is refused. */
af_call_store *af_call_store_new(uint32_t n_labels, unsigned clocks, af_clock clock, uint32_t most);
void af_call_store_free(af_call_store *store);

/* An af_call_func. */
gboolean af_call_store_add(void *store, const af_call *call, GError **error);

/* Call it after the last call. FALSE if memory is refused. */
gboolean af_call_store_close(af_call_store *store);

/* ---- after af_call_store_close() ---- */

uint64_t af_call_store_n(const af_call_store *store);

/* The stored calls, ascending by number. */
const af_call *af_call_store_calls(const af_call_store *store, uint32_t *n);

/* The longest stored call in the clock of the store, the first of several; NULL = none. */
const af_call *af_call_store_longest(const af_call_store *store);

const af_call_sum *af_call_store_sum(const af_call_store *store, uint32_t label);

/* The histogram of all calls in the clock of the store; free with g_array_unref(). */
GArray *af_call_store_spread(const af_call_store *store);

/* Whether a call has times of the clock. */
gboolean af_call_has(const af_call *call, af_clock clock);

/* Inclusive and self time of a call. Wait is wall minus CPU, never below 0. */
uint64_t af_call_time_ns(const af_call *call, af_clock clock);
uint64_t af_call_self_ns(const af_call *call, af_clock clock);
