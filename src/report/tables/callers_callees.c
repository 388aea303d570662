#include "report/tables/callers_callees.h"

#include <string.h>
#include "base/array.h"
#include "model/path.h"

#define NO_BLOCK UINT32_MAX

/* Nodes by the method that they concern, consecutive for each block: those of a method run from
 * begin[block] to begin[block + 1]. An entry is thread of the scope << 33 | node << 1 | nested. */
typedef struct {
    size_t *begin;
    uint64_t *entries;
} node_lists;

af_relative_names af_relative_names_of(const af_report_request *request, const char *word)
{
    const size_t n = (size_t)request->scope.profile->n_labels + request->scope.n_threads + 1;
    return (af_relative_names){request, word, g_try_new0(const char *, n)};
}

const char *af_relative_name(const af_relative_names *names, uint32_t relative)
{
    const af_scope *scope = &names->request->scope;
    const af_profile *profile = scope->profile;
    af_arena *arena = names->request->arena;
    const char **copy = &names->copies[relative];
    if (*copy == NULL && relative < profile->n_labels) {
        *copy = af_arena_text(arena, profile->labels[relative].text);
    } else if (*copy == NULL) {
        const char *title = profile->threads[scope->threads[relative - profile->n_labels]].title;
        *copy = names->word != NULL ? af_arena_printf(arena, "%s %s", names->word, title)
                                    : af_arena_text(arena, title);
    }
    return *copy;
}

struct af_callers_callees {
    const af_scope *scope;
    uint32_t *block_of; /* by label */
    uint32_t n_blocks;
    node_lists own;    /* the calls of the method */
    node_lists below;  /* the calls that they made; nested: the caller is */
    uint32_t *edge_of; /* by relative: its edge + 1 during collection, otherwise 0 */
    af_array edges;    /* af_edge */
};

static const af_tree *tree_at(const af_callers_callees *r, uint32_t i)
{
    return r->scope->profile->threads[r->scope->threads[i]].tree;
}

static uint32_t block_of_node(const af_callers_callees *r, const af_tree *tree, uint32_t node)
{
    return node == 0 ? NO_BLOCK : r->block_of[tree->label[node]];
}

static gboolean make_lists(node_lists *lists, const size_t *counts, uint32_t n_blocks)
{
    lists->begin = g_try_new(size_t, (size_t)n_blocks + 1);
    size_t sum = 0;
    for (uint32_t b = 0; lists->begin != NULL && b <= n_blocks; b++) {
        lists->begin[b] = sum;
        sum += b < n_blocks ? counts[b] : 0;
    }
    lists->entries = g_try_new(uint64_t, MAX(sum, 1));
    return lists->begin != NULL && lists->entries != NULL;
}

static gboolean count_nodes(af_callers_callees *r)
{
    g_autofree size_t *own = g_try_new0(size_t, MAX(r->n_blocks, 1));
    g_autofree size_t *below = g_try_new0(size_t, MAX(r->n_blocks, 1));
    gboolean ok = own != NULL && below != NULL;
    for (uint32_t i = 0; ok && i < r->scope->n_threads; i++) {
        const af_tree *tree = tree_at(r, i);
        for (uint32_t n = 1; n < tree->n; n++) {
            const uint32_t block = block_of_node(r, tree, n);
            const uint32_t parent = block_of_node(r, tree, tree->parent[n]);
            if (block != NO_BLOCK) {
                own[block]++;
            }
            if (parent != NO_BLOCK) {
                below[parent]++;
            }
        }
    }
    return ok && make_lists(&r->own, own, r->n_blocks) && make_lists(&r->below, below, r->n_blocks);
}

static void put_entry(node_lists *lists, uint32_t block, uint32_t thread, uint32_t node,
                      gboolean nested)
{
    lists->entries[lists->begin[block]++] =
        (uint64_t)thread << 33 | (uint64_t)node << 1 | (nested ? 1 : 0);
}

/* `nested` has a flag for each depth. */
static void list_nodes(af_callers_callees *r, uint32_t i, af_path *path, guint8 *nested)
{
    const af_tree *tree = tree_at(r, i);
    af_path_restart(path);
    for (uint32_t n = 1; n < tree->n; n++) {
        const uint32_t depth = tree->depth[n];
        nested[depth] = af_path_enter(path, depth, tree->label[n]) > 0;
        const uint32_t block = block_of_node(r, tree, n);
        const uint32_t parent = block_of_node(r, tree, tree->parent[n]);
        if (block != NO_BLOCK) {
            put_entry(&r->own, block, i, n, nested[depth]);
        }
        if (parent != NO_BLOCK) {
            put_entry(&r->below, parent, i, n, nested[depth - 1]);
        }
    }
}

/* Filling a list has moved its start to its end. */
static void restore_beginnings(node_lists *lists, uint32_t n_blocks)
{
    memmove(lists->begin + 1, lists->begin, n_blocks * sizeof *lists->begin);
    lists->begin[0] = 0;
}

