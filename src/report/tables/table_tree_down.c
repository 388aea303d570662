/* The calls of each thread from the top down. */
#include "report/tables/branches.h"

#include <stdlib.h>

typedef struct {
    uint64_t time_ns; /* the width in the sort clock */
    uint32_t thread;  /* of the scope */
    uint32_t node;
} candidate;

static const af_tree *tree_at(const af_scope *scope, uint32_t i)
{
    return scope->profile->threads[scope->threads[i]].tree;
}

/* A caller is at least as wide as its callees and has a smaller number, so it comes first: any prefix
 * of the order is a tree. */
static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns > y->time_ns ? -1 : 1;
    }
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    return (x->node > y->node) - (x->node < y->node);
}

static void collect(const af_report_request *request, af_array *candidates)
{
    const af_scope *scope = &request->scope;
    const af_clock clock = af_scope_first_clock(scope);
    const uint64_t whole_ns = af_scope_time_ns(scope, clock);
    for (uint32_t i = 0; i < scope->n_threads; i++) {
        const af_tree *tree = tree_at(scope, i);
        const uint64_t *widths =
            af_scope_reads(scope, tree, clock) ? af_tree_widths(tree, clock) : NULL;
        candidates->failed |= widths == NULL && af_scope_reads(scope, tree, clock);
        for (uint32_t n = 0; n < tree->n && !candidates->failed; n++) {
            const uint64_t time_ns = widths != NULL ? widths[n] : 0;
            if (af_branch_is_large(request, time_ns, whole_ns)) {
                candidate *c = af_array_add(candidates, 1);
                if (c != NULL) {
                    *c = (candidate){time_ns, i, n};
                }
            }
        }
    }
}

/* `branch_of` by node of all trees of the scope; thread i starts at begin[i]. */
static gboolean number_nodes(const af_scope *scope, size_t **begin, uint32_t **branch_of)
{
    size_t sum = 0;
    *begin = g_try_new(size_t, MAX(scope->n_threads, 1));
    for (uint32_t i = 0; i < scope->n_threads && *begin != NULL; i++) {
        (*begin)[i] = sum;
        sum += tree_at(scope, i)->n;
    }
    *branch_of = g_try_new(uint32_t, MAX(sum, 1));
    return *begin != NULL && *branch_of != NULL;
}

static gboolean make_branches(const af_scope *scope, const candidate *candidates, size_t n,
                              af_array *branches)
{
    g_autofree size_t *begin = NULL;
    g_autofree uint32_t *branch_of = NULL;
    gboolean ok = number_nodes(scope, &begin, &branch_of) && af_array_reach(branches, n);
    for (size_t b = 0; ok && b < n; b++) {
        const candidate *c = &candidates[b];
        const af_tree *tree = tree_at(scope, c->thread);
        af_branch *branch = af_array_at(branches, b);
        branch->name = c->node == 0 ? scope->profile->n_labels + c->thread : tree->label[c->node];
        af_totals_add_node(&branch->totals, scope, scope->threads[c->thread], c->node);
        branch->parent =
            c->node == 0 ? AF_NO_BRANCH : branch_of[begin[c->thread] + tree->parent[c->node]];
        branch_of[begin[c->thread] + c->node] = (uint32_t)b;
    }
    return ok;
}

static af_table *make_tree_down(const af_report_request *request)
{
    static const af_branch_style style = {
        .id = "tree_down",
        .title = "calls from the top down",
        .figures = AF_FIGURES_OF_TREE_DOWN,
        .rooted = TRUE,
    };
    af_array candidates, branches;
    af_array_init(&candidates, sizeof(candidate));
    af_array_init(&branches, sizeof(af_branch));
    collect(request, &candidates);
    af_table *table = NULL;
    if (!candidates.failed && candidates.n < UINT32_MAX) {
        if (candidates.n > 0) {
            qsort(candidates.items, candidates.n, sizeof(candidate), compare_candidates);
        }
        const size_t n = request->top > 0 ? MIN(candidates.n, request->top) : candidates.n;
        if (make_branches(&request->scope, candidates.items, n, &branches)) {
            table = af_branches_to_table(request, &style, &branches);
        }
        if (table != NULL) {
            table->n_left_out = candidates.n - n;
        }
    }
    af_array_clear(&candidates);
    af_array_clear(&branches);
    return table;
}

const af_table_kind af_table_kind_tree_down = {
    .name = "tree-down", .make = make_tree_down, .is_tree = TRUE};
