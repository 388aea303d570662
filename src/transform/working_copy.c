#include "transform/working_copy.h"

#include <string.h>

#include "base/memory_error.h"
#include "model/select.h"

/* The identity: every node at its own position. NULL if memory is refused. */
static uint32_t *number_nodes(uint32_t n)
{
    uint32_t *nodes = g_try_new(uint32_t, n);
    for (uint32_t i = 0; nodes != NULL && i < n; i++) {
        nodes[i] = i;
    }
    return nodes;
}

static gboolean open_lineage(af_working_copy *draft)
{
    const af_profile *base = draft->made->base;
    af_lineage *lineage = g_new0(af_lineage, 1);
    draft->lineage = lineage;
    lineage->n_threads = base->n_threads;
    lineage->thread = g_try_new(uint32_t, (gsize)base->n_threads + 1);
    lineage->node = g_try_new0(uint32_t *, (gsize)base->n_threads + 1);
    lineage->time = g_try_new0(uint32_t *, (gsize)base->n_threads + 1);
    lineage->first = g_try_new(uint32_t, (gsize)base->n_threads + 1);
    lineage->next = g_try_new(uint32_t, (gsize)base->n_threads + 1);
    gboolean ok = lineage->thread != NULL && lineage->node != NULL && lineage->time != NULL &&
                  lineage->first != NULL && lineage->next != NULL;
    for (uint32_t t = 0; ok && t < base->n_threads; t++) {
        lineage->thread[t] = t;
        lineage->node[t] = number_nodes(base->threads[t].tree->n);
        lineage->time[t] = number_nodes(base->threads[t].tree->n);
        ok = lineage->node[t] != NULL && lineage->time[t] != NULL;
    }
    if (ok) {
        af_lineage_chain(lineage);
    }
    return ok;
}

void af_lineage_chain(af_lineage *lineage)
{
    for (uint32_t t = 0; t < lineage->n_threads; t++) {
        lineage->first[t] = AF_NO_NODE;
    }
    for (uint32_t t = lineage->n_threads; t-- > 0;) {
        const uint32_t thread = lineage->thread[t];
        if (thread != AF_NO_NODE) {
            lineage->next[t] = lineage->first[thread];
            lineage->first[thread] = t;
        }
    }
}

void af_lineage_drop_thread(af_lineage *lineage, uint32_t thread)
{
    lineage->thread[thread] = AF_NO_NODE;
    g_clear_pointer(&lineage->node[thread], g_free);
    g_clear_pointer(&lineage->time[thread], g_free);
}

gboolean af_working_copy_open(af_working_copy *draft, const af_profile *base, gboolean with_lineage)
{
    memset(draft, 0, sizeof *draft);
    af_array_init(&draft->labels, sizeof(af_label));
    af_textmap_init(&draft->texts);
    af_profile *made = af_profile_derive(base);
    draft->made = made;
    made->threads = af_arena_alloc(made->arena, sizeof(af_thread) * ((size_t)base->n_threads + 1));
    draft->owned = g_try_malloc0((gsize)base->n_threads + 1);
    void *labels = af_array_add(&draft->labels, (size_t)base->n_labels + 1);
    made->n_threads = made->threads == NULL ? 0 : base->n_threads;
    if (made->threads == NULL || draft->owned == NULL || labels == NULL) {
        return FALSE;
    }
    if (base->n_threads > 0) {
        memcpy(made->threads, base->threads, sizeof(af_thread) * base->n_threads);
    }
    if (base->n_labels > 0) {
        memcpy(labels, base->labels, sizeof(af_label) * base->n_labels);
    }
    draft->labels.n = base->n_labels;
    made->labels = labels;
    return !with_lineage || open_lineage(draft);
}

void af_working_copy_close(af_working_copy *draft)
{
    af_profile *made = draft->made;
    for (uint32_t t = 0; made != NULL && t < made->n_threads; t++) {
        if (draft->owned == NULL || draft->owned[t] == 0) {
            made->threads[t].tree = NULL;
        }
    }
    af_profile_free(made);
    af_lineage_free(draft->lineage);
    af_array_clear(&draft->labels);
    af_textmap_clear(&draft->texts);
    g_free(draft->owned);
}

uint32_t af_working_copy_add_label(af_working_copy *draft, const af_label *like, const char *text)
{
    af_profile *made = draft->made;
    const size_t length = strlen(text);
    for (uint32_t l = draft->texts.n; l < made->n_labels; l++) {
        if (af_textmap_add(&draft->texts, made->labels[l].text, made->labels[l].length) != l) {
            return AF_NO_LABEL;
        }
    }
    const uint32_t known = af_textmap_find(&draft->texts, text, length);
    if (known != AF_TEXTMAP_NONE) {
        return known;
    }
    af_label label = *like;
    label.length = (uint32_t)length;
    label.text = af_arena_copy(made->arena, text, length);
    af_label *added = label.text == NULL ? NULL : af_array_add(&draft->labels, 1);
    if (added == NULL) {
        return AF_NO_LABEL;
    }
    *added = label;
    made->labels = draft->labels.items;
    return made->n_labels++;
}

