/* A replay: the events of a trace once more, told as calls.
 *
 * What the rebuilder (rebuild.h) only finds out at the end stands in the guide: each thread begins
 * with the calls open that were open before the trace began, so no exit meets an empty stack and
 * every call can be told at once. All other rules are the same, and so are the clocks: they are the
 * rebuilder's own. Kept are the stacks and nothing else.
 *
 * A source that does not hold any more what the guide was made of is noticed: by ids that the guide
 * does not know, by calls that do not fit, at the latest by the counts at the end. */
#ifndef AF_CALLS_CALL_WALK_H
#define AF_CALLS_CALL_WALK_H

#include <aflame/calls.h>
#include "build/consumer.h"
#include "build/walk_plan.h"

/* As af_call_observer, and `pass`, which may be NULL: a record of the thread that neither begins
 * nor ends a call. */
typedef struct {
    gboolean (*enter)(void *user, const af_call_event *edge, GError **error);
    gboolean (*leave)(void *user, const af_call_event *edge, GError **error);
    gboolean (*pass)(void *user, const af_call_event *edge, GError **error);
    void *user;
} af_observer;

/* What to say when the source is not what it was. */
#define AF_INPUT_CHANGED                                                                           \
    "the input has changed while it was read; try again when nothing writes to it"

typedef struct af_call_walk af_call_walk;

/* Both are borrowed. NULL if the machine refuses memory. */
af_call_walk *af_call_walk_new(const af_walk_plan *guide, const af_observer *observer);
void af_call_walk_free(af_call_walk *replay);

/* Only calls of the labels with a 1 and calls right inside them are told. Borrowed. */
void af_call_walk_limit(af_call_walk *replay, const guint8 *labels);

/* Receives the second reading; borrows the walk. It stops the reading when the observer does, or
 * when the input turns out to have changed: af_call_walk_finish() returns the reason. */
af_event_consumer af_call_walk_consumer(af_call_walk *walk);

/* Leaves what is open. FALSE with the observer's error, AF_ERROR_MISSING if the source has changed,
 * or _MEMORY. */
gboolean af_call_walk_finish(af_call_walk *replay, GError **error);

#endif
