#include "path_map.h"

static uint64_t make_key(uint32_t parent, uint32_t label)
{
    return (uint64_t)parent << 32 | label;
}

/* GLib's hash looks at the lower half only. */
static guint hash_key(gconstpointer key)
{
    return (guint)((*(const uint64_t *)key * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

GHashTable *path_map_new(const af_profile *profile, unsigned thread)
{
    GHashTable *map = g_hash_table_new_full(hash_key, g_int64_equal, g_free, NULL);
    const uint32_t n = af_tree_n_nodes(profile, thread);
    for (uint32_t node = 1; node < n; node++) {
        const uint64_t key = make_key(af_node_parent(profile, thread, node),
                                      af_node_label_number(profile, thread, node));
        g_hash_table_insert(map, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(node));
    }
    return map;
}

uint32_t path_map_find(GHashTable *map, uint32_t parent, uint32_t label)
{
    const uint64_t key = make_key(parent, label);
    gpointer node;
    return g_hash_table_lookup_extended(map, &key, NULL, &node) ? GPOINTER_TO_UINT(node)
                                                                : UINT32_MAX;
}
