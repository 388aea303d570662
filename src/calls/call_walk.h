/* A call walk: the events of a second reading, reported as calls in time order.
 *
 * The rebuilder (rebuild.h) knows some things only at the end of a trace; the walk plan supplies
 * them to the walk. Each thread starts with the calls that were open before the trace, so no exit
 * meets an empty stack and every call is reported immediately. All other rules and the repair of
 * clocks are the rebuilder's own. A walk stores only the stacks of open calls.
 *
 * A walk notices that the input has changed since the first reading: by ids that the plan lacks, by
 * exits that match no call, or by the counts at the end. */
#pragma once

#include <aflame/calls.h>
#include "build/consumer.h"
#include "build/walk_plan.h"

/* As af_call_observer. `pass`, which may be NULL, receives records that neither begin nor end a
 * call; `state`, which may be NULL, receives the states of threads before the calls. */
typedef struct {
    bool (*enter)(void *user, const af_call_event *edge, GError **error);
    bool (*leave)(void *user, const af_call_event *edge, GError **error);
    bool (*pass)(void *user, const af_call_event *edge, GError **error);
    void *user;
    gboolean (*state)(void *user, const af_run_interval *interval, GError **error);
} af_observer;

typedef struct af_call_walk af_call_walk;

#define AF_NOT_WALKED UINT32_MAX

/* What a walk reports; all of it is borrowed. */
typedef struct {
    const guint8 *labels; /* a byte for each label: only calls of labels whose byte is 1, and calls
                             directly inside them. NULL = all */
    const uint32_t *number_of; /* by thread of the profile that was read: its number in the reports;
                                  AF_NOT_WALKED = none. NULL = the same number */
} af_call_walk_limits;

/* Borrows `plan` and copies `observer`. NULL if memory is refused. */
af_call_walk *af_call_walk_new(const af_walk_plan *plan, const af_observer *observer,
                               const af_call_walk_limits *limits);
void af_call_walk_free(af_call_walk *walk);

/* Receives the second reading; borrows the walk. It stops the reading when the observer does, or
 * when the input turns out to have changed: af_call_walk_finish() returns the reason. */
af_event_consumer af_call_walk_consumer(af_call_walk *walk);

/* Leaves all open calls. FALSE with the observer's error, AF_ERROR_MISSING if the input has
 * changed, or AF_ERROR_MEMORY. */
gboolean af_call_walk_finish(af_call_walk *walk, GError **error);
