/* Merges methods that call themselves, directly or through a few others.
 *
 * In this file, the path of a node is what its callers have become so far. If the labels at the end
 * of the path repeat (a b c a b c), the last frame merges with its counterpart one turn earlier,
 * and its callees become callees of that frame. Only whole turns merge: a frame that merely has a
 * namesake somewhere among its callers (Method.invoke at the bottom of the stack and again near its
 * top) stays, because the frames between would lose time that belongs to them. */
#include "transform/step.h"

enum { TURN_MAX = 24 };

/* Whether the turn that ends with a child of `parent` repeats the turn that ends with `earlier`:
 * compares the `turn` - 1 frames before each. */
static gboolean is_repeated(const af_tree *tree, const af_plan *plan, uint32_t parent,
                            uint32_t earlier, unsigned turn)
{
    uint32_t one = parent, other = plan->parent[earlier];
    for (unsigned i = 1; i < turn; i++) {
        if (other == 0 || tree->label[one] != tree->label[other]) {
            return FALSE;
        }
        one = plan->parent[one];
        other = plan->parent[other];
    }
    return TRUE;
}

/* The frame one turn before node `n`, whose parent has become `parent`; `n` if none. */
static uint32_t find_turn(const af_tree *tree, const af_plan *plan, uint32_t n, uint32_t parent)
{
    uint32_t earlier = parent;
    for (unsigned turn = 1; turn <= TURN_MAX && earlier != 0; turn++) {
        if (tree->label[earlier] == tree->label[n] &&
            is_repeated(tree, plan, parent, earlier, turn)) {
            return earlier;
        }
        earlier = plan->parent[earlier];
    }
    return n;
}

static uint64_t plan_turns(const af_tree *tree, af_plan *plan, const void *user)
{
    uint64_t collapsed = 0;
    for (uint32_t n = 1; n < tree->n; n++) {
        plan->parent[n] = plan->into[tree->parent[n]];
        plan->into[n] = find_turn(tree, plan, n, plan->parent[n]);
        collapsed += plan->into[n] != n;
    }
    return collapsed;
}

const af_step_class af_step_collapse_recursion = {
    "collapse-recursion", "Merge calls of a method to itself",
    "Merge the calls of a method to itself into one frame, and those of up to 24\n"
    "methods that call each other in turn.\n"
    "All time stays.",
    AF_STEP_NO_VALUE, .plan = plan_turns};
