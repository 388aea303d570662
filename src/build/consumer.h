/* A consumer receives the results of a second reading of an input.
 *
 * A sink with a consumer builds no profile: it passes on the lines about methods and threads and
 * the batches of events, in file order and with raw times. Methods and threads have the numbers of
 * the first reading. A consumer is called for each batch, line or sample, never for each record.
 * Functions that are NULL are not called. */
#pragma once

#include "build/sink.h"

typedef struct {
    /* TRUE: pass on everything as the file has it, without dropping or repairing anything, for
     * consumers that show records or count them by the rules of other tools. */
    gboolean raw;

    /* The clocks, before the first event; once more when the reader knows more about them. */
    void (*start)(void *user, const af_ticks *ticks);

    /* A line about a method, even one without a name. In a text (AF_CONTAINER_V1) an id may have
     * several lines; in other containers, a later line replaces an earlier one if `replace` is set,
     * and is ignored otherwise. */
    void (*method)(void *user, const af_sink *sink, uint64_t id, const af_method_text *text,
                   gboolean replace);

    /* Each line about a thread, or the fields of a packet about a thread without a line. */
    void (*thread)(void *user, uint64_t id, af_span name);

    /* A batch of events, with the sink's numbers. Returns FALSE to stop. */
    gboolean (*events)(void *user, const af_sink *sink, const af_event *events, size_t n);

    gboolean (*sample)(void *user, const af_sink *sink, const af_sample *sample);
    void (*wait)(void *user, const af_wait *wait);

    /* A state of a thread, with the sink's number; intervals of one thread are in order of time. In
     * files with samples, times are as theirs in the file. */
    void (*state)(void *user, const af_run_interval *interval);

    /* After the reading, even a failed one; the sink now knows the ids of all methods. Return FALSE
     * with an error that explains the failure better than the reader's. */
    gboolean (*finish)(void *user, const af_sink *sink, GError **error);

    /* Method ids from an earlier reading. They identify the methods of events: a reader may number
     * new ids before it adds them to the map. */
    const uint64_t *method_ids;
    uint32_t n_method_ids;

    void *user;
} af_event_consumer;

/* Returns the id of an event's method; UINT64_MAX if the input has changed since the earlier
 * reading and the number has no id. */
static inline uint64_t af_event_method_id(const af_sink *sink, const af_event *event)
{
    return af_idmap_id(af_sink_methods(sink), event->call >> AF_ACTION_BITS);
}
