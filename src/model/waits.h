/* What a method waits in, by its name: the kind of thing that a thread waits for while it is in it.
 *
 * Of waiting inside waiting the outermost says what it is: a lock is often made of Object.wait.
 * Android's methods that wait are few and well known: natives of the runtime and of the framework,
 * and the thin layers around them. Waiting in any other method is of no kind: a contended monitor,
 * a page fault, a processor that others use. */
#ifndef AF_MODEL_WAITS_H
#define AF_MODEL_WAITS_H

#include "model/profile.h"

typedef enum {
    AF_WAITS_MESSAGE = 0, /* a looper without a message */
    AF_WAITS_MONITOR,     /* Object.wait */
    AF_WAITS_LOCK,        /* Unsafe.park: what java.util.concurrent is made of */
    AF_WAITS_SLEEP,
    AF_WAITS_BINDER,  /* a call into another process */
    AF_WAITS_NETWORK, /* and other sockets */
    AF_WAITS_FILE,    /* also databases, assets, code */
    AF_WAITS_DRAWING, /* the render thread, the GPU */
    AF_WAITS_GC,
    AF_WAITS_OTHER, /* none of these */
    AF_WAITS_COUNT,
} af_waits;

/* "Object.wait", "lock", ... */
const char *af_waits_title(af_waits kind);

/* Of a class with dots and a method, of which either may be NULL. `whole` becomes TRUE if all that
 * the method calls is part of that waiting. */
af_waits af_waits_of_method(const char *class_name, const char *method, gboolean *whole);

/* What the nodes of a tree wait in. */
typedef struct {
    uint8_t *kind;    /* by node; AF_WAITS_OTHER = it does not wait in anything known */
    uint32_t *waiter; /* by node: the nearest node around it, or itself, that is of no kind; the
                         outermost if all are */
} af_waits_of_nodes;

/* The kind of each label, by its first method. The caller frees it with g_free(); NULL if the
 * machine refuses the memory. */
uint8_t *af_waits_of_labels(const af_profile *profile);

/* `of_labels` is what the above made. FALSE if the machine refuses the memory. */
gboolean af_waits_begin(af_waits_of_nodes *waits, const af_tree *tree, const uint8_t *of_labels);
void af_waits_end(af_waits_of_nodes *waits);

/* How much of a thread's waiting is of which kind, ns. FALSE if the machine refuses the memory. */
gboolean af_waits_sum(const af_profile *profile, const af_tree *tree,
                      uint64_t sums[AF_WAITS_COUNT]);

#endif
