/* The methods that used the time, each with its callers below it: every row is the self time of its
 * root method on paths through these callers.
 *
 * Such a tree can be far larger than the trees it is made from (a path of 200,000 frames has as
 * many ends), so only the visible part is made: the loop takes the largest known branch, shows it,
 * and splits it by caller. */
#include "base/capacity.h"
#include "report/tables/branches.h"

#define MOST_BRANCHES 1000000

/* Following a branch to the next caller costs a step for each path in it. A method that calls
 * itself 200,000 levels deep would cost 20 billion steps for rows that nobody reads. */
#define MOST_STEPS AF_WORK(UINT64_C(100000000), UINT64_C(2000000))

/* A call path that ends in the root method: the node that has its time, and the caller reached so
 * far. */
typedef struct {
    uint32_t thread; /* of the scope */
    uint32_t node;   /* the root method */
    uint32_t at;     /* the current caller; 0 = the thread */
} instance;

/* A branch that may be shown next: consecutive instances that agree so far. */
typedef struct {
    af_branch branch;
    size_t begin, end;
    uint64_t time_ns; /* of the sort clock */
    uint64_t number;  /* in order of creation */
} candidate;

typedef struct {
    const af_report_request *request;
    const af_scope *scope;
    af_clock clock;
    uint64_t whole_ns;
    instance *instances, *spare; /* `spare`: the same capacity */
    size_t n;
    uint32_t *count;  /* by name; all 0 between uses */
    af_array touched; /* names with a count, in order of their first instance */
    af_array heap;    /* candidate, the largest on top */
    uint64_t numbers;
    uint64_t steps;
    af_array branches;
} growing;

static const af_tree *tree_of(const growing *g, const instance *i)
{
    return g->scope->profile->threads[g->scope->threads[i->thread]].tree;
}

static uint32_t name_of(const growing *g, const instance *i)
{
    return i->at == 0 ? g->scope->profile->n_labels + i->thread : tree_of(g, i)->label[i->at];
}

static gboolean is_before(const candidate *a, const candidate *b)
{
    return a->time_ns != b->time_ns ? a->time_ns > b->time_ns : a->number < b->number;
}

