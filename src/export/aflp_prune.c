#include "export/aflp_prune.h"

#include "model/tree_prune.h"
#include "model/tree_rewrite.h"

void af_aflp_rest_clear(af_aflp_rest *rest)
{
    for (uint32_t t = 0; rest->trees != NULL && t < rest->n_trees; t++) {
        af_tree_free(rest->trees[t]);
    }
    g_free(rest->trees);
    g_free(rest->methods);
    g_free(rest->labels);
    g_free(rest->index_of);
    *rest = (af_aflp_rest){0};
}

static void copy_stand_in(af_tree *to, uint32_t i, const af_stand_in *from)
{
    to->label[i] = AF_NO_LABEL;
    to->calls[i] = from->calls;
    for (unsigned c = 0; c < AF_CLOCKS; c++) {
        if (to->self[c] != NULL) {
            to->self[c][i] = from->self[c];
            /* the times of single calls are known only if there is one */
            to->min[c][i] = to->max[c][i] = from->calls == 1 ? from->self[c] : 0;
        }
    }
    if (to->runnable != NULL) {
        to->runnable[i] = from->runnable;
    }
}

/* `open` holds the last node of each depth. */
static void copy_entries(af_tree *to, const af_aflp_nodes *from, const af_tree_extract *pruned,
                         uint32_t *open, uint64_t *left_out)
{
    open[0] = 0;
    for (uint32_t e = 0; e < pruned->n; e++) {
        const uint32_t entry = pruned->entries[e];
        uint32_t depth;
        if (entry < pruned->first) {
            af_tree_copy_node(to, e + 1, from->tree, entry);
            to->label[e + 1] = af_aflp_name(from, entry);
            depth = from->tree->depth[entry];
        } else {
            const af_stand_in *stand_in = &pruned->stand_ins[entry - pruned->first];
            copy_stand_in(to, e + 1, stand_in);
            depth = stand_in->depth;
            *left_out += stand_in->nodes;
        }
        to->parent[e + 1] = open[depth - 1];
        open[depth] = e + 1;
    }
}

/* The remaining nodes; left-out ones have no label yet. */
static af_tree *cut_tree(const af_aflp_nodes *from, const af_tree_extract *pruned,
                         uint64_t *left_out)
{
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < from->tree->n; i++) {
        deepest = MAX(deepest, from->tree->depth[i]);
    }
    g_autofree uint32_t *open = g_try_new(uint32_t, (size_t)deepest + 1);
    af_tree *to = open == NULL ? NULL : af_tree_new(pruned->n + 1, af_tree_columns(from->tree));
    if (to != NULL) {
        copy_entries(to, from, pruned, open, left_out);
        af_tree_sum(to);
    }
    return to;
}

static gboolean cut_trees(const af_aflp_whole *whole, uint64_t n_nodes, af_aflp_rest *rest)
{
    const af_tree_extract *const *pruned = af_ranking_prune(whole->ranking, n_nodes);
    for (uint32_t t = 0; pruned != NULL && t < whole->n_threads; t++) {
        rest->trees[t] = cut_tree(&whole->threads[t], pruned[t], &rest->left_out);
        if (rest->trees[t] == NULL) {
            return FALSE;
        }
        rest->n_trees++;
    }
    return pruned != NULL;
}

/* The numbers from 0 to n that `index_of` marks, and the place of each among them. */
static uint32_t *list_marked(uint32_t *index_of, uint32_t n, uint32_t *n_marked)
{
    uint32_t *list = g_try_new(uint32_t, (size_t)n + 1);
    *n_marked = 0;
    for (uint32_t i = 0; list != NULL && i < n; i++) {
        if (index_of[i] != 0) {
            index_of[i] = *n_marked;
            list[(*n_marked)++] = i;
        }
    }
    return list;
}

static void mark_names(const af_aflp_rest *rest, uint32_t *marks)
{
    for (uint32_t t = 0; t < rest->n_trees; t++) {
        const af_tree *tree = rest->trees[t];
        for (uint32_t i = 1; i < tree->n; i++) {
            if (tree->label[i] != AF_NO_LABEL) {
                marks[tree->label[i]] = 1;
            }
        }
    }
}

static void renumber(const af_aflp_rest *rest, const uint32_t *index_of, uint32_t left_out)
{
    for (uint32_t t = 0; t < rest->n_trees; t++) {
        const af_tree *tree = rest->trees[t];
        for (uint32_t i = 1; i < tree->n; i++) {
            tree->label[i] = tree->label[i] == AF_NO_LABEL ? left_out : index_of[tree->label[i]];
        }
    }
}

static gboolean keep_names(const af_aflp_whole *whole, af_aflp_rest *rest)
{
    const af_profile *profile = whole->profile;
    rest->index_of = g_try_new0(uint32_t, (size_t)profile->n_methods + 1);
    if (rest->index_of == NULL) {
        return FALSE;
    }
    if (whole->by_method) {
        mark_names(rest, rest->index_of);
        rest->methods = list_marked(rest->index_of, profile->n_methods, &rest->n_methods);
        renumber(rest, rest->index_of, rest->n_methods);
        return rest->methods != NULL;
    }
    uint32_t *indices = g_try_new0(uint32_t, (size_t)profile->n_labels + 1);
    if (indices != NULL) {
        mark_names(rest, indices);
        rest->labels = list_marked(indices, profile->n_labels, &rest->n_labels);
        renumber(rest, indices, rest->n_labels);
    }
    g_free(indices);
    for (uint32_t l = 0; rest->labels != NULL && l < rest->n_labels; l++) {
        rest->index_of[profile->labels[rest->labels[l]].method] = 1;
    }
    rest->methods = list_marked(rest->index_of, profile->n_methods, &rest->n_methods);
    return rest->labels != NULL && rest->methods != NULL;
}

gboolean af_aflp_prune(const af_aflp_whole *whole, uint64_t n_nodes, af_aflp_rest *rest)
{
    *rest = (af_aflp_rest){.trees = g_try_new0(af_tree *, (size_t)whole->n_threads + 1)};
    return rest->trees != NULL && cut_trees(whole, n_nodes, rest) && keep_names(whole, rest);
}
