/* Samples in order of time. Recordings merge the buffers of several CPUs, so their samples are
 * almost in order, but a thread's time off the CPU and its intervals need exact order. Stacks are
 * stored as paths, each once. */
#pragma once

#include "build/sink.h"

typedef struct af_perf_order af_perf_order;

/* `sink` is borrowed; its meter counts the stacks. */
af_perf_order *af_perf_order_new(af_sink *sink);
void af_perf_order_free(af_perf_order *order);

/* Adds a sample, which may have no methods, with the caller's `kind`. Returns FALSE with
 * AF_ERROR_MEMORY, or if memory is refused to the sink. */
gboolean af_perf_order_add(af_perf_order *order, const af_sample *sample, uint32_t kind,
                           GError **error);

/* Ends adding. FALSE with AF_ERROR_MEMORY. */
gboolean af_perf_order_begin(af_perf_order *order, GError **error);

/* Returns the next sample, in order of time and then of adding; FALSE at the end or with an error.
 * Its methods are valid until the next call. */
gboolean af_perf_order_next(af_perf_order *order, af_sample *sample, uint32_t *kind,
                            GError **error);