static void push(growing *g, const candidate *c)
{
    if (af_array_add(&g->heap, 1) == NULL) {
        return;
    }
    candidate *heap = g->heap.items;
    size_t at = g->heap.n - 1;
    for (; at > 0 && is_before(c, &heap[(at - 1) / 2]); at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = *c;
}

static candidate pop(growing *g)
{
    candidate *heap = g->heap.items;
    const candidate top = heap[0], last = heap[--g->heap.n];
    size_t at = 0;
    for (;;) {
        size_t child = at * 2 + 1;
        if (child + 1 < g->heap.n && is_before(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (child >= g->heap.n || !is_before(&heap[child], &last)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

static void propose(growing *g, uint32_t parent, uint32_t name, size_t begin, size_t end)
{
    candidate c = {.branch = {.parent = parent, .name = name}, .begin = begin, .end = end};
    af_totals *totals = &c.branch.totals;
    for (size_t i = begin; i < end; i++) {
        const af_tree *tree = tree_of(g, &g->instances[i]);
        const uint32_t node = g->instances[i].node;
        const af_profile *profile = g->scope->profile;
        const gboolean counted = af_thread_counts_calls(
            profile, &profile->threads[g->scope->threads[g->instances[i].thread]]);
        totals->uncounted |= !counted;
        totals->calls += counted ? tree->calls[node] : 0;
        totals->unwinds += counted ? tree->unwinds[node] : 0;
        if (af_scope_reads(g->scope, tree, AF_WAIT)) {
            totals->has_runnable |= tree->runnable != NULL;
            totals->lacks_runnable |= tree->runnable == NULL;
            totals->self_runnable += af_tree_self_runnable_ns(tree, node);
        }
        for (unsigned k = 0; k < AF_MEASURES; k++) {
            if (!af_scope_reads(g->scope, tree, (af_clock)k)) {
                totals->lacking |= 1u << k;
            } else {
                totals->known |= 1u << k;
                totals->self[k] += af_tree_self_term(tree, node, (af_clock)k);
            }
        }
    }
    c.time_ns = af_time_of_sum(totals->self[g->clock], g->clock);
    c.number = g->numbers++;
    if (af_branch_is_large(g->request, c.time_ns, g->whole_ns)) {
        push(g, &c);
    }
}

/* Sorts the instances of a branch by the caller that they have reached, and adds a candidate for
 * each. */
static void part(growing *g, uint32_t parent, size_t begin, size_t end)
{
    g->touched.n = 0;
    for (size_t i = begin; i < end; i++) {
        const uint32_t name = name_of(g, &g->instances[i]);
        if (g->count[name]++ == 0) {
            *(uint32_t *)af_array_add(&g->touched, 1) = name; /* the capacity exists */
        }
    }
    const uint32_t *names = g->touched.items;
    size_t sum = begin;
    for (size_t t = 0; t < g->touched.n; t++) { /* counts become ends */
        sum += g->count[names[t]];
        g->count[names[t]] = (uint32_t)(sum - begin);
    }
    for (size_t i = end; i-- > begin;) {
        const uint32_t name = name_of(g, &g->instances[i]);
        g->spare[begin + --g->count[name]] = g->instances[i];
    }
    memcpy(g->instances + begin, g->spare + begin, (end - begin) * sizeof *g->instances);
    for (size_t t = 0; t < g->touched.n; t++) { /* counts are beginnings now */
        const size_t next = t + 1 < g->touched.n ? begin + g->count[names[t + 1]] : end;
        propose(g, parent, names[t], begin + g->count[names[t]], next);
    }
    for (size_t t = 0; t < g->touched.n; t++) {
        g->count[names[t]] = 0;
    }
}

/* Follows a branch to the next callers. */
static void expand(growing *g, const candidate *c, uint32_t number)
{
    if (c->branch.name >= g->scope->profile->n_labels) {
        return; /* a thread */
    }
    g->steps += c->end - c->begin;
    for (size_t i = c->begin; i < c->end; i++) {
        instance *it = &g->instances[i];
        it->at = tree_of(g, it)->parent[it->at];
    }
    part(g, number, c->begin, c->end);
}

static gboolean begin_growing(growing *g, const af_report_request *request)
{
    g->request = request;
    g->scope = &request->scope;
    g->clock = af_scope_first_clock(g->scope);
    g->whole_ns = af_scope_time_ns(g->scope, g->clock);
    af_array_init(&g->touched, sizeof(uint32_t));
    af_array_init(&g->heap, sizeof(candidate));
    af_array_init(&g->branches, sizeof(af_branch));
    for (uint32_t i = 0; i < g->scope->n_threads; i++) {
        g->n += g->scope->profile->threads[g->scope->threads[i]].tree->n - 1;
    }
    g->instances = g_try_new(instance, MAX(g->n, 1));
    g->spare = g_try_new(instance, MAX(g->n, 1));
    g->count = g_try_new0(uint32_t, (gsize)g->scope->profile->n_labels + g->scope->n_threads + 1);
    const gboolean ok =
        g->n < UINT32_MAX && g->instances != NULL && g->spare != NULL && g->count != NULL &&
        af_array_reach(&g->touched, (size_t)g->scope->profile->n_labels + g->scope->n_threads + 1);
    return ok;
}

/* Returns how many known branches are large enough but were not shown. */
static uint64_t grow(growing *g)
{
    const uint32_t top = g->request->top, most = top > 0 ? MIN(top, MOST_BRANCHES) : MOST_BRANCHES;
    size_t n = 0;
    for (uint32_t i = 0; i < g->scope->n_threads; i++) {
        const uint32_t nodes = g->scope->profile->threads[g->scope->threads[i]].tree->n;
        for (uint32_t node = 1; node < nodes; node++) {
            g->instances[n++] = (instance){i, node, node};
        }
    }
    part(g, AF_NO_BRANCH, 0, n);
    while (g->heap.n > 0 && g->branches.n < most && g->steps < MOST_STEPS) {
        const candidate c = pop(g);
        af_branch *branch = af_array_add(&g->branches, 1);
        if (branch == NULL || g->heap.failed) {
            break;
        }
        *branch = c.branch;
        expand(g, &c, (uint32_t)g->branches.n - 1);
    }
    return g->heap.n;
}

static af_table *make_tree_up(const af_report_request *request)
{
    static const af_branch_style style = {
        .id = "tree_up",
        .title = "methods with their callers",
        .figures = AF_FIGURES_OF_TREE_UP,
    };
    growing g = {0};
    af_table *table = NULL;
    if (begin_growing(&g, request)) {
        const uint64_t left_out = grow(&g);
        if (!g.heap.failed && !g.branches.failed) {
            table = af_branches_to_table(request, &style, &g.branches);
        }
        if (table != NULL) {
            table->n_left_out = left_out;
            table->left_out_more = TRUE;
        }
    }
    g_free(g.instances);
    g_free(g.spare);
    g_free(g.count);
    af_array_clear(&g.touched);
    af_array_clear(&g.heap);
    af_array_clear(&g.branches);
    return table;
}

const af_table_kind af_table_kind_tree_up = {
    .name = "tree-up", .make = make_tree_up, .is_tree = TRUE};