static gboolean fill_lists(af_callers_callees *r)
{
    const af_scope *scope = r->scope;
    const uint32_t deepest = af_profile_deepest(scope->profile, scope->threads, scope->n_threads);
    g_autofree guint8 *nested = g_try_malloc0((gsize)deepest + 1);
    af_path path;
    const gboolean ok = af_path_begin(&path, scope->profile->n_labels, deepest) && nested != NULL;
    for (uint32_t i = 0; ok && i < scope->n_threads; i++) {
        list_nodes(r, i, &path, nested);
    }
    if (ok) {
        restore_beginnings(&r->own, r->n_blocks);
        restore_beginnings(&r->below, r->n_blocks);
    }
    af_path_end(&path);
    return ok;
}

af_callers_callees *af_callers_callees_new(const af_scope *scope, const gboolean *wanted)
{
    const uint32_t n_labels = scope->profile->n_labels;
    af_callers_callees *r = g_new0(af_callers_callees, 1);
    r->scope = scope;
    af_array_init(&r->edges, sizeof(af_edge));
    r->block_of = g_try_new(uint32_t, MAX(n_labels, 1));
    r->edge_of = g_try_new0(uint32_t, (gsize)n_labels + scope->n_threads + 1);
    gboolean ok = r->block_of != NULL && r->edge_of != NULL;
    for (uint32_t l = 0; ok && l < n_labels; l++) {
        r->block_of[l] = wanted[l] ? r->n_blocks++ : NO_BLOCK;
    }
    if (!ok || !count_nodes(r) || !fill_lists(r)) {
        af_callers_callees_free(r);
        return NULL;
    }
    return r;
}

void af_callers_callees_free(af_callers_callees *r)
{
    if (r != NULL) {
        g_free(r->own.begin);
        g_free(r->own.entries);
        g_free(r->below.begin);
        g_free(r->below.entries);
        g_free(r->block_of);
        g_free(r->edge_of);
        af_array_clear(&r->edges);
        g_free(r);
    }
}

static void add_call(af_callers_callees *r, af_relation relation, uint32_t relative,
                     uint32_t thread, uint32_t node)
{
    if (r->edge_of[relative] == 0) {
        af_edge *edge = af_array_add(&r->edges, 1);
        if (edge == NULL) {
            return;
        }
        edge->relation = relation;
        edge->relative = relative;
        r->edge_of[relative] = (uint32_t)r->edges.n;
    }
    af_edge *edge = af_array_at(&r->edges, r->edge_of[relative] - 1);
    af_totals_add_node(&edge->totals, r->scope, r->scope->threads[thread], node);
}

static void collect_edges(af_callers_callees *r, const node_lists *lists, uint32_t block,
                          gboolean nested, af_relation relation)
{
    const uint32_t n_labels = r->scope->profile->n_labels;
    const gboolean upward = lists == &r->own;
    const size_t first = r->edges.n;
    for (size_t i = lists->begin[block]; i < lists->begin[block + 1]; i++) {
        const uint64_t entry = lists->entries[i];
        const uint32_t thread = (uint32_t)(entry >> 33), node = (uint32_t)(entry >> 1);
        if ((entry & 1) != (nested ? 1u : 0u)) {
            continue;
        }
        const af_tree *tree = tree_at(r, thread);
        const uint32_t other = upward ? tree->parent[node] : node;
        add_call(r, relation, other == 0 ? n_labels + thread : tree->label[other], thread, node);
    }
    for (size_t i = first; i < r->edges.n; i++) {
        const uint32_t relative = AF_ARRAY_AT(&r->edges, af_edge, i).relative;
        if (relative != AF_NO_LABEL) {
            r->edge_of[relative] = 0;
        }
    }
}

/* The self time of the method, as if it were a callee. */
static void collect_self(af_callers_callees *r, uint32_t block, gboolean nested,
                         af_relation relation)
{
    af_edge *edge = NULL;
    for (size_t i = r->own.begin[block]; i < r->own.begin[block + 1]; i++) {
        const uint64_t entry = r->own.entries[i];
        const uint32_t node = (uint32_t)(entry >> 1);
        const af_tree *tree = tree_at(r, (uint32_t)(entry >> 33));
        if ((entry & 1) != (nested ? 1u : 0u) ||
            (edge == NULL && (edge = af_array_add(&r->edges, 1)) == NULL)) {
            continue;
        }
        edge->relation = relation;
        edge->relative = AF_NO_LABEL;
        for (unsigned c = 0; c < AF_MEASURES; c++) {
            if (af_scope_reads(r->scope, tree, (af_clock)c)) {
                edge->totals.known |= 1u << c;
                edge->totals.inclusive[c] += af_tree_self_term(tree, node, (af_clock)c);
            }
        }
    }
}

const af_edge *af_callers_callees_of(af_callers_callees *r, uint32_t label, uint32_t *n)
{
    const uint32_t block = r->block_of[label];
    g_return_val_if_fail(block != NO_BLOCK, NULL);
    r->edges.n = 0;
    collect_edges(r, &r->own, block, FALSE, AF_RELATION_CALLER);
    collect_edges(r, &r->own, block, TRUE, AF_RELATION_RECURSIVE_CALLER);
    collect_self(r, block, FALSE, AF_RELATION_CALLEE);
    collect_edges(r, &r->below, block, FALSE, AF_RELATION_CALLEE);
    collect_self(r, block, TRUE, AF_RELATION_RECURSIVE_CALLEE);
    collect_edges(r, &r->below, block, TRUE, AF_RELATION_RECURSIVE_CALLEE);
    *n = (uint32_t)r->edges.n;
    return r->edges.failed ? NULL : r->edges.items;
}
