#include "compare/paths.h"

#include <stdlib.h>
#include <string.h>

/* Makes the columns at least `n` long, so that nodes up to that number can be added. */
static gboolean reach(af_paths *p, size_t n)
{
    return af_array_reach(&p->parent, n) && af_array_reach(&p->name, n) &&
           af_array_reach(&p->first_child, n) && af_array_reach(&p->next_sibling, n);
}

/* Makes the columns as long as there are nodes. */
static void trim(af_paths *p)
{
    p->parent.n = p->name.n = p->first_child.n = p->next_sibling.n = p->n;
}

/* Adds a child after `before`, the last one so far (0 = none). */
static uint32_t add_node(af_paths *p, uint32_t parent, uint32_t before, uint32_t name)
{
    const uint32_t node = p->n++;
    AF_ARRAY_AT(&p->parent, uint32_t, node) = parent;
    AF_ARRAY_AT(&p->name, uint32_t, node) = name;
    if (before != 0) {
        AF_ARRAY_AT(&p->next_sibling, uint32_t, before) = node;
    } else if (parent != AF_NO_NODE) {
        AF_ARRAY_AT(&p->first_child, uint32_t, parent) = node;
    }
    return node;
}

gboolean af_paths_init(af_paths *p)
{
    af_array *const columns[] = {&p->parent, &p->name, &p->first_child, &p->next_sibling};
    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
        af_array_init(columns[i], sizeof(uint32_t));
    }
    p->n = 0;
    return reach(p, 1) && add_node(p, AF_NO_NODE, 0, AF_NO_LABEL) == 0;
}

void af_paths_clear(af_paths *p)
{
    af_array_clear(&p->parent);
    af_array_clear(&p->name);
    af_array_clear(&p->first_child);
    af_array_clear(&p->next_sibling);
}

/* The children of the node that is being matched, by name: valid where `mark` has its number. */
typedef struct {
    uint32_t *mark, *child;
    uint32_t *first, *next; /* children of the source's nodes */
} matching;

static void match_children(af_paths *p, const af_paths_source *s, const matching *m, uint32_t from,
                           uint32_t *node_of)
{
    const uint32_t node = node_of[from];
    uint32_t last = 0;
    for (uint32_t c = AF_ARRAY_AT(&p->first_child, uint32_t, node); c != 0;
         c = AF_ARRAY_AT(&p->next_sibling, uint32_t, c)) {
        const uint32_t name = AF_ARRAY_AT(&p->name, uint32_t, c);
        m->mark[name] = from + 1;
        m->child[name] = c;
        last = c;
    }
    for (uint32_t i = m->first[from]; i != 0; i = m->next[i]) {
        const uint32_t name = s->name_of[s->label[i]];
        if (m->mark[name] != from + 1) {
            m->mark[name] = from + 1;
            last = m->child[name] = add_node(p, node, last, name);
        }
        node_of[i] = m->child[name];
    }
}

/* Adds a tree to an empty one: nodes keep their numbers. FALSE, with the paths empty again, if two
 * children of a node have one name. */
static gboolean take_tree(af_paths *p, const af_paths_source *s, uint32_t *mark, uint32_t *node_of)
{
    uint32_t *parent = p->parent.items, *name = p->name.items, *first = p->first_child.items;
    uint32_t *next = p->next_sibling.items;
    for (uint32_t i = s->n - 1; i > 0; i--) {
        const uint32_t above = parent[i] = s->parent[i];
        name[i] = s->name_of[s->label[i]];
        next[i] = first[above];
        first[above] = i;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        node_of[i] = i;
        for (uint32_t c = first[i]; c != 0; c = next[c]) {
            if (mark[name[c]] == i + 1) {
                memset(mark, 0, ((size_t)s->n_names + 1) * sizeof *mark);
                memset(first, 0, s->n * sizeof *first);
                memset(next, 0, s->n * sizeof *next);
                return FALSE;
            }
            mark[name[c]] = i + 1;
        }
    }
    p->n = s->n;
    return TRUE;
}

static void match_tree(af_paths *p, const af_paths_source *s, const matching *m, uint32_t *node_of)
{
    for (uint32_t i = s->n - 1; i > 0; i--) {
        const uint32_t parent = s->parent[i];
        m->next[i] = m->first[parent];
        m->first[parent] = i;
    }
    node_of[0] = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (m->first[i] != 0) {
            match_children(p, s, m, i, node_of);
        }
    }
}

gboolean af_paths_add(af_paths *p, const af_paths_source *s, uint32_t *node_of)
{
    matching m = {.mark = g_try_new0(uint32_t, (size_t)s->n_names + 1)};
    gboolean ok = m.mark != NULL && reach(p, (size_t)p->n + s->n);
    if (ok && !(p->n == 1 && take_tree(p, s, m.mark, node_of))) {
        m.child = g_try_new(uint32_t, (size_t)s->n_names + 1);
        m.first = g_try_new0(uint32_t, (size_t)s->n + 1);
        m.next = g_try_new0(uint32_t, (size_t)s->n + 1);
        ok = m.child != NULL && m.first != NULL && m.next != NULL;
        if (ok) {
            match_tree(p, s, &m, node_of);
        }
    }
    trim(p);
    g_free(m.next);
    g_free(m.first);
    g_free(m.child);
    g_free(m.mark);
    return ok;
}

/* The last node in the order of siblings first. */
static gint compare_nodes(gconstpointer a, gconstpointer b, gpointer user)
{
    const uint64_t *weights = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    if (weights[one] != weights[other]) {
        return weights[one] < weights[other] ? -1 : 1;
    }
    return (one < other) - (one > other);
}

/* Puts the children of a node on top of the stack, the first one last. Returns its new height. */
static uint32_t push_children(const af_paths *p, const uint64_t *weights, uint32_t node,
                              uint32_t *stack, uint32_t height)
{
    const uint32_t *next = p->next_sibling.items;
    uint32_t n = 0;
    for (uint32_t c = AF_ARRAY_AT(&p->first_child, uint32_t, node); c != 0; c = next[c]) {
        stack[height + n++] = c;
    }
    if (n > 1) {
        qsort_r(stack + height, n, sizeof *stack, compare_nodes, (gpointer)weights);
    }
    return height + n;
}

gboolean af_paths_order(const af_paths *p, const uint64_t *weights, uint32_t *order)
{
    g_autofree uint32_t *stack = g_try_new(uint32_t, (size_t)p->n + 1);
    uint32_t n = 0, height = 1;
    if (stack == NULL) {
        return FALSE;
    }
    stack[0] = 0;
    while (height > 0) {
        const uint32_t node = stack[--height];
        order[n++] = node;
        height = push_children(p, weights, node, stack, height);
    }
    return TRUE;
}
