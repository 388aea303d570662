#include "model/children.h"

/* Returns the slot of the child, or the free slot for it. */
static uint32_t find_slot(const af_children *c, uint32_t parent, uint32_t label)
{
    uint32_t at = af_hash_number(c->secret, (uint64_t)parent << 32 | label) & c->mask;
    while (c->slots[at] != 0 && (c->tree->parent[c->slots[at] - 1] != parent ||
                                 c->tree->label[c->slots[at] - 1] != label)) {
        at = (at + 1) & c->mask;
    }
    return at;
}

gboolean af_children_init(af_children *c, const af_tree *tree)
{
    uint64_t n_slots = 16;
    while (n_slots < (uint64_t)tree->n * 2) {
        n_slots *= 2;
    }
    c->tree = tree;
    c->secret = af_hash_get_secret();
    c->mask = (uint32_t)(n_slots - 1);
    c->slots = g_try_malloc0_n(n_slots, sizeof *c->slots);
    for (uint32_t n = 1; c->slots != NULL && n < tree->n; n++) {
        c->slots[find_slot(c, tree->parent[n], tree->label[n])] = n + 1;
    }
    return c->slots != NULL;
}

void af_children_clear(af_children *c)
{
    g_clear_pointer(&c->slots, g_free);
}

uint32_t af_children_find(const af_children *c, uint32_t node, uint32_t label)
{
    return c->slots[find_slot(c, node, label)] - 1; /* AF_NO_NODE if the slot is free */
}
