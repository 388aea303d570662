/* A call tree: the calls of one thread, merged by label along the path.
 *
 * Columns indexed by node number. Node 0 is the thread. Invariants:
 *   - parent[n] < n for every n > 0, so one pass from the back sums without recursion and
 *     200,000 levels are ordinary input;
 *   - the numbers are those of a walk that visits a node, then its children in order of their
 *     first call: the nodes below n are n + 1 ... n + (size of n) - 1;
 *   - inclusive = self + sum of the children's inclusive, for each clock; self[0] is 0, because
 *     what lies between outermost calls belongs to no method;
 *   - columns of a clock that the thread lacks are NULL. */
#ifndef AF_MODEL_TREE_H
#define AF_MODEL_TREE_H

#include <stdint.h>
#include <glib.h>
#include <aflame/profile.h>

#define AF_NO_LABEL UINT32_MAX
#define AF_NO_NODE  UINT32_MAX

typedef struct {
    uint32_t n;
    uint32_t *parent;               /* parent[0] = AF_NO_NODE */
    uint32_t *label;                /* into the profile's labels; label[0] = AF_NO_LABEL */
    uint32_t *depth;                /* depth[0] = 0 */
    uint64_t *calls;                /* calls[0] = 0; of samples all are 0 */
    uint64_t *unwinds;              /* calls that an exception left */
    uint64_t *self[AF_CLOCKS];      /* ns */
    uint64_t *inclusive[AF_CLOCKS]; /* ns */
    uint64_t *min[AF_CLOCKS];       /* ns, shortest call; 0 where calls is 0 */
    uint64_t *max[AF_CLOCKS];       /* ns, longest call */
    uint64_t *wait;                 /* inclusive AF_WAIT; NULL until af_tree_times() makes it */
    void *block;                    /* what the columns lie in */
    size_t block_size;
} af_tree;

/* Room for `n` nodes with the columns of the `clocks` (bits 1 << clock), all zero. NULL if the
 * machine refuses the memory. */
af_tree *af_tree_new(uint32_t n, unsigned clocks);
void af_tree_free(af_tree *tree);

/* The clocks of a tree as bits 1 << clock. */
unsigned af_tree_clocks(const af_tree *tree);

/* Makes a tree lack all other clocks. */
void af_tree_keep_clocks(af_tree *tree, unsigned clocks);

/* Fills depth and inclusive from parent and self. */
void af_tree_sum(af_tree *tree);

/* The column of inclusive times. That of AF_WAIT is made when it is first asked for, by whichever
 * thread; self times must not change afterwards. NULL for a clock that the tree lacks, or if the
 * machine refuses the memory. */
const uint64_t *af_tree_times(const af_tree *tree, af_clock clock);

/* A node's inclusive time, 0 in a clock that the tree lacks. Needs no memory: where the column is
 * refused, what lies below the node is added up. */
uint64_t af_tree_time_ns(const af_tree *tree, uint32_t node, af_clock clock);

/* Whether the tree has what `clock` needs. */
static inline gboolean af_tree_has(const af_tree *tree, af_clock clock)
{
    return clock == AF_WAIT ? tree->self[AF_WALL] != NULL && tree->self[AF_CPU] != NULL
                            : tree->self[clock] != NULL;
}

/* Time of a node itself in a clock that the tree has. Time that was waiting: wall minus CPU, never
 * below 0, which CPU clocks that tick coarsely would make it. */
static inline uint64_t af_tree_self_ns(const af_tree *tree, uint32_t node, af_clock clock)
{
    if (clock != AF_WAIT) {
        return tree->self[clock][node];
    }
    const uint64_t wall = tree->self[AF_WALL][node], cpu = tree->self[AF_CPU][node];
    return wall > cpu ? wall - cpu : 0;
}

/* NULL if the invariants hold, else a sentence that names the first that does not; static. */
const char *af_tree_check(const af_tree *tree);

/* The tree with `label_of[label]` in the place of every label, siblings that became equal merged.
 * The new tree has the invariants; NULL if the machine refuses the memory. More can be done with
 * model/regroup.h. */
af_tree *af_tree_relabel(const af_tree *tree, const uint32_t *label_of);

#endif
