#include "model/tree_rewrite.h"

#include <string.h>

#include "base/idmap.h"
#include "model/waits.h"

gboolean af_plan_init(af_plan *plan, const af_tree *tree)
{
    plan->into = g_try_malloc_n(tree->n, sizeof(uint32_t) * 3);
    plan->emptied = g_try_malloc0(tree->n);
    if (plan->into == NULL || plan->emptied == NULL) {
        return FALSE;
    }
    plan->parent = plan->into + tree->n;
    plan->label = plan->parent + tree->n;
    for (uint32_t n = 0; n < tree->n; n++) {
        plan->into[n] = n;
    }
    memcpy(plan->parent, tree->parent, tree->n * sizeof(uint32_t));
    memcpy(plan->label, tree->label, tree->n * sizeof(uint32_t));
    return TRUE;
}

void af_plan_clear(af_plan *plan)
{
    g_free(plan->into);
    g_free(plan->emptied);
    memset(plan, 0, sizeof *plan);
}

/* The mapping of the old tree's nodes to the new tree. */
typedef struct {
    const af_tree *tree;
    const af_plan *plan;
    uint32_t *node_of; /* by old node; AF_NO_NODE = its frame is removed */
    uint32_t n;        /* number of nodes of the new tree */
    af_tree *made;
} regrouping;

/* The parent and label of the node that the old node becomes. A node that keeps its label and waits
 * for work merges only with others that do, so that idle and blocked time stay apart. */
static uint64_t find_key(const regrouping *r, uint32_t n)
{
    const uint32_t label = r->plan->label[n];
    const gboolean is_idle = r->tree->reason[n] == AF_WAITS_IDLE && label == r->tree->label[n];
    return (uint64_t)r->node_of[r->plan->parent[n]] << 32 | (label ^ (is_idle ? 1u << 31 : 0));
}

/* Numbers the new nodes: first in the order of the old ones, then in preorder. */
static gboolean number_nodes(regrouping *r)
{
    af_idmap keys; /* of all nodes but 0 */
    af_array parents;
    af_idmap_init_hashed(&keys, NULL);
    af_array_init(&parents, sizeof(uint32_t));
    af_array_add(&parents, 1);
    r->node_of[0] = 0;
    for (uint32_t n = 1; n < r->tree->n; n++) {
        r->node_of[n] = AF_NO_NODE;
        if (r->plan->into[n] == n) {
            r->node_of[n] = af_idmap_number(&keys, find_key(r, n)) + 1;
            if (r->node_of[n] == parents.n) {
                af_array_append(&parents, &r->node_of[r->plan->parent[n]]);
            }
        }
    }
    r->n = (uint32_t)parents.n;
    g_autofree uint32_t *numbers =
        keys.failed || parents.failed ? NULL : af_tree_number_nodes(&parents);
    for (uint32_t n = 0; numbers != NULL && n < r->tree->n; n++) {
        r->node_of[n] = r->node_of[n] == AF_NO_NODE ? AF_NO_NODE : numbers[r->node_of[n]];
    }
    af_idmap_clear(&keys);
    af_array_clear(&parents);
    return numbers != NULL;
}

/* Computes the self times of the new tree. `inclusive` receives, for each remaining node of the old
 * tree, its inclusive time without merging siblings. */
static void fill_self(const regrouping *r, unsigned clock, uint64_t *inclusive)
{
    const af_tree *tree = r->tree;
    const af_plan *plan = r->plan;
    uint64_t *self = r->made->self[clock];
    memset(inclusive, 0, tree->n * sizeof *inclusive);
    for (uint32_t n = tree->n - 1; n > 0; n--) {
        const uint32_t into = plan->into[n];
        if (into == 0 || into == AF_NO_NODE) {
            continue;
        }
        if (plan->emptied[n] == 0) {
            inclusive[into] += tree->self[clock][n];
            self[r->node_of[into]] += tree->self[clock][n];
        }
        if (into == n && plan->parent[n] != 0) {
            inclusive[plan->parent[n]] += inclusive[n];
        }
    }
}

/* Flags of a new node's calls. */
enum { USED = 1, TIMES_UNKNOWN = 2 };

/* A node whose time is unchanged still has its calls; a single call has all of the node's time. */
static void fill_extremes(const regrouping *r, unsigned clock, const uint64_t *inclusive,
                          guint8 *known)
{
    const af_tree *tree = r->tree;
    memset(known, 0, r->n);
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t at = r->node_of[n];
        if (at == AF_NO_NODE) {
            continue;
        }
        uint64_t *min = &r->made->min[clock][at], *max = &r->made->max[clock][at];
        const gboolean same = inclusive[n] == tree->inclusive[clock][n];
        if (tree->calls[n] > 1 && (!same || af_tree_lacks_call_times(tree, n, clock))) {
            known[at] |= TIMES_UNKNOWN;
            continue;
        }
        const uint64_t least = tree->calls[n] == 1 ? inclusive[n] : tree->min[clock][n];
        const uint64_t most = tree->calls[n] == 1 ? inclusive[n] : tree->max[clock][n];
        *min = (known[at] & USED) == 0 ? least : MIN(*min, least);
        *max = MAX(*max, most);
        known[at] |= USED;
    }
    for (uint32_t at = 0; at < r->n; at++) {
        if ((known[at] & TIMES_UNKNOWN) != 0) {
            r->made->min[clock][at] = r->made->max[clock][at] = 0;
        }
    }
}

