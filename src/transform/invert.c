/* Inverts trees: the methods with self time become the roots, with their callers above.
 *
 * Every old node with self time passes that time, its calls and its unwinds along its path down to
 * the thread; paths with the same labels share nodes. Time that ends at a node, because its path
 * ends there, is the node's self time. So a new node's inclusive time is self time of the method at
 * its root, its calls are calls of that method, and it waits for what that method waits for; a
 * method that waits for work has a root of its own. The times of single calls are dropped: the new
 * trees are ten times as large as the old ones, and these times would be those of the root's method
 * only.
 *
 * The inverted paths of a tree can have far more nodes than the tree itself (n * n / 2 for a chain
 * of n different methods). So all paths advance in step, one caller at a time. When a quarter of
 * the node limit is used, they continue one after the other, the heaviest first; the paths that no
 * longer fit end where they are. */
#include "transform/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/capacity.h"
#include "base/idmap.h"
#include "base/memory_error.h"
#include "base/number.h"
#include "base/wide.h"
#include "model/tree_rewrite.h"
#include "model/waits.h"

/* Limits for all threads together: at least the MIN values, or the EACH values per node of the old
 * trees if that is more. */
enum {
    NODES_MIN = AF_WORK(3 << 20, 3 << 16),
    NODES_EACH = 4,
    STEPS_MIN = AF_WORK(1 << 26, 1 << 23),
    STEPS_EACH = AF_WORK(64, 8),
};

/* The limits that are left for the remaining threads. */
typedef struct {
    uint64_t old_nodes, nodes, steps;
} budget;

typedef struct {
    uint32_t parent, label; /* the parent first: for af_tree_number_nodes() */
    uint8_t reason;
    uint64_t calls, unwinds, runnable;
    uint64_t self[AF_CLOCKS];
} head_node;

/* The path of an old node that sends, up to the caller that it has reached. */
typedef struct {
    uint32_t from;   /* the old node */
    uint32_t caller; /* the caller that the path has reached */
    uint32_t at;     /* the new node of that caller */
} path;

typedef struct {
    const af_tree *tree;
    af_array nodes; /* of head_node; node 0 is the thread */
    path *paths;
    uint32_t n_paths;
    af_idmap numbers;              /* of nodes, by parent, label, and whether idle */
    uint64_t nodes_max, steps_max; /* limits for this thread */
    uint64_t steps;
    uint32_t level; /* number of callers that all paths have reached */
} inversion;

static head_node *node_at(const inversion *v, uint32_t n)
{
    return af_array_at(&v->nodes, n);
}

static uint64_t make_key(uint32_t parent, uint32_t label, uint8_t reason)
{
    return (uint64_t)parent << 32 | (uint64_t)label << 1 | (reason == AF_WAITS_IDLE);
}

/* The node with the label above `parent`; AF_NO_NODE if memory is refused. */
static uint32_t reach_node(inversion *v, uint32_t parent, uint32_t label, uint8_t reason)
{
    const uint32_t number = af_idmap_number(&v->numbers, make_key(parent, label, reason));
    if (number == v->nodes.n) {
        head_node *node = af_array_add(&v->nodes, 1);
        if (node == NULL) {
            return AF_NO_NODE;
        }
        node->parent = parent;
        node->label = label;
        node->reason = reason;
    }
    return number;
}

static gboolean has_self(const af_tree *tree, uint32_t n)
{
    return (tree->self[AF_WALL] != NULL && tree->self[AF_WALL][n] > 0) ||
           (tree->self[AF_CPU] != NULL && tree->self[AF_CPU][n] > 0);
}

static void end_path(const inversion *v, const path *p)
{
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (v->tree->self[c] != NULL) {
            node_at(v, p->at)->self[c] += v->tree->self[c][p->from];
        }
    }
    if (v->tree->runnable != NULL) {
        node_at(v, p->at)->runnable += v->tree->runnable[p->from];
    }
}

