#include "report/tables/callers_callees.h"

#include <stdlib.h>
#include "base/array.h"
#include "base/idmap.h"
#include "model/path.h"

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
    const gboolean *wanted; /* by label */
    af_idmap keys;          /* label << 3 | relation, << 32 | relative, of each edge */
    af_array edges;         /* af_edge */
    uint32_t *order;        /* the edges by label and relation, then as they came */
    af_array asked;         /* af_edge: those of one label */
};

static af_edge *find_edge(af_callers_callees *r, uint32_t label, af_relation relation,
                          uint32_t relative)
{
    const uint64_t key = ((uint64_t)label << 3 | relation) << 32 | relative;
    af_edge *edge = af_array_slot(&r->edges, af_idmap_number(&r->keys, key));
    if (edge != NULL) {
        edge->relation = relation;
        edge->relative = relative;
    }
    return edge;
}

static void add_call(af_callers_callees *r, uint32_t label, af_relation relation, uint32_t relative,
                     uint32_t thread, uint32_t node)
{
    af_edge *edge = find_edge(r, label, relation, relative);
    if (edge != NULL) {
        af_totals_add_node(&edge->totals, r->scope, thread, node);
    }
}

/* The self time of a method, as if it were a callee. */
static void add_self(af_callers_callees *r, af_relation relation, const af_tree *tree,
                     uint32_t node)
{
    af_edge *edge = find_edge(r, tree->label[node], relation, AF_NO_LABEL);
    for (unsigned c = 0; edge != NULL && c < AF_MEASURES; c++) {
        if (af_scope_reads(r->scope, tree, (af_clock)c)) {
            edge->totals.known |= 1u << c;
            edge->totals.inclusive[c] += af_tree_self_term(tree, node, (af_clock)c);
        }
    }
}

/* `nested` has a flag for each depth. */
static void add_thread(af_callers_callees *r, uint32_t i, af_path *path, guint8 *nested)
{
    const uint32_t thread = r->scope->threads[i];
    const af_tree *tree = r->scope->profile->threads[thread].tree;
    af_path_restart(path);
    for (uint32_t n = 1; n < tree->n && !r->edges.failed; n++) {
        const uint32_t depth = tree->depth[n], label = tree->label[n], parent = tree->parent[n];
        const uint32_t caller = parent == 0 ? r->scope->profile->n_labels + i : tree->label[parent];
        nested[depth] = af_path_enter(path, depth, label) > 0;
        if (r->wanted[label]) {
            add_call(r, label, nested[depth] ? AF_RELATION_RECURSIVE_CALLER : AF_RELATION_CALLER,
                     caller, thread, n);
            add_self(r, nested[depth] ? AF_RELATION_RECURSIVE_CALLEE : AF_RELATION_CALLEE, tree, n);
        }
        if (parent != 0 && r->wanted[caller]) {
            add_call(r, caller,
                     nested[depth - 1] ? AF_RELATION_RECURSIVE_CALLEE : AF_RELATION_CALLEE, label,
                     thread, n);
        }
    }
}

static int compare_edges(gconstpointer a, gconstpointer b, gpointer user)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const uint64_t *keys = user;
    const uint64_t x = keys[one] >> 32, y = keys[other] >> 32;
    return x != y ? (x > y ? 1 : -1) : (one > other) - (one < other);
}

static gboolean collect(af_callers_callees *r)
{
    const af_scope *scope = r->scope;
    const uint32_t deepest = af_profile_deepest(scope->profile, scope->threads, scope->n_threads);
    g_autofree guint8 *nested = g_try_malloc0((gsize)deepest + 1);
    af_path path;
    gboolean ok = af_path_begin(&path, scope->profile->n_labels, deepest) && nested != NULL;
    for (uint32_t i = 0; ok && i < scope->n_threads; i++) {
        add_thread(r, i, &path, nested);
    }
    af_path_end(&path);
    r->order = g_try_new(uint32_t, (gsize)r->keys.n + 1);
    ok = ok && !r->edges.failed && !r->keys.failed && r->order != NULL;
    for (uint32_t e = 0; ok && e < r->keys.n; e++) {
        r->order[e] = e;
    }
    if (ok) {
        qsort_r(r->order, r->keys.n, sizeof *r->order, compare_edges, r->keys.ids);
    }
    return ok;
}

af_callers_callees *af_callers_callees_new(const af_scope *scope, const gboolean *wanted)
{
    af_callers_callees *r = g_new0(af_callers_callees, 1);
    r->scope = scope;
    r->wanted = wanted;
    af_idmap_init_hashed(&r->keys, NULL);
    af_array_init(&r->edges, sizeof(af_edge));
    af_array_init(&r->asked, sizeof(af_edge));
    if (!collect(r)) {
        g_clear_pointer(&r, af_callers_callees_free);
    }
    return r;
}

void af_callers_callees_free(af_callers_callees *r)
{
    if (r != NULL) {
        af_idmap_clear(&r->keys);
        af_array_clear(&r->edges);
        af_array_clear(&r->asked);
        g_free(r->order);
        g_free(r);
    }
}

const af_edge *af_callers_callees_of(af_callers_callees *r, uint32_t label, uint32_t *n)
{
    uint32_t low = 0, high = r->keys.n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->keys.ids[r->order[middle]] >> 35 < label) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    r->asked.n = 0;
    for (; low < r->keys.n && r->keys.ids[r->order[low]] >> 35 == label; low++) {
        af_array_append(&r->asked, af_array_at(&r->edges, r->order[low]));
    }
    *n = (uint32_t)r->asked.n;
    return r->asked.failed ? NULL : r->asked.items;
}