static gboolean fill_columns(regrouping *r)
{
    r->made = af_tree_new(r->n, af_tree_columns(r->tree));
    g_autofree uint64_t *inclusive = g_try_malloc_n(r->tree->n, sizeof *inclusive);
    g_autofree guint8 *known = g_try_malloc(r->n);
    const gboolean ok = r->made != NULL && inclusive != NULL && known != NULL;
    if (ok) {
        const af_tree *tree = r->tree;
        /* downwards: the first of the nodes that merge comes last, and decides */
        for (uint32_t n = tree->n - 1; n > 0; n--) {
            const uint32_t at = r->node_of[n];
            if (at == AF_NO_NODE) {
                continue;
            }
            r->made->parent[at] = r->node_of[r->plan->parent[n]];
            r->made->label[at] = r->plan->label[n];
            r->made->reason[at] = tree->reason[n];
            r->made->calls[at] += tree->calls[n];
            r->made->unwinds[at] += tree->unwinds[n];
        }
        /* Follows the self times. */
        const af_plan *plan = r->plan;
        for (uint32_t n = 1; r->tree->runnable != NULL && n < r->tree->n; n++) {
            const uint32_t into = plan->into[n];
            if (into != 0 && into != AF_NO_NODE && plan->emptied[n] == 0) {
                r->made->runnable[r->node_of[into]] += r->tree->runnable[n];
            }
        }
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (r->tree->self[c] != NULL) {
                fill_self(r, c, inclusive);
                fill_extremes(r, c, inclusive, known);
            }
        }
        af_tree_sum(r->made);
    }
    return ok;
}

af_tree *af_tree_regroup(const af_tree *tree, const af_plan *plan, uint32_t *node_of)
{
    g_autofree uint32_t *own = node_of == NULL ? g_try_new(uint32_t, tree->n) : NULL;
    regrouping r = {.tree = tree, .plan = plan};
    r.node_of = own != NULL ? own : node_of;
    if (r.node_of == NULL || !number_nodes(&r) || !fill_columns(&r)) {
        g_clear_pointer(&r.made, af_tree_free);
    }
    return r.made;
}

af_tree *af_tree_relabel(const af_tree *tree, const uint32_t *label_of)
{
    af_plan plan;
    af_tree *made = NULL;
    if (af_plan_init(&plan, tree)) {
        for (uint32_t n = 1; n < tree->n; n++) {
            plan.label[n] = label_of[tree->label[n]];
        }
        made = af_tree_regroup(tree, &plan, NULL);
    }
    af_plan_clear(&plan);
    return made;
}

static uint32_t parent_of(const af_array *nodes, uint32_t i)
{
    return *(const uint32_t *)af_array_at(nodes, i);
}

uint32_t *af_tree_number_nodes(const af_array *nodes)
{
    const uint32_t n = (uint32_t)nodes->n;
    uint32_t *sizes = g_try_new(uint32_t, n), *next = g_try_new(uint32_t, n);
    for (uint32_t i = 0; sizes != NULL && i < n; i++) {
        sizes[i] = 1;
    }
    for (uint32_t i = n; sizes != NULL && --i > 0;) {
        sizes[parent_of(nodes, i)] += sizes[i];
    }
    uint32_t *numbers = sizes; /* shares the array: a size is not needed once the number is known */
    for (uint32_t i = 0; numbers != NULL && next != NULL && i < n; i++) {
        const uint32_t size = sizes[i];
        numbers[i] = i == 0 ? 0 : next[parent_of(nodes, i)];
        next[i] = numbers[i] + 1;
        if (i > 0) {
            next[parent_of(nodes, i)] += size;
        }
    }
    if (next == NULL) {
        g_clear_pointer(&numbers, g_free);
    }
    g_free(next);
    return numbers;
}

void af_tree_copy_node(af_tree *to, uint32_t at, const af_tree *from, uint32_t node)
{
    to->label[at] = from->label[node];
    to->reason[at] = from->reason[node];
    to->calls[at] = from->calls[node];
    to->unwinds[at] = from->unwinds[node];
    if (to->runnable != NULL && from->runnable != NULL) {
        to->runnable[at] = from->runnable[node];
    }
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (to->self[c] != NULL && from->self[c] != NULL) {
            to->self[c][at] = from->self[c][node];
            to->min[c][at] = from->min[c][node];
            to->max[c][at] = from->max[c][node];
        }
    }
}

gboolean af_tree_has_twins(const af_tree *tree, const uint32_t *label_of, const guint8 *shared)
{
    af_idmap known; /* parent and label of the nodes so far */
    af_idmap_init_hashed(&known, NULL);
    gboolean found = FALSE;
    for (uint32_t n = 1; n < tree->n && !found; n++) {
        const uint32_t label = label_of[tree->label[n]], before = known.n;
        found = shared[label] != 0 &&
                af_idmap_number(&known, (uint64_t)tree->parent[n] << 32 | label) != before;
    }
    af_idmap_clear(&known);
    return found;
}
