/* Puts the events of a timeline in order of time, also more of them than fit in memory.
 *
 * Each writer of a trace adds its events in order, so that the input consists of a few streams, each
 * in order, in turns. Every event goes to the stream with the latest event that is not later than
 * it, in a form of about ten bytes; at the end the streams are merged. What fits in no stream is
 * sorted as records. Streams that are too long for memory continue in an unnamed file. */
#pragma once

#include "read/timeline.h"

typedef struct af_timeline_order af_timeline_order;

/* `most_held`: bytes in memory; 0 = the default. */
af_timeline_order *af_timeline_order_new(size_t most_held);
void af_timeline_order_free(af_timeline_order *order);

/* FALSE with AF_ERROR_MEMORY if neither memory nor a file has space. */
gboolean af_timeline_order_add(af_timeline_order *order, const af_timeline_event *event,
                               GError **error);

/* Ends adding; the events can be read from now on. FALSE as above. */
gboolean af_timeline_order_begin(af_timeline_order *order, GError **error);

/* Sets *event to the next event; events at the same time keep the order in which they were added.
 * Sets *more to FALSE at the end. FALSE as above. */
gboolean af_timeline_order_next(af_timeline_order *order, af_timeline_event *event, gboolean *more,
                                GError **error);