/* Advances a path by one caller. FALSE at its end. */
static gboolean follow_path(inversion *v, path *p)
{
    p->at = reach_node(v, p->at, v->tree->label[p->caller], v->tree->reason[p->from]);
    if (p->at == AF_NO_NODE) {
        return FALSE;
    }
    node_at(v, p->at)->calls += v->tree->calls[p->from];
    node_at(v, p->at)->unwinds += v->tree->unwinds[p->from];
    p->caller = v->tree->parent[p->caller];
    v->steps++;
    return TRUE;
}

/* Advances all paths by one caller and removes those at their end. */
static gboolean follow_paths(inversion *v)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < v->n_paths; i++) {
        path p = v->paths[i];
        if (p.caller == 0) {
            end_path(v, &p);
            continue;
        }
        if (!follow_path(v, &p)) {
            return FALSE;
        }
        v->paths[left++] = p;
    }
    v->n_paths = left;
    v->level++;
    return TRUE;
}

/* The clock that ranks stacks by weight. */
static af_clock find_clock(const af_tree *tree)
{
    return tree->self[AF_WALL] != NULL ? AF_WALL : AF_CPU;
}

static uint64_t weigh_path(const inversion *v, const path *p)
{
    return v->tree->self[find_clock(v->tree)][p->from];
}

static int compare_paths(gconstpointer a, gconstpointer b, gpointer user)
{
    const path *one = a, *other = b;
    const uint64_t x = weigh_path(user, one), y = weigh_path(user, other);
    return x != y ? (x < y) - (x > y) : (one->from > other->from) - (one->from < other->from);
}

static uint64_t find_share(uint64_t left, uint64_t part, uint64_t all)
{
    return (uint64_t)((af_u128)left * part / all);
}

/* Gives each thread a share of the limits by its size; what a thread does not use goes to the
 * others. */
static gboolean open_inversion(inversion *v, const af_tree *tree, const budget *left)
{
    memset(v, 0, sizeof *v);
    v->tree = tree;
    v->nodes_max = find_share(left->nodes, tree->n, left->old_nodes);
    v->steps_max = find_share(left->steps, tree->n, left->old_nodes);
    af_idmap_init_hashed(&v->numbers, NULL);
    af_array_init(&v->nodes, sizeof(head_node));
    v->paths = g_try_new(path, tree->n);
    if (v->paths == NULL || reach_node(v, AF_NO_NODE, 0, 0) != 0) { /* the thread */
        return FALSE;
    }
    for (uint32_t n = 1; n < tree->n; n++) {
        if (has_self(tree, n)) {
            v->paths[v->n_paths++] = (path){n, n, 0};
        }
    }
    return TRUE;
}

/* Stacks that lack some of their callers. */
typedef struct {
    uint32_t level; /* number of callers that each of them shows */
    uint64_t stacks;
    uint64_t weight, whole; /* their time, and the time of all stacks */
} shortage;

static gboolean has_budget(const inversion *v, uint64_t nodes_max)
{
    return v->nodes.n < nodes_max && v->steps < v->steps_max;
}

/* Follows the paths to their ends or up to the limits. FALSE if memory is refused. */
static gboolean run_inversion(inversion *v, shortage *cut)
{
    do {
        if (!follow_paths(v)) {
            return FALSE;
        }
    } while (v->n_paths > 0 && has_budget(v, v->nodes_max / 4));
    if (v->n_paths > 0) {
        qsort_r(v->paths, v->n_paths, sizeof *v->paths, compare_paths, v);
    }
    for (uint32_t i = 0; i < v->n_paths; i++) {
        path *p = &v->paths[i];
        while (p->caller != 0 && has_budget(v, v->nodes_max)) {
            if (!follow_path(v, p)) {
                return FALSE;
            }
        }
        if (p->caller != 0) {
            cut->level = cut->stacks == 0 ? v->level - 1 : MIN(cut->level, v->level - 1);
            cut->stacks++;
            cut->weight += weigh_path(v, p);
        }
        end_path(v, p);
    }
    return TRUE;
}

