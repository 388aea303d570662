/* Sorts siblings. Nodes are numbered in preorder, so another order needs another tree. */
#include "transform/step.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory_error.h"

typedef struct {
    const af_profile *profile;
    const af_tree *tree;
    const uint64_t *time_ns; /* NULL = by name */
} ordering;

/* Ties keep the order of first calls. */
static gint compare_siblings(gconstpointer a, gconstpointer b, gpointer user)
{
    const ordering *o = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    int order = 0;
    if (o->time_ns != NULL) {
        order = (o->time_ns[one] < o->time_ns[other]) - (o->time_ns[one] > o->time_ns[other]);
    } else {
        const af_label *labels = o->profile->labels;
        order = strcmp(labels[o->tree->label[one]].text, labels[o->tree->label[other]].text);
    }
    return order != 0 ? order : (one > other) - (one < other);
}

/* Numbers the nodes in preorder, siblings in their new order. `size`: of a node with all its
 * descendants; `children` is scratch space. */
static void number_nodes(ordering *o, uint32_t *children, uint32_t *size, uint32_t *number)
{
    const af_tree *tree = o->tree;
    for (uint32_t n = 0; n < tree->n; n++) {
        size[n] = 1;
    }
    for (uint32_t n = tree->n - 1; n > 0; n--) {
        size[tree->parent[n]] += size[n];
    }
    number[0] = 0;
    for (uint32_t n = 0; n < tree->n; n++) {
        uint32_t n_children = 0, next = number[n] + 1;
        for (uint32_t child = n + 1; child < n + size[n]; child += size[child]) {
            children[n_children++] = child;
        }
        if (n_children > 1) {
            qsort_r(children, n_children, sizeof *children, compare_siblings, o);
        }
        for (uint32_t i = 0; i < n_children; i++) {
            number[children[i]] = next;
            next += size[children[i]];
        }
    }
}

static void copy_columns(const af_tree *tree, const uint32_t *number, af_tree *made)
{
    for (uint32_t n = 1; n < tree->n; n++) {
        made->parent[number[n]] = number[tree->parent[n]];
        af_tree_copy_node(made, number[n], tree, n);
    }
    af_tree_sum(made);
}

static gboolean sort_thread(af_working_copy *draft, uint32_t thread, const af_step *step)
{
    const af_tree *tree = draft->made->threads[thread].tree;
    ordering o = {draft->made, tree,
                  step->number == AF_SORT_TIME ? af_tree_widths(tree, step->clock) : NULL};
    g_autofree uint32_t *buffer = g_try_malloc_n((size_t)tree->n * 3, sizeof *buffer);
    af_tree *made = buffer == NULL ? NULL : af_tree_new(tree->n, af_tree_columns(tree));
    if (made != NULL) {
        uint32_t *number = buffer + 2 * (size_t)tree->n;
        number_nodes(&o, buffer, buffer + tree->n, number);
        copy_columns(tree, number, made);
        af_working_copy_put_tree(draft, thread, made, number, number);
    }
    return made != NULL;
}

static gboolean sort_trees(af_working_copy *draft, const af_step *step, GError **error)
{
    for (uint32_t t = 0; t < draft->made->n_threads; t++) {
        const gboolean known =
            step->number != AF_SORT_TIME || af_thread_has(draft->made, t, step->clock);
        if (known && !sort_thread(draft, t, step)) {
            return af_memory_error_set(error);
        }
    }
    return TRUE;
}

const af_step_class af_step_sort = {
    "sort",
    "Sort siblings by time, name or first call (first)",
    "Sort siblings by first call, time or name; the position of the option does not\n"
    "matter.\n"
    "The default is first, with --invert-callers time.\n"
    "In an interactive SVG the key\n"
    "x switches between first and time.",
    AF_STEP_ORDER,
    .no_calls = "calls have their own order; sorting siblings is for pictures",
    .run = sort_trees};
