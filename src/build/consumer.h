/* A consumer receives the results of a second reading of an input.
 *
 * A sink with a consumer builds no profile: it passes on the lines about methods and threads and
 * the batches of events, in file order and with raw times. Methods and threads have the numbers of
 * the first reading. A consumer is called for each batch, line or sample, never for each record.
 * Functions that are NULL are not called. */
#ifndef AF_BUILD_CONSUMER_H
#define AF_BUILD_CONSUMER_H

#include "build/sink.h"

typedef struct {
    /* TRUE: everything is wanted as the file has it, nothing dropped or repaired, for consumers
     * that show records or count them by the rules of other tools. */
    gboolean raw;

    /* The clocks, before the first event; once more when the reader knows more about them. */
    void (*start)(void *user, const af_ticks *ticks);

    /* A line about a method, also one without a name. In a text (AF_CONTAINER_V1) an id may have
     * several; elsewhere a later one replaces an earlier one if `replace` is set, and does not
     * count otherwise. */
    void (*method)(void *user, const af_sink *sink, uint64_t id, const af_method_text *text,
                   gboolean replace);

    /* Each line about a thread, or the fields of a packet about a thread without a line. */
    void (*thread)(void *user, uint64_t id, af_span name);

    /* A batch of events, with the sink's numbers. FALSE to stop. */
    gboolean (*events)(void *user, const af_sink *sink, const af_event *events, size_t n);

    gboolean (*sample)(void *user, const af_sink *sink, const af_sample *sample);

    /* After the reading, also a failed one; the sink now knows the ids of all methods. FALSE with
     * an error that explains the failure better than the reader's. */
    gboolean (*finish)(void *user, const af_sink *sink, GError **error);

    /* Those ids, from an earlier reading. Needed to tell methods of events apart: a reader may
     * number ids that it meets late before it adds them to the map. */
    const uint64_t *method_ids;
    uint32_t n_method_ids;

    void *user;
} af_event_consumer;

/* The id of an event's method. UINT64_MAX if the input has changed since the earlier reading and
 * the number has no id. */
static inline uint64_t af_event_method_id(const af_sink *sink, const af_event *event)
{
    return af_sink_method_id(sink, event->call >> AF_ACTION_BITS);
}

#endif
