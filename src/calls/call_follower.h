/* Follows a walk over calls (replay.h) and tells those that are wanted, whole, as each ends.
 *
 * What is wanted is seen through a lens: what became of each call under the steps of a reshaping. A
 * call whose frame went is not told. Its time, and that of every other call, is with the call of
 * the frame that the tree gives it to, or left out where the tree left it out; so the calls of a
 * node add up to the node, whatever was done to it. Kept are the stacks and nothing else. */
#ifndef AF_CALLS_CALL_FOLLOWER_H
#define AF_CALLS_CALL_FOLLOWER_H

#include "model/profile.h"
#include "calls/call_walk.h"

/* How the calls of a profile are seen; all borrowed. Without `shown` they are seen as they are. */
typedef struct {
    const uint32_t *thread; /* by thread: that of `shown`; AF_NO_NODE = not seen. NULL = all are */
    const af_profile *shown;
    const uint32_t *const
        *node; /* by thread and node: its frame in `shown`; AF_NO_NODE = it went */
    const uint32_t *const *time; /* the same: the frame that has its self time */
    const guint8 *wanted;        /* by label of `shown` */
} af_lens;

typedef enum {
    AF_BEGIN_RECORDED = 0,
    AF_BEGIN_EARLY, /* before the trace began */
    AF_BEGIN_CUT,   /* before its part that is looked at */
} af_call_begin;

typedef struct {
    uint64_t number;        /* from 1, in the order in which the wanted calls begin in the input */
    uint32_t thread;        /* as it is shown */
    uint32_t label, caller; /* as they are shown; the caller is AF_NO_LABEL without one */
    uint32_t depth;         /* from 1, among the shown */
    uint64_t begin_ns[AF_CLOCKS]; /* as in af_call_event */
    uint64_t time_ns[AF_CLOCKS], self_ns[AF_CLOCKS];
    unsigned lacks;  /* bits 1 << clock, AF_WAIT too: of these its thread has no times */
    gboolean nested; /* a wanted call of the same label is open around it */
    af_call_begin begin;
    af_call_end end;
    gboolean cut; /* it ends behind the part that is looked at */
} af_call;

typedef gboolean (*af_call_func)(void *user, const af_call *call, GError **error);

typedef struct af_call_follower af_call_follower;

/* For a walk over `profile`. Profile and lens are borrowed. NULL if the machine refuses memory. */
af_call_follower *af_call_follower_new(const af_profile *profile, const af_lens *lens,
                                       af_call_func told, void *user);
void af_call_follower_free(af_call_follower *track);

/* What is to be told the edges. Without steps those of wanted calls and of calls right inside them
 * will do. */
af_observer af_call_follower_observer(af_call_follower *track);

/* The wanted calls that have begun so far. */
uint64_t af_call_follower_begun(const af_call_follower *track);

/* The calls of a thread that are open, whether they are shown or not, and the labels that they are
 * walked under, outermost first. */
uint32_t af_call_follower_n_open(const af_call_follower *track, uint32_t thread);
uint32_t af_call_follower_label_at(const af_call_follower *track, uint32_t thread, uint32_t place);

#endif
