/* Sleeps of one thread, from a second reading of the input: which thread ended them, and in which
 * methods or slices the thread slept in the kernel.
 *
 * Where the scheduler was recorded, it names the thread that ended a sleep. In other traces it is
 * the last thread that notified or unparked one shortly before the call ended. */
#pragma once

#include <aflame/calls.h>
#include "model/profile.h"

typedef struct af_sleeps af_sleeps;

/* NULL if memory is refused. */
af_sleeps *af_sleeps_new(const af_profile *profile, uint32_t thread);
void af_sleeps_free(af_sleeps *sleeps);

/* Looks for the threads that ended the calls of a label. */
void af_sleeps_request(af_sleeps *sleeps, uint32_t label);

/* `signals` has a byte for each label: whether its calls wake other threads; borrowed. */
void af_sleeps_set_signals(af_sleeps *sleeps, const guint8 *signals);
gboolean af_sleeps_is_signal(const af_sleeps *sleeps, uint32_t label);

/* Events in the order of a walk; states come first. */
void af_sleeps_add_state(af_sleeps *sleeps, const af_run_interval *interval);
void af_sleeps_enter(af_sleeps *sleeps, const af_call_event *event);
void af_sleeps_leave(af_sleeps *sleeps, const af_call_event *event);
void af_sleeps_end(af_sleeps *sleeps);

/* The thread that ended the largest part of the calls of a label, and that part; NULL = not known. */
const char *af_sleeps_waker(const af_sleeps *sleeps, uint32_t label, uint64_t *time);

/* The time that the thread slept in the kernel in calls of a label, without their callees. */
uint64_t af_sleeps_in_kernel(const af_sleeps *sleeps, uint32_t label);