guint8 *af_working_copy_match(af_working_copy *draft, const char *pattern, GError **error)
{
    GError *reason = NULL;
    guint8 *matches = af_select_labels(draft->made, pattern, &reason);
    if (matches == NULL && g_error_matches(reason, AF_ERROR, AF_ERROR_NOTHING)) {
        draft->record->message = af_arena_text(draft->made->arena, reason->message);
        g_error_free(reason);
        return g_malloc0((gsize)draft->made->n_labels + 1);
    }
    if (matches == NULL) {
        g_propagate_error(error, reason);
    }
    return matches;
}

static void follow_nodes(uint32_t *nodes, uint32_t n, const uint32_t *node_of)
{
    for (uint32_t i = 0; i < n; i++) {
        nodes[i] = nodes[i] == AF_NO_NODE ? AF_NO_NODE : node_of[nodes[i]];
    }
}

void af_working_copy_trace(af_working_copy *draft, uint32_t from, uint32_t to,
                           const uint32_t *node_of, const uint32_t *time_of)
{
    const af_lineage *lineage = draft->lineage;
    uint32_t last = AF_NO_NODE;
    for (uint32_t t = lineage == NULL ? AF_NO_NODE : lineage->first[from]; t != AF_NO_NODE;
         t = lineage->next[t]) {
        const uint32_t n = draft->made->base->threads[t].tree->n;
        follow_nodes(lineage->node[t], n, node_of);
        follow_nodes(lineage->time[t], n, time_of);
        lineage->thread[t] = to;
        last = t;
    }
    if (last != AF_NO_NODE && from != to) {
        lineage->next[last] = lineage->first[to];
        lineage->first[to] = lineage->first[from];
        lineage->first[from] = AF_NO_NODE;
    }
}

void af_working_copy_put_tree(af_working_copy *draft, uint32_t thread, af_tree *tree,
                              const uint32_t *node_of, const uint32_t *time_of)
{
    af_working_copy_trace(draft, thread, thread, node_of, time_of);
    if (draft->owned[thread] != 0) {
        af_tree_free(draft->made->threads[thread].tree);
    }
    draft->owned[thread] = 1;
    draft->made->threads[thread].tree = tree;
}

uint32_t af_working_copy_largest(const af_working_copy *draft)
{
    uint32_t n = 1;
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        const af_tree *tree = draft->made->threads[t].tree; /* NULL for a thread whose tree was
                                                               merged into a pool */
        n = MAX(n, tree == NULL ? 0 : tree->n);
    }
    return n;
}

gboolean af_working_copy_replan_thread(af_working_copy *draft, uint32_t thread, af_plan_func write,
                                       af_made_func finish, const void *user)
{
    const af_tree *tree = draft->made->threads[thread].tree;
    af_step_record *record = draft->record;
    af_plan plan;
    g_autofree uint32_t *node_of = g_try_new(uint32_t, tree->n),
                        *time_of = g_try_new(uint32_t, tree->n);
    af_tree *made = NULL;
    if (af_plan_init(&plan, tree) && node_of != NULL && time_of != NULL) {
        record->matched += write(tree, &plan, user);
        made = af_tree_regroup(tree, &plan, node_of);
    }
    if (made != NULL && finish != NULL && !finish(draft, made, tree, node_of, user)) {
        af_tree_free(made);
        made = NULL;
    }
    if (made != NULL) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            record->left_out_ns[c] +=
                made->self[c] == NULL ? 0 : tree->inclusive[c][0] - made->inclusive[c][0];
        }
        /* Counts self time that went to a frame with another name. */
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            for (uint32_t n = 1; tree->self[c] != NULL && n < tree->n; n++) {
                const uint32_t into = plan.into[n];
                if (into != 0 && into != AF_NO_NODE && plan.label[into] != plan.label[n]) {
                    record->moved_ns[c] += tree->self[c][n];
                }
            }
        }
        /* Follows self times to their new nodes; `time_of` has an element for each node. */
        time_of[0] = 0;
        for (uint32_t n = 1; n < tree->n; n++) {
            const uint32_t into = plan.into[n];
            const gboolean left_out = plan.emptied[n] != 0 || into == 0 || into == AF_NO_NODE;
            time_of[n] = left_out ? AF_NO_NODE : node_of[into];
        }
        af_working_copy_put_tree(draft, thread, made, node_of, time_of);
    }
    af_plan_clear(&plan);
    return made != NULL;
}

gboolean af_working_copy_replan(af_working_copy *draft, af_plan_func write, af_made_func finish,
                                const void *user, GError **error)
{
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        if (!af_working_copy_replan_thread(draft, t, write, finish, user)) {
            return af_memory_error_set(error);
        }
    }
    return TRUE;
}
