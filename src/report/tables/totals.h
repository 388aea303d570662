/* Calls and times of a profile, added up by group.
 *
 * A group is a set of labels: one label, all labels of a class, of a package. A call is outermost
 * if no call of its group encloses it, otherwise it is nested (Traceview: recursive). Inclusive
 * time counts outermost calls only, so nothing is counted twice along a path, and self times of all
 * groups add up to the time of the threads. */
#pragma once

#include "model/profile.h"

/* Kinds of time: those of the clocks, and waiting (AF_WAIT). Arrays here are indexed by af_clock.
 */
#define AF_MEASURES 3

/* The part of the profile that a report is about. */
typedef struct {
    const af_profile *profile;
    unsigned clocks;         /* bits 1 << clock; the shown clocks that any thread has */
    int first;               /* the clock that is shown first; AF_CLOCK_DEFAULT = the default */
    const uint32_t *threads; /* indices, ascending */
    uint32_t n_threads;
    uint32_t n_left_out;                /* other threads, which lack the only clock that is shown */
    const af_unit *unit;                /* of all times if they have no clock; otherwise NULL */
    const char *self_id, *inclusive_id; /* for column ids: "self_cycles" */
    const char *thread_word, *threads_word; /* what people read: "thread", or "heap" */
} af_scope;

/* Times of AF_WAIT are sums of terms (af_tree_self_term()): af_figures_fill() limits them to 0. */
typedef struct {
    uint64_t self[AF_MEASURES], inclusive[AF_MEASURES];
    uint64_t nested_time[AF_MEASURES];           /* inclusive times of nested calls, each counted */
    uint64_t min[AF_MEASURES], max[AF_MEASURES]; /* of one call, including nested ones */
    uint64_t tracer[AF_MEASURES];    /* of `self`; 0 for waiting and for traces without it */
    uint64_t calls, nested, unwinds; /* calls: outermost */
    /* of the waiting, the time in which it was runnable; of outermost calls as `inclusive` */
    uint64_t self_runnable, runnable;
    gboolean has_runnable, lacks_runnable; /* some threads have it; some that wait lack it */
    gboolean uncounted;                    /* some threads have no call counts */
    unsigned known,
        lacking; /* bits 1 << clock: those that some of its threads have, those that some lack */
    gboolean unclear[AF_MEASURES]; /* single calls are unknown: no min and max */
    uint32_t threads;              /* number of threads with the group */
    uint32_t last_thread;          /* the last of them, + 1 */
} af_totals;

static inline gboolean af_scope_has(const af_scope *scope, af_clock clock)
{
    return (scope->clocks >> (unsigned)clock & 1u) != 0;
}

/* Whether the report shows the clock and the thread of this tree has it. */
static inline gboolean af_scope_reads(const af_scope *scope, const af_tree *tree, af_clock clock)
{
    return af_scope_has(scope, clock) && af_tree_has(tree, clock);
}

/* The number of threads in the scope that lack a clock. */
uint32_t af_scope_n_without(const af_scope *scope, af_clock clock);

/* The time of the threads in the scope: 100 %. */
uint64_t af_scope_time_ns(const af_scope *scope, af_clock clock);

/* Totals of `n_groups` groups; label l belongs to group_of[l], or is a group itself if that is NULL.
 * Linear in the nodes. Free with g_free(); NULL if out of memory. */
af_totals *af_totals_new(const af_scope *scope, const uint32_t *group_of, uint32_t n_groups);

/* The same, but idle nodes (af_waits_is_idle()) belong to `idle_group`, at most `n_groups`, unless it
 * is AF_NO_IDLE_GROUP. */
#define AF_NO_IDLE_GROUP UINT32_MAX
af_totals *af_totals_new_busy(const af_scope *scope, const uint32_t *group_of, uint32_t n_groups,
                              uint32_t idle_group);

/* Whether any thread in the scope recorded when it was runnable. */
gboolean af_scope_has_runnable(const af_scope *scope);

/* Adds the calls and times of a node of a thread of the profile, whose calls are outermost. */
void af_totals_add_node(af_totals *totals, const af_scope *scope, uint32_t thread, uint32_t node);

/* Totals of one thread: all its calls count as outermost. */
void af_totals_of_thread(const af_scope *scope, uint32_t thread, af_totals *totals);
