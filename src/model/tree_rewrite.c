#include "model/tree_rewrite.h"

#include <string.h>

#include "base/hash.h"
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
    uint32_t
        *first; /* the first of the nodes that merge with it; AF_NO_NODE = its frame is removed */
    uint32_t *number; /* of `first`: its node in the new tree */
    uint32_t *next;   /* of `first`: the next free number in its subtree */
    uint32_t left;    /* number of nodes of the new tree */
    af_tree *made;
} regrouping;

/* Children by (parent, label): node + 1, 0 = free. */
typedef struct {
    const af_hash_secret *secret;
    uint32_t *slots;
    uint32_t mask;
} child_index;

/* Whether a node that keeps its label waits for work: it merges with others that do, so that idle and
 * blocked time stay apart. */
static gboolean is_idle(const regrouping *r, uint32_t n)
{
    return r->tree->reason[n] == AF_WAITS_IDLE && r->plan->label[n] == r->tree->label[n];
}

/* Returns the representative of all nodes with this parent (itself a representative) and label. */
static uint32_t find_or_put(const regrouping *r, const child_index *index, uint32_t parent,
                            uint32_t node)
{
    const uint32_t label = r->plan->label[node];
    uint32_t at = af_hash_number(index->secret, (uint64_t)parent << 32 | label) & index->mask;
    for (; index->slots[at] != 0; at = (at + 1) & index->mask) {
        const uint32_t other = index->slots[at] - 1;
        if (r->first[r->plan->parent[other]] == parent && r->plan->label[other] == label &&
            is_idle(r, other) == is_idle(r, node)) {
            return other;
        }
    }
    index->slots[at] = node + 1;
    return node;
}

static gboolean find_first(regrouping *r)
{
    child_index index;
    uint64_t n_slots = 16;
    while (n_slots < (uint64_t)r->tree->n * 2) {
        n_slots *= 2;
    }
    index.secret = af_hash_get_secret();
    index.slots = g_try_malloc0_n(n_slots, sizeof(uint32_t));
    index.mask = (uint32_t)(n_slots - 1);
    if (index.slots == NULL) {
        return FALSE;
    }
    r->first[0] = 0;
    r->left = 1;
    for (uint32_t n = 1; n < r->tree->n; n++) {
        r->first[n] = AF_NO_NODE;
        if (r->plan->into[n] == n) {
            r->first[n] = find_or_put(r, &index, r->first[r->plan->parent[n]], n);
            r->left += r->first[n] == n;
        }
    }
    g_free(index.slots);
    return TRUE;
}

/* Numbers the nodes in preorder: each node reserves as many numbers as its subtree needs. */
static void number_nodes(regrouping *r)
{
    uint32_t *sizes = r->next; /* size of each node's subtree, until the node has its number */
    const uint32_t *parent = r->plan->parent;
    for (uint32_t n = 0; n < r->tree->n; n++) {
        sizes[n] = r->first[n] == n;
    }
    for (uint32_t n = r->tree->n - 1; n > 0; n--) {
        if (r->first[n] == n) {
            sizes[r->first[parent[n]]] += sizes[n];
        }
    }
    r->number[0] = 0;
    r->next[0] = 1;
    for (uint32_t n = 1; n < r->tree->n; n++) {
        if (r->first[n] == n) {
            const uint32_t above = r->first[parent[n]];
            r->number[n] = r->next[above];
            r->next[above] += sizes[n];
            r->next[n] = r->number[n] + 1;
        }
    }
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
            self[r->number[r->first[into]]] += tree->self[clock][n];
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
    memset(known, 0, r->left);
    for (uint32_t n = 1; n < tree->n; n++) {
        if (r->first[n] == AF_NO_NODE) {
            continue;
        }
        const uint32_t at = r->number[r->first[n]];
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
    for (uint32_t at = 0; at < r->left; at++) {
        if ((known[at] & TIMES_UNKNOWN) != 0) {
            r->made->min[clock][at] = r->made->max[clock][at] = 0;
        }
    }
}

static gboolean fill_columns(regrouping *r)
{
    r->made = af_tree_new(r->left, af_tree_columns(r->tree));
    g_autofree uint64_t *inclusive = g_try_malloc_n(r->tree->n, sizeof *inclusive);
    g_autofree guint8 *known = g_try_malloc(r->left);
    const gboolean ok = r->made != NULL && inclusive != NULL && known != NULL;
    if (ok) {
        const af_tree *tree = r->tree;
        for (uint32_t n = 1; n < tree->n; n++) {
            const uint32_t first = r->first[n];
            if (first == AF_NO_NODE) {
                continue;
            }
            const uint32_t at = r->number[first];
            if (first == n) {
                r->made->parent[at] = r->number[r->first[r->plan->parent[n]]];
                r->made->label[at] = r->plan->label[n];
                r->made->reason[at] = tree->reason[n];
            }
            r->made->calls[at] += tree->calls[n];
            r->made->unwinds[at] += tree->unwinds[n];
        }
        /* Follows the self times. */
        const af_plan *plan = r->plan;
        for (uint32_t n = 1; r->tree->runnable != NULL && n < r->tree->n; n++) {
            const uint32_t into = plan->into[n];
            if (into != 0 && into != AF_NO_NODE && plan->emptied[n] == 0) {
                r->made->runnable[r->number[r->first[into]]] += r->tree->runnable[n];
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
    uint32_t *capacity = g_try_malloc_n(tree->n, sizeof *capacity * 3);
    regrouping r = {.tree = tree,
                    .plan = plan,
                    .first = capacity,
                    .number = capacity == NULL ? NULL : capacity + tree->n,
                    .next = capacity == NULL ? NULL : capacity + (size_t)tree->n * 2};
    gboolean ok = capacity != NULL && find_first(&r);
    if (ok) {
        number_nodes(&r);
        ok = fill_columns(&r);
    }
    for (uint32_t n = 0; ok && node_of != NULL && n < tree->n; n++) {
        node_of[n] = r.first[n] == AF_NO_NODE ? AF_NO_NODE : r.number[r.first[n]];
    }
    g_free(capacity);
    if (!ok) {
        af_tree_free(r.made);
        return NULL;
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
