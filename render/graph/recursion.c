#include "render/graph/recursion.h"

#include <string.h>

#include "base/number.h"
#include "model/tree_rewrite.h"
#include "render/sizes.h"

static gboolean calls_itself(const af_tree *tree, uint32_t node)
{
    const uint32_t parent = tree->parent[node];
    return parent > 0 && tree->label[parent] == tree->label[node];
}

/* By node: the levels of the longest path of calls to itself that begins there. */
static uint32_t *count_levels(const af_tree *tree)
{
    uint32_t *levels = g_try_new(uint32_t, (gsize)tree->n + 1);
    for (uint32_t i = tree->n; levels && i-- > 0;) {
        levels[i] = 1;
    }
    for (uint32_t i = tree->n; levels && i-- > 1;) {
        if (calls_itself(tree, i)) {
            levels[tree->parent[i]] = MAX(levels[tree->parent[i]], levels[i] + 1);
        }
    }
    return levels;
}

uint32_t af_recursion_depth(const af_tree *tree, uint32_t *label)
{
    g_autofree uint32_t *levels = count_levels(tree);
    uint32_t most = 0;
    for (uint32_t i = 1; levels && i < tree->n; i++) {
        if (levels[i] > most) {
            most = levels[i];
            *label = tree->label[i];
        }
    }
    return most;
}

static gboolean is_high(const af_tree *tree)
{
    for (uint32_t i = 1; i < tree->n; i++) {
        if (tree->depth[i] > AF_FIRST_ROWS) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The label of a run, AF_NO_LABEL if memory is refused. */
static uint32_t find_label(af_recursion *r, af_scene *scene, uint32_t label, uint32_t levels)
{
    const uint64_t key = (uint64_t)label << 32 | levels;
    gpointer known = g_hash_table_lookup(r->runs, &key);
    if (known) {
        return GPOINTER_TO_UINT(known);
    }
    char number[AF_NUMBER_SIZE];
    af_label made = r->profile.labels[label];
    g_autofree char *text =
        g_strdup_printf("%s \u00d7 %s", made.text, af_number_count(number, levels));
    made.text = af_scene_string(scene, text);
    made.length = (uint32_t)strlen(text);
    made.methods = 0;
    if (!af_array_append(&r->labels, &made)) {
        return AF_NO_LABEL;
    }
    r->profile.labels = r->labels.items;
    g_hash_table_insert(r->runs, g_memdup2(&key, sizeof key),
                        GUINT_TO_POINTER(r->profile.n_labels));
    return r->profile.n_labels++;
}

/* Moves the levels of each long run into its first node. Returns the number of runs, -1 if memory
 * is refused. */
static int plan_runs(af_recursion *r, af_scene *scene, const af_tree *tree, const uint32_t *levels,
                     af_plan *plan)
{
    int n = 0;
    for (uint32_t i = 1; i < tree->n; i++) {
        const uint32_t parent = tree->parent[i];
        plan->parent[i] = plan->into[parent];
        if (calls_itself(tree, i)) {
            const gboolean is_run = plan->label[plan->into[parent]] != tree->label[parent];
            plan->into[i] = is_run ? plan->into[parent] : i;
        } else if (levels[i] >= AF_RECURSION_MIN) {
            plan->label[i] = find_label(r, scene, tree->label[i], levels[i]);
            if (plan->label[i] == AF_NO_LABEL) {
                return -1;
            }
            if (levels[i] > r->deepest) {
                r->deepest = levels[i];
                r->label = tree->label[i];
            }
            n++;
        }
    }
    return n;
}

static gboolean compact_tree(af_recursion *r, af_scene *scene, uint32_t thread)
{
    const af_tree *tree = r->profile.threads[thread].tree;
    if (!is_high(tree)) {
        return TRUE;
    }
    g_autofree uint32_t *levels = count_levels(tree);
    af_plan plan;
    const gboolean ready = af_plan_init(&plan, tree) && levels;
    const int n = ready ? plan_runs(r, scene, tree, levels, &plan) : -1;
    if (n > 0) {
        r->trees[thread] = af_tree_regroup(tree, &plan, NULL);
        r->profile.threads[thread].tree = r->trees[thread];
        r->n_trees++;
    }
    af_plan_clear(&plan);
    return n == 0 || (n > 0 && r->trees[thread] != NULL);
}

gboolean af_recursion_compact(const af_profile *profile, af_scene *scene, af_recursion **recursion)
{
    *recursion = NULL;
    af_recursion *r = g_try_new0(af_recursion, 1);
    if (!r) {
        return FALSE;
    }
    r->profile = *profile;
    af_array_init(&r->labels, sizeof(af_label));
    r->profile.labels = profile->n_labels > 0 ? af_array_add(&r->labels, profile->n_labels) : NULL;
    r->profile.threads = g_try_new(af_thread, (gsize)profile->n_threads + 1);
    r->trees = g_try_new0(af_tree *, (gsize)profile->n_threads + 1);
    r->runs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    gboolean done = !r->labels.failed && r->profile.threads && r->trees;
    if (done && profile->n_labels > 0) {
        memcpy(r->profile.labels, profile->labels, profile->n_labels * sizeof *profile->labels);
    }
    if (done) {
        memcpy(r->profile.threads, profile->threads, profile->n_threads * sizeof *profile->threads);
    }
    for (uint32_t i = 0; done && i < profile->n_threads; i++) {
        done = compact_tree(r, scene, i);
    }
    if (!done || r->n_trees == 0) {
        af_recursion_free(r);
        return done;
    }
    *recursion = r;
    return TRUE;
}

void af_recursion_free(af_recursion *r)
{
    if (r) {
        for (uint32_t i = 0; r->trees && i < r->profile.n_threads; i++) {
            af_tree_free(r->trees[i]);
        }
        g_free(r->trees);
        af_array_clear(&r->labels);
        g_free(r->profile.threads);
        g_hash_table_unref(r->runs);
        g_free(r);
    }
}
