/* A call tree: the calls of one thread, merged by label along the path.
 *
 * Columns indexed by node number. Node 0 is the thread. Invariants:
 *   - parent[n] < n for every n > 0, so one pass from the back sums without recursion and
 *     200,000 levels are ordinary input;
 *   - the numbers are those of a walk that visits a node, then its children in order of their
 *     first call: the nodes below n are n + 1 ... n + (size of n) - 1;
 *   - inclusive = self + sum of the children's inclusive, for each clock; self[0] is 0, because
 *     what lies between outermost calls belongs to no method;
 *   - columns of a clock that the profile lacks are NULL. */
#ifndef AF_MODEL_TREE_H
#define AF_MODEL_TREE_H

#include <stdint.h>
#include <glib.h>
#include <aflame/profile.h>

#define AF_NO_LABEL UINT32_MAX
#define AF_NO_NODE  UINT32_MAX

typedef struct {
    uint32_t n;
    uint32_t *parent;  /* parent[0] = AF_NO_NODE */
    uint32_t *label;   /* into the profile's labels; label[0] = AF_NO_LABEL */
    uint32_t *depth;   /* depth[0] = 0 */
    uint64_t *calls;   /* calls[0] = 0 */
    uint64_t *unwinds; /* calls that an exception left */
    uint64_t *self[AF_CLOCKS];      /* ns */
    uint64_t *inclusive[AF_CLOCKS]; /* ns */
    uint64_t *min[AF_CLOCKS];       /* ns, shortest call; 0 where calls is 0 */
    uint64_t *max[AF_CLOCKS];       /* ns, longest call */
    void *block;                    /* what the columns lie in */
    size_t block_size;
} af_tree;

/* Room for `n` nodes with the columns of the `clocks` (bits 1 << clock), all zero. NULL if the
 * machine refuses the memory. */
af_tree *af_tree_new(uint32_t n, unsigned clocks);
void af_tree_free(af_tree *tree);

/* Fills depth and inclusive from parent and self. */
void af_tree_sum(af_tree *tree);

/* NULL if the invariants hold, else a sentence that names the first that does not; static. */
const char *af_tree_check(const af_tree *tree);

/* The tree with `label_of[label]` in the place of every label, siblings that became equal merged.
 * The new tree has the invariants; NULL if the machine refuses the memory. */
af_tree *af_tree_relabel(const af_tree *tree, const uint32_t *label_of);

#endif
