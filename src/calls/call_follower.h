/* A call follower: turns the edges of a call walk into whole calls and reports each wanted call
 * when it ends.
 *
 * A lens describes the effect of the steps of a reshaping on each call. A call whose frame was
 * removed is not reported. The self time of every call goes to the frame that has it in the
 * reshaped tree, or is dropped if the tree dropped it, so the calls of a node always add up to the
 * node. A follower stores only the stacks of open calls. */
#pragma once

#include "model/profile.h"
#include "calls/call_walk.h"

/* The effect of steps on the calls of a profile; everything is borrowed. `shown` == NULL means no
 * steps. */
typedef struct {
    const uint32_t
        *thread; /* by thread: its index in `shown`; AF_NO_NODE = not shown. NULL = all are shown */
    const af_profile *shown;
    const uint32_t *const
        *node; /* by thread and node: its frame in `shown`; AF_NO_NODE = removed */
    const uint32_t *const *time; /* by thread and node: the frame that has its self time */
    const guint8 *wanted;        /* by label of `shown` */
} af_lens;

typedef enum {
    AF_BEGIN_RECORDED = 0,
    AF_BEGIN_EARLY, /* before the trace began */
    AF_BEGIN_CUT,   /* before the selected part of the trace */
} af_call_begin;

typedef struct {
    uint64_t number;        /* from 1, in the order in which the wanted calls begin in the input */
    uint32_t thread;        /* of `shown` */
    uint32_t label, caller; /* of `shown`; AF_NO_LABEL = no caller */
    uint32_t depth;         /* from 1, counting shown calls */
    uint64_t begin_ns[AF_CLOCKS]; /* as in af_call_event */
    uint64_t time_ns[AF_CLOCKS], self_ns[AF_CLOCKS];
    gboolean has_runnable; /* the two below are known */
    uint64_t runnable_ns, self_runnable_ns;
    uint64_t slept_ns; /* its longest sleep that another thread ended; 0 = none is known */
    uint32_t waker;    /* that thread, in the profile's wakers */
    unsigned lacks;    /* bits 1 << clock, with AF_WAIT: clocks that its thread lacks */
    gboolean nested;   /* inside a wanted call of the same label */
    af_call_begin begin;
    af_call_end end;
    gboolean cut; /* it ends after the selected part of the trace */
} af_call;

typedef gboolean (*af_call_func)(void *user, const af_call *call, GError **error);

typedef struct af_call_follower af_call_follower;

/* For a walk over `profile`. Borrows profile and lens. NULL if memory is refused. */
af_call_follower *af_call_follower_new(const af_profile *profile, const af_lens *lens,
                                       af_call_func callback, void *user);
void af_call_follower_free(af_call_follower *follower);

/* The observer that receives the edges. Without steps, a walk limited to wanted calls and calls
 * directly inside them is enough. */
af_observer af_call_follower_observer(af_call_follower *follower);

/* The number of wanted calls that have begun so far. */
uint64_t af_call_follower_begun(const af_call_follower *follower);

/* The number of open calls of a thread, shown or not, and the label of each in the walked profile,
 * outermost first. */
uint32_t af_call_follower_n_open(const af_call_follower *follower, uint32_t thread);
uint32_t af_call_follower_label_at(const af_call_follower *follower, uint32_t thread,
                                   uint32_t index);
