#include "model/children.h"

static uint64_t make_key(uint32_t parent, uint32_t label)
{
    return (uint64_t)parent << 32 | label;
}

gboolean af_children_init(af_children *c, const af_tree *tree)
{
    af_idtable_init(c, sizeof(uint32_t), NULL);
    for (uint32_t n = 1; n < tree->n; n++) {
        uint32_t *node = af_idtable_item(c, make_key(tree->parent[n], tree->label[n]));
        if (node == NULL) {
            return FALSE;
        }
        *node = n;
    }
    return TRUE;
}

uint32_t af_children_find(const af_children *c, uint32_t node, uint32_t label)
{
    const uint32_t *child = af_idtable_find(c, make_key(node, label));
    return child == NULL ? AF_NO_NODE : *child;
}
