/* A tap: what a reader finds, as the file has it.
 *
 * A sink with a tap makes no profile. It hands on the lines about methods and threads and the
 * events in file order, with raw times, and drops and repairs nothing: for what must show records,
 * or count them by the rules of other tools. Functions that are NULL are not called. */
#ifndef AF_BUILD_RAW_LISTENER_H
#define AF_BUILD_RAW_LISTENER_H

#include "build/sink.h"

struct af_raw_listener {
    /* A line about a method, also one without a name. In a text (AF_CONTAINER_V1) an id may have
     * several; elsewhere a later one takes the place of the earlier if `replace`, and counts for
     * nothing if not. */
    void (*method)(void *user, const af_sink *sink, uint64_t id, const af_method_text *text,
                   gboolean replace);

    /* A line about a thread, each line of an id, or what a packet says of one without a line. */
    void (*thread)(void *user, uint64_t id, af_span name);

    /* FALSE: enough. The numbers in the events are those of the sink's maps of ids, see
     * af_raw_listener_method_id(). */
    gboolean (*events)(void *user, const af_sink *sink, const af_event *events, size_t n);

    /* The same for each sample. */
    gboolean (*sample)(void *user, const af_sink *sink, const af_sample *sample);

    /* When everything was read: now the sink knows the ids of all methods. */
    void (*end)(void *user, const af_sink *sink);

    /* Those ids from an earlier reading. Events can be told by their methods only with them: a
     * reader may give ids that it meets late their numbers, and not yet their places in the map. */
    const uint64_t *method_ids;
    uint32_t n_method_ids;

    void *user;
};

/* The id of an event's method. An input that has changed since the earlier reading may have others,
 * which no text names either. */
static inline uint64_t af_raw_listener_method_id(const af_sink *sink, const af_event *event)
{
    const uint32_t number = event->call >> AF_ACTION_BITS;
    return number < sink->method_ids.n ? sink->method_ids.ids[number] : UINT64_MAX;
}

#endif
