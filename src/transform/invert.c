/* Trees on their heads: the methods in which time was spent are the roots, their callers above.
 *
 * Every old node with time of its own sends that time, its calls and its unwinds along its path
 * down to the thread; paths with the same labels share nodes. What ends at a node, because the path
 * does, is the node's self time. So a new node's inclusive time is self time of the method at its
 * root, and its calls are that method's.
 *
 * The paths of a tree can have far more nodes this way than the tree (a chain of n different
 * methods has n * n / 2), so they are followed in step, one caller after the other, and left where
 * they are when there are too many. */
#include "transform/draft.h"

#include <string.h>

#include "base/number.h"

/* Nodes, and steps along paths: at least so many, or so many for each node of the old tree. */
enum { NODES_MIN = 1 << 20, NODES_EACH = 4, STEPS_MIN = 1 << 26, STEPS_EACH = 64 };

typedef struct {
    uint32_t parent, label;
    uint64_t calls, unwinds;
    uint64_t self[AF_CLOCKS];
} head_node;

/* An old node that sends, and how far it is. */
typedef struct {
    uint32_t from;   /* the old node */
    uint32_t caller; /* the caller it has come to */
    uint32_t at;     /* the new node there */
} path;

typedef struct {
    const af_tree *tree;
    af_array nodes; /* of head_node; 0 is the thread */
    path *paths;
    uint32_t n_paths;
    const af_hash_secret *secret;
    uint32_t *slots; /* new nodes by (parent, label), + 1; 0 = free */
    uint32_t mask;
    uint64_t steps;
} inversion;

static head_node *node_at(const inversion *v, uint32_t n)
{
    return af_array_at(&v->nodes, n);
}

static uint32_t find_slot(const inversion *v, uint32_t parent, uint32_t label)
{
    uint32_t at = af_hash_number(v->secret, (uint64_t)parent << 32 | label) & v->mask;
    while (v->slots[at] != 0 && (node_at(v, v->slots[at] - 1)->parent != parent ||
                                 node_at(v, v->slots[at] - 1)->label != label)) {
        at = (at + 1) & v->mask;
    }
    return at;
}

/* Makes the table twice as large. */
static gboolean grow_slots(inversion *v)
{
    const uint64_t n = v->slots == NULL ? 1024 : ((uint64_t)v->mask + 1) * 2;
    g_free(v->slots);
    v->slots = n > UINT32_MAX ? NULL : g_try_malloc0_n(n, sizeof *v->slots);
    v->mask = (uint32_t)(n - 1);
    for (uint32_t i = 1; v->slots != NULL && i < v->nodes.n; i++) {
        const head_node *node = node_at(v, i);
        v->slots[find_slot(v, node->parent, node->label)] = i + 1;
    }
    return v->slots != NULL;
}

/* The node with the label above `parent`; AF_NO_NODE if the machine refuses the memory. */
static uint32_t reach_node(inversion *v, uint32_t parent, uint32_t label)
{
    if (v->nodes.n > v->mask / 2 && !grow_slots(v)) {
        return AF_NO_NODE;
    }
    uint32_t *slot = &v->slots[find_slot(v, parent, label)];
    if (*slot == 0) {
        head_node *node = v->nodes.n >= AF_NO_NODE - 1 ? NULL : af_array_add(&v->nodes, 1);
        if (node == NULL) {
            return AF_NO_NODE;
        }
        node->parent = parent;
        node->label = label;
        *slot = (uint32_t)v->nodes.n;
    }
    return *slot - 1;
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
}

/* One caller further on all paths; those at their end go. */
static gboolean follow_paths(inversion *v)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < v->n_paths; i++) {
        path p = v->paths[i];
        if (p.caller == 0) {
            end_path(v, &p);
            continue;
        }
        p.at = reach_node(v, p.at, v->tree->label[p.caller]);
        if (p.at == AF_NO_NODE) {
            return FALSE;
        }
        node_at(v, p.at)->calls += v->tree->calls[p.from];
        node_at(v, p.at)->unwinds += v->tree->unwinds[p.from];
        p.caller = v->tree->parent[p.caller];
        v->paths[left++] = p;
    }
    v->steps += v->n_paths;
    v->n_paths = left;
    return TRUE;
}

static gboolean open_inversion(inversion *v, const af_tree *tree)
{
    memset(v, 0, sizeof *v);
    v->tree = tree;
    v->secret = af_hash_get_secret();
    af_array_init(&v->nodes, sizeof(head_node));
    v->paths = g_try_new(path, tree->n);
    if (v->paths == NULL || af_array_add(&v->nodes, 1) == NULL || !grow_slots(v)) {
        return FALSE;
    }
    for (uint32_t n = 1; n < tree->n; n++) {
        if (has_self(tree, n)) {
            v->paths[v->n_paths++] = (path){n, n, 0};
        }
    }
    return TRUE;
}

