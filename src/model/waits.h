/* Wait reasons: what a thread waits for while it is in a method, by the name of the method.
 *
 * The waiting methods of Android are few and well known: natives of the runtime and of the
 * framework and the thin layers around them. If a waiting method calls another one, the outer
 * one decides, because locks are often built on Object.wait, and a pool without a task waits in
 * a lock. Waiting in any other method has no known reason: a contended monitor, a page fault, a
 * busy processor.
 *
 * Some inputs record how long each method waited for a processor. That time has its own reason,
 * whatever the method is. */
#pragma once

#include "model/category.h"
#include "model/profile.h"

typedef enum {
    AF_WAITS_IDLE = 0, /* for work: a looper without a message, a pool or daemon without a task */
    AF_WAITS_MONITOR,  /* Object.wait */
    AF_WAITS_LOCK,     /* Unsafe.park, the basis of java.util.concurrent */
    AF_WAITS_SLEEP,
    AF_WAITS_BINDER,  /* a call into another process */
    AF_WAITS_NETWORK, /* and other sockets */
    AF_WAITS_FILE,    /* also databases, assets, code */
    AF_WAITS_DRAWING, /* the render thread, the GPU */
    AF_WAITS_GC,
    AF_WAITS_OTHER, /* none of these */
    AF_WAITS_COUNT, /* of the reasons that methods have */
    AF_WAITS_RUNNABLE = AF_WAITS_COUNT,
    AF_WAITS_ALL, /* including the recorded reason */
    AF_WAITS_LOOP =
        15, /* of methods only: it runs tasks, and waits for them in methods that it calls
                           itself */
} af_waits;

/* "Object.wait", "lock", ... */
const char *af_waits_title(af_waits kind);

#define AF_WAITS_KIND   0x0F
#define AF_WAITS_BLOCKS 0x40 /* the time of the method itself is waiting */
#define AF_WAITS_WHOLE  0x80 /* everything that the method calls belongs to the waiting */

/* Returns the reason, with the bits above, by a class name with dots and a method name; either may
 * be NULL. */
unsigned af_waits_of_method(const char *class_name, const char *method);

static inline af_waits af_waits_kind(uint8_t reason)
{
    const unsigned kind = reason & AF_WAITS_KIND;
    return kind == AF_WAITS_LOOP ? AF_WAITS_OTHER : (af_waits)kind;
}

/* The category of a node by that of its label: the same method may wait for work or for anything
 * else, and so may the kernel below it. */
static inline af_category af_waits_refine(af_category category, uint8_t reason)
{
    return reason == AF_WAITS_IDLE &&
                   (category == AF_CATEGORY_BLOCKED || category == AF_CATEGORY_KERNEL)
               ? AF_CATEGORY_IDLE
               : category;
}

static inline af_category af_waits_category(const af_profile *profile, const af_tree *tree,
                                            uint32_t n)
{
    const af_category category = tree->label[n] == AF_NO_LABEL
                                     ? AF_CATEGORY_UNKNOWN
                                     : profile->labels[tree->label[n]].category;
    return af_waits_refine(category, tree->reason[n]);
}

static inline gboolean af_waits_is_idle(const af_profile *profile, const af_tree *tree, uint32_t n)
{
    return af_waits_category(profile, tree, n) == AF_CATEGORY_IDLE;
}

/* Whether a thread is a daemon of the runtime that only runs tasks. A recording that begins
 * while it waits lacks the method that would tell. */
gboolean af_waits_is_daemon(const af_profile *profile, uint32_t thread);

/* Whether the amounts of a profile include waiting: times do, and numbers of samples and of
 * dumps of all threads, but not bytes or cycles. */
gboolean af_waits_counted(const af_profile *profile);

/* af_waits_of_method() of each label, by its first method. Free with g_free(); NULL if memory is
 * refused. */
uint8_t *af_waits_of_labels(const af_profile *profile);

/* Fills the column of reasons. `tree` is that of the thread, as read, or one with the same paths;
 * `of_labels` comes from af_waits_of_labels(). */
void af_waits_decide(const af_profile *profile, uint32_t thread, af_tree *tree,
                     const uint8_t *of_labels);

/* The same for all trees of a profile that was read. FALSE if memory is refused. */
gboolean af_waits_decide_all(const af_profile *profile);

/* Adds the waiting of the nodes of a tree themselves by reason, as af_tree_self_term(), and without
 * `apart` the recorded reason to that of the method. */
void af_waits_add(const af_tree *tree, gboolean apart, uint64_t sums[AF_WAITS_ALL]);