/* Writes the nodes as a tree. NULL if memory is refused. */
static af_tree *write_tree(const inversion *v, const uint32_t *numbers)
{
    af_tree *made = af_tree_new((uint32_t)v->nodes.n, af_tree_columns(v->tree));
    for (uint32_t i = 1; made != NULL && i < made->n; i++) {
        const head_node *node = node_at(v, i);
        const uint32_t n = numbers[i];
        made->parent[n] = numbers[node->parent];
        made->label[n] = node->label;
        made->reason[n] = node->reason;
        made->calls[n] = node->calls;
        if (node->unwinds > 0) { /* a page that is never written uses no memory */
            made->unwinds[n] = node->unwinds;
        }
        if (node->runnable > 0) {
            made->runnable[n] = node->runnable;
        }
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (node->self[c] > 0) {
                made->self[c][n] = node->self[c];
            }
        }
    }
    if (made != NULL) {
        af_tree_sum(made);
    }
    return made;
}

/* The root that each old node has sent to: that of its method. NULL if memory is refused. */
static uint32_t *find_roots(const inversion *v, const uint32_t *numbers)
{
    const af_tree *tree = v->tree;
    uint32_t *roots = g_try_new(uint32_t, tree->n);
    for (uint32_t n = 0; roots != NULL && n < tree->n; n++) {
        roots[n] =
            n == 0 ? 0
            : has_self(tree, n)
                ? numbers[af_idmap_find(&v->numbers, make_key(0, tree->label[n], tree->reason[n]))]
                : AF_NO_NODE;
    }
    return roots;
}

static gboolean invert_thread(af_working_copy *draft, uint32_t thread, budget *left, shortage *cut)
{
    const af_tree *tree = draft->made->threads[thread].tree;
    inversion v;
    uint32_t *numbers = NULL, *roots = NULL;
    af_tree *made = NULL;
    if (open_inversion(&v, tree, left) && run_inversion(&v, cut)) {
        numbers = af_tree_number_nodes(&v.nodes);
        roots = numbers != NULL ? find_roots(&v, numbers) : NULL;
        af_idmap_clear(&v.numbers); /* frees memory for the next step */
        g_clear_pointer(&v.paths, g_free);
        made = roots != NULL ? write_tree(&v, numbers) : NULL;
    }
    left->old_nodes -= tree->n;
    left->nodes -= MIN(left->nodes, v.nodes.n);
    left->steps -= MIN(left->steps, v.steps);
    cut->whole += tree->inclusive[find_clock(tree)][0];
    af_array_clear(&v.nodes);
    g_free(v.paths);
    af_idmap_clear(&v.numbers);
    g_free(numbers);
    if (made != NULL) {
        draft->record->matched += made->n - 1;
        af_working_copy_put_tree(draft, thread, made, roots, roots);
    }
    g_free(roots);
    return made != NULL;
}

static gboolean invert_trees(af_working_copy *draft, const af_step *step, GError **error)
{
    shortage cut = {0, 0, 0, 0};
    budget left = {0, 0, 0};
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        left.old_nodes += draft->made->threads[t].tree->n;
    }
    left.nodes = MAX((uint64_t)NODES_MIN, left.old_nodes * NODES_EACH);
    left.steps = MAX((uint64_t)STEPS_MIN, left.old_nodes * STEPS_EACH);
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        if (!invert_thread(draft, t, &left, &cut)) {
            return af_memory_error_set(error);
        }
    }
    draft->made->callers_above = !draft->made->callers_above;
    if (cut.stacks > 0) {
        char level[AF_NUMBER_SIZE], stacks[AF_NUMBER_SIZE], share[AF_NUMBER_SIZE];
        g_autofree char *message = g_strdup_printf(
            "only the nearest %s callers are shown for the %s lightest stacks, which took %s",
            af_number_count(level, cut.level), af_number_count(stacks, cut.stacks),
            af_number_share(share, cut.weight, cut.whole));
        draft->record->message = af_arena_text(draft->made->arena, message);
    }
    return TRUE;
}

const af_step_class af_step_invert_callers = {
    "invert-callers",
    "Methods at the root, their callers above",
    "Put the methods that took the time at the root and their callers above.\n"
    "All time stays.",
    AF_STEP_NO_VALUE,
    .no_calls =
        "--invert-callers needs call trees, and aflame calls lists each call with its caller; "
        "aflame report --tree up shows callers",
    .run = invert_trees};