static void close_inversion(inversion *v)
{
    af_array_clear(&v->nodes);
    g_free(v->paths);
    g_free(v->slots);
}

/* Follows the paths to their ends or as far as is reasonable. Returns how many callers far they
 * were followed; 0 if the machine refuses the memory. `*cut` is set if any goes on. */
static uint32_t run_inversion(inversion *v, gboolean *cut)
{
    const uint64_t nodes_max = MAX((uint64_t)NODES_MIN, (uint64_t)v->tree->n * NODES_EACH);
    const uint64_t steps_max = MAX((uint64_t)STEPS_MIN, (uint64_t)v->tree->n * STEPS_EACH);
    uint32_t level = 1;
    if (!follow_paths(v)) {
        return 0;
    }
    while (v->n_paths > 0 && v->nodes.n < nodes_max && v->steps < steps_max) {
        if (!follow_paths(v)) {
            return 0;
        }
        level++;
    }
    for (uint32_t i = 0; i < v->n_paths; i++) {
        *cut = *cut || v->paths[i].caller != 0;
        end_path(v, &v->paths[i]);
    }
    return level;
}

/* The nodes as a tree, numbered as they were made. NULL if the machine refuses the memory. */
static af_tree *write_tree(const inversion *v)
{
    af_tree *flat = af_tree_new((uint32_t)v->nodes.n, af_tree_clocks(v->tree));
    for (uint32_t i = 1; flat != NULL && i < flat->n; i++) {
        const head_node *node = node_at(v, i);
        flat->parent[i] = node->parent;
        flat->label[i] = node->label;
        flat->calls[i] = node->calls;
        flat->unwinds[i] = node->unwinds;
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (flat->self[c] != NULL) {
                flat->self[c][i] = node->self[c];
            }
        }
    }
    return flat;
}

/* The same tree in the order of a walk, which comes from regrouping. Takes `flat`, which may be
 * NULL; `roots`, numbers of its nodes, become those of the new ones. */
static af_tree *order_tree(af_tree *flat, uint32_t *roots, uint32_t n_roots)
{
    af_plan plan = {NULL, NULL, NULL, NULL};
    af_tree *made = NULL;
    uint32_t *node_of = flat == NULL ? NULL : g_try_new(uint32_t, flat->n);
    if (node_of != NULL && af_plan_init(&plan, flat)) {
        af_tree_sum(flat);
        made = af_tree_regroup(flat, &plan, node_of);
    }
    for (uint32_t n = 0; made != NULL && n < n_roots; n++) {
        roots[n] = roots[n] == AF_NO_NODE ? AF_NO_NODE : node_of[roots[n]];
    }
    af_plan_clear(&plan);
    g_free(node_of);
    af_tree_free(flat);
    return made;
}

static gboolean invert_thread(af_draft *draft, uint32_t thread, uint32_t *cut_at)
{
    const af_tree *tree = draft->made->threads[thread].tree;
    inversion v;
    gboolean cut = FALSE;
    af_tree *flat = NULL;
    uint32_t *roots = g_try_new(uint32_t, tree->n);
    const uint32_t level = open_inversion(&v, tree) ? run_inversion(&v, &cut) : 0;
    if (level > 0 && roots != NULL) {
        roots[0] = 0;
        for (uint32_t n = 1; n < tree->n; n++) {
            roots[n] = has_self(tree, n) ? v.slots[find_slot(&v, 0, tree->label[n])] - 1
                                         : AF_NO_NODE;
        }
        g_clear_pointer(&v.slots, g_free); /* what is not needed any more makes room */
        flat = write_tree(&v);
    }
    close_inversion(&v);
    af_tree *made = order_tree(flat, roots, tree->n);
    if (made != NULL) {
        *cut_at = cut && (*cut_at == 0 || level < *cut_at) ? level : *cut_at;
        draft->record->matched += made->n - 1;
        af_draft_put_tree(draft, thread, made, roots, roots);
    }
    g_free(roots);
    return made != NULL;
}

gboolean af_step_invert(af_draft *draft, const af_step *step, GError **error)
{
    (void)step;
    uint32_t cut_at = 0;
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        if (!invert_thread(draft, t, &cut_at)) {
            return af_draft_refuse_memory(error);
        }
    }
    draft->made->callers_above = !draft->made->callers_above;
    if (cut_at > 0) {
        char number[AF_NUMBER_SIZE];
        char *note = g_strdup_printf("callers more than %s frames away are not shown",
                                     af_number_count(number, cut_at - 1));
        draft->record->note = af_arena_copy(draft->made->arena, note, strlen(note));
        g_free(note);
    }
    return TRUE;
}
