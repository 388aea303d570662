#include "compare/paths.h"

#include <string.h>

static uint32_t add_node(af_paths *p, uint32_t parent, uint32_t name)
{
    const uint32_t node = p->n;
    af_array *const columns[] = {&p->parent, &p->name, &p->first_child, &p->last_child,
                                 &p->next_sibling};
    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
        if (af_array_add(columns[i], 1) == NULL) {
            return AF_NO_NODE;
        }
    }
    AF_ARRAY_AT(&p->parent, uint32_t, node) = parent;
    AF_ARRAY_AT(&p->name, uint32_t, node) = name;
    p->n++;
    if (parent != AF_NO_NODE) {
        uint32_t *last = &AF_ARRAY_AT(&p->last_child, uint32_t, parent);
        if (*last == 0) {
            AF_ARRAY_AT(&p->first_child, uint32_t, parent) = node;
        } else {
            AF_ARRAY_AT(&p->next_sibling, uint32_t, *last) = node;
        }
        *last = node;
    }
    return node;
}

gboolean af_paths_init(af_paths *p)
{
    p->n = 0;
    af_array *const columns[] = {&p->parent, &p->name, &p->first_child, &p->last_child,
                                 &p->next_sibling};
    for (unsigned i = 0; i < G_N_ELEMENTS(columns); i++) {
        af_array_init(columns[i], sizeof(uint32_t));
    }
    return add_node(p, AF_NO_NODE, AF_NO_LABEL) == 0;
}

void af_paths_clear(af_paths *p)
{
    af_array_clear(&p->parent);
    af_array_clear(&p->name);
    af_array_clear(&p->first_child);
    af_array_clear(&p->last_child);
    af_array_clear(&p->next_sibling);
}

/* The children of the node that is being matched, by name: valid where `mark` has its number. */
typedef struct {
    uint32_t *mark, *child;
    uint32_t *first, *next; /* children of the source's nodes */
} matching;

static void list_children(const af_paths_source *s, matching *m)
{
    for (uint32_t i = s->n - 1; i > 0; i--) {
        const uint32_t parent = s->parent[i];
        m->next[i] = m->first[parent];
        m->first[parent] = i;
    }
}

static gboolean match_children(af_paths *p, const af_paths_source *s, const matching *m,
                               uint32_t from, uint32_t *node_of)
{
    const uint32_t node = node_of[from];
    for (uint32_t c = AF_ARRAY_AT(&p->first_child, uint32_t, node); c != 0;
         c = AF_ARRAY_AT(&p->next_sibling, uint32_t, c)) {
        const uint32_t name = AF_ARRAY_AT(&p->name, uint32_t, c);
        m->mark[name] = from + 1;
        m->child[name] = c;
    }
    for (uint32_t i = m->first[from]; i != 0; i = m->next[i]) {
        const uint32_t name = s->name_of[s->label[i]];
        if (m->mark[name] != from + 1) {
            m->mark[name] = from + 1;
            m->child[name] = add_node(p, node, name);
            if (m->child[name] == AF_NO_NODE) {
                return FALSE;
            }
        }
        node_of[i] = m->child[name];
    }
    return TRUE;
}

gboolean af_paths_add(af_paths *p, const af_paths_source *s, uint32_t *node_of)
{
    matching m = {.mark = g_try_new0(uint32_t, (size_t)s->n_names + 1),
                  .child = g_try_new(uint32_t, (size_t)s->n_names + 1),
                  .first = g_try_new0(uint32_t, (size_t)s->n + 1),
                  .next = g_try_new0(uint32_t, (size_t)s->n + 1)};
    gboolean ok = m.mark != NULL && m.child != NULL && m.first != NULL && m.next != NULL;
    if (ok) {
        list_children(s, &m);
        node_of[0] = 0;
    }
    for (uint32_t i = 0; ok && i < s->n; i++) {
        ok = m.first[i] == 0 || match_children(p, s, &m, i, node_of);
    }
    g_free(m.next);
    g_free(m.first);
    g_free(m.child);
    g_free(m.mark);
    return ok;
}

/* ---- order ---- */

typedef struct {
    gboolean (*before)(const void *user, uint32_t one, uint32_t other);
    const void *user;
} ordering;

static gint compare_nodes(gconstpointer a, gconstpointer b, gpointer user)
{
    const ordering *o = user;
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    if (o->before(o->user, one, other)) {
        return -1;
    }
    if (o->before(o->user, other, one)) {
        return 1;
    }
    return (one > other) - (one < other);
}

/* Puts the children of a node on top of the stack, the first one last. */
static gboolean push_children(const af_paths *p, const ordering *o, uint32_t node, af_array *stack)
{
    const size_t begin = stack->n;
    for (uint32_t c = AF_ARRAY_AT(&p->first_child, uint32_t, node); c != 0;
         c = AF_ARRAY_AT(&p->next_sibling, uint32_t, c)) {
        uint32_t *top = af_array_add(stack, 1);
        if (top == NULL) {
            return FALSE;
        }
        *top = c;
    }
    uint32_t *children = (uint32_t *)stack->items + begin;
    const size_t n = stack->n - begin;
    if (o->before != NULL && n > 1) {
        g_qsort_with_data(children, (gint)n, sizeof *children, compare_nodes, (gpointer)o);
    }
    for (size_t i = 0; i < n / 2; i++) {
        const uint32_t swapped = children[i];
        children[i] = children[n - 1 - i];
        children[n - 1 - i] = swapped;
    }
    return TRUE;
}

gboolean af_paths_order(const af_paths *p,
                        gboolean (*before)(const void *user, uint32_t one, uint32_t other),
                        const void *user, uint32_t *order)
{
    const ordering o = {before, user};
    af_array stack;
    af_array_init(&stack, sizeof(uint32_t));
    uint32_t n = 0, node = 0;
    gboolean ok = TRUE;
    for (;;) {
        order[n++] = node;
        ok = push_children(p, &o, node, &stack);
        if (!ok || stack.n == 0) {
            break;
        }
        node = AF_ARRAY_AT(&stack, uint32_t, --stack.n);
    }
    af_array_clear(&stack);
    return ok;
}
