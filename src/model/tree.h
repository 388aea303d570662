/* A call tree: the calls of one thread, merged by label along the path.
 *
 * Columns indexed by node number. Node 0 is the thread. Invariants:
 *   - parent[n] < n for every n > 0, so one backward pass computes all sums without recursion,
 *     even for 200,000 levels;
 *   - nodes are numbered in preorder, siblings in order of their first call: the nodes below n are
 *     n + 1 ... n + (size of n) - 1;
 *   - inclusive = self + sum of the children's inclusive, for each clock; self[0] is 0, because
 *     the time between outermost calls belongs to no method;
 *   - columns of a clock that the thread lacks are NULL. */
#pragma once

#include <stdint.h>
#include <glib.h>
#include <aflame/profile.h>

#define AF_NO_LABEL UINT32_MAX
#define AF_NO_NODE  UINT32_MAX

typedef struct af_tree {
    uint32_t n;
    uint32_t *parent;               /* parent[0] = AF_NO_NODE */
    uint32_t *label;                /* into the profile's labels; label[0] = AF_NO_LABEL */
    uint32_t *depth;                /* depth[0] = 0 */
    uint8_t *reason;                /* why it waits, an af_waits: decided by its callers in the tree
                                       that was read, and kept by steps that take callers away */
    uint64_t *calls;                /* calls[0] = 0; all 0 for samples */
    uint64_t *unwinds;              /* calls ended by an exception */
    uint64_t *self[AF_CLOCKS];      /* ns */
    uint64_t *inclusive[AF_CLOCKS]; /* ns */
    uint64_t *min[AF_CLOCKS];       /* ns, shortest call; 0 where calls is 0 */
    uint64_t *max[AF_CLOCKS];       /* ns, longest call */
    uint64_t *wait;          /* the widths of AF_WAIT, first those of the paths, then those of
                                       the nodes themselves; NULL until af_tree_widths() */
    uint64_t *runnable;      /* the part of the node's own waiting in which it could have run
                                       but had no processor, in ns; NULL = not recorded */
    uint64_t *runnable_sums; /* inclusive; NULL until af_tree_runnable() computes it */
    /* Only of a profile that keeps its methods: */
    uint32_t *method;      /* the method of each node; NULL = `apart` has them, or each label has
                              one method */
    struct af_tree *apart; /* the tree before methods of one name were merged: its labels are
                              numbers of methods; NULL = nothing was merged */
    void *block;           /* memory of all columns */
    size_t block_size;
} af_tree;

/* Next to the bits of clocks: the tree has the column `runnable`, a part of the waits. Without both
 * clocks it has no effect. Its value is part of the format of saved profiles. */
#define AF_TREE_RUNNABLE (1u << 7)

/* Returns a tree of `n` nodes with columns for `clocks` (bits 1 << clock, AF_TREE_RUNNABLE),
 * all zero. NULL if memory is refused. */
af_tree *af_tree_new(uint32_t n, unsigned clocks);

/* The memory of its columns, without `runnable`. */
size_t af_tree_bytes(uint32_t n, unsigned clocks);
void af_tree_free(af_tree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_tree, af_tree_free)

/* Returns the clocks of a tree as bits 1 << clock. */
unsigned af_tree_clocks(const af_tree *tree);

/* The same with AF_TREE_RUNNABLE if the tree has that column: for af_tree_new() of a like tree. */
unsigned af_tree_columns(const af_tree *tree);

/* Removes the columns of all other clocks. */
void af_tree_keep_clocks(af_tree *tree, unsigned clocks);

/* Fills depth and inclusive from parent and self, and limits `runnable` to the waiting. */
void af_tree_sum(af_tree *tree);

/* Returns the column of inclusive times, which are the widths of a picture; NULL if the tree lacks
 * the clock or memory is refused. A parent is at least as wide as its children together, for AF_WAIT
 * too: model/wait_widths.h. The first call for AF_WAIT computes its columns and is thread-safe; self
 * times must not change afterwards. */
const uint64_t *af_tree_widths(const af_tree *tree, af_clock clock);

/* The same without the children: the self times. */
const uint64_t *af_tree_self_widths(const af_tree *tree, af_clock clock);

/* Returns the column of inclusive `runnable`; NULL if it was not recorded or memory is refused. As
 * af_tree_widths(). */
const uint64_t *af_tree_runnable(const af_tree *tree);

/* Whether the tree has the columns that `clock` needs. */
static inline gboolean af_tree_has(const af_tree *tree, af_clock clock)
{
    return clock == AF_WAIT ? tree->self[AF_WALL] != NULL && tree->self[AF_CPU] != NULL
                            : tree->self[clock] != NULL;
}

/* Terms of sums over nodes in a clock that the tree has. Those of AF_WAIT are wall minus CPU time,
 * modulo 2^64: coarse CPU clocks can exceed wall time, and only the sum of everything that is shown
 * as one number is limited to 0, by af_time_of_sum(). */
static inline uint64_t af_tree_self_term(const af_tree *tree, uint32_t node, af_clock clock)
{
    return clock != AF_WAIT ? tree->self[clock][node]
                            : tree->self[AF_WALL][node] - tree->self[AF_CPU][node];
}

static inline uint64_t af_tree_time_term(const af_tree *tree, uint32_t node, af_clock clock)
{
    return clock != AF_WAIT ? tree->inclusive[clock][node]
                            : tree->inclusive[AF_WALL][node] - tree->inclusive[AF_CPU][node];
}

static inline uint64_t af_time_of_sum(uint64_t sum, af_clock clock)
{
    return clock == AF_WAIT && (int64_t)sum < 0 ? 0 : sum;
}

/* Adds a term to a sum. Times that are counted more than once (nested calls) could overflow in a
 * crafted file. */
static inline void af_time_add(uint64_t *sum, uint64_t term, af_clock clock)
{
    *sum = clock != AF_WAIT && term > UINT64_MAX - *sum ? UINT64_MAX : *sum + term;
}

/* Returns the self time of a node in a clock that the tree has. */
static inline uint64_t af_tree_self_ns(const af_tree *tree, uint32_t node, af_clock clock)
{
    return af_time_of_sum(af_tree_self_term(tree, node, clock), clock);
}

/* Returns the inclusive time of a node, 0 if the tree lacks the clock. */
static inline uint64_t af_tree_time_ns(const af_tree *tree, uint32_t node, af_clock clock)
{
    return af_tree_has(tree, clock) ? af_time_of_sum(af_tree_time_term(tree, node, clock), clock)
                                    : 0;
}

/* Returns the part of a node's own waiting in which it was runnable; 0 if it was not recorded. */
static inline uint64_t af_tree_self_runnable_ns(const af_tree *tree, uint32_t node)
{
    return tree->runnable != NULL ? tree->runnable[node] : 0;
}

/* Returns NULL if the invariants hold, otherwise a static text that describes the first
 * violation. */
const char *af_tree_check(const af_tree *tree);

/* Returns a new tree with every label replaced by `label_of[label]` and equal siblings merged; NULL
 * if memory is refused. model/tree_rewrite.h offers more. */
af_tree *af_tree_relabel(const af_tree *tree, const uint32_t *label_of);
