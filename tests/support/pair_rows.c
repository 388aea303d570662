#include "pair_rows.h"

typedef struct {
    const af_profile *profile;
    export_rows *rows;
    af_clock clocks[2];
    unsigned n_clocks;
    unsigned thread;
    char *top;
    GHashTable *pairs_with_calls, *pairs_without_calls; /* pair -> name of the callee */
} pair_sum;

static const char *get_name(const pair_sum *p, uint32_t node)
{
    return node == 0 ? p->top : af_node_label(p->profile, p->thread, node);
}

static guint64 get_pair(const pair_sum *p, uint32_t node)
{
    const uint32_t parent = af_node_parent(p->profile, p->thread, node);
    return stack_with(stack_of_thread(get_name(p, parent)), get_name(p, node));
}

/* `open` counts the pairs of the open calls. */
static void add_node(const pair_sum *p, uint32_t node, GHashTable *open)
{
    const char *name = get_name(p, node);
    const guint64 pair = get_pair(p, node);
    const uint32_t parent = af_node_parent(p->profile, p->thread, node);
    const gboolean counts =
        g_hash_table_lookup(open, &pair) == NULL && !g_str_equal(get_name(p, parent), name);
    for (unsigned c = 0; c < p->n_clocks; c++) {
        if (af_profile_has_clock(p->profile, p->clocks[c]) &&
            !af_thread_has_clock(p->profile, p->thread, p->clocks[c])) {
            continue;
        }
        rows_add(p->rows, stack_of_thread(name), name, WALL + (int)c,
                 (gint64)af_node_self_ns(p->profile, p->thread, node, p->clocks[c]));
        rows_add(p->rows, pair, name, WALL + (int)c,
                 counts ? (gint64)af_node_inclusive_ns(p->profile, p->thread, node, p->clocks[c])
                        : 0);
    }
    const gboolean has_calls = af_thread_has_calls(p->profile, p->thread);
    rows_add(p->rows, pair, name, CALLS,
             has_calls ? (gint64)af_node_calls(p->profile, p->thread, node) : 0);
    g_hash_table_replace(has_calls ? p->pairs_with_calls : p->pairs_without_calls,
                         g_memdup2(&pair, sizeof pair), g_strdup(name));
}

/* Counts a pair up or down. */
static void count_pair(GHashTable *open, guint64 pair, int step)
{
    const int n = GPOINTER_TO_INT(g_hash_table_lookup(open, &pair)) + step;
    if (n == 0) {
        g_hash_table_remove(open, &pair);
    } else {
        g_hash_table_replace(open, g_memdup2(&pair, sizeof pair), GINT_TO_POINTER(n));
    }
}

static void add_thread(pair_sum *p)
{
    g_autoptr(GHashTable) open = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    GArray *path = g_array_new(FALSE, FALSE, sizeof(uint32_t)); /* open nodes */
    p->top = g_strdup_printf("[thread %s]", af_thread_title(p->profile, p->thread));
    for (uint32_t node = 1; node < af_tree_n_nodes(p->profile, p->thread); node++) {
        const uint32_t parent = af_node_parent(p->profile, p->thread, node);
        while (path->len > 0 && g_array_index(path, uint32_t, path->len - 1) != parent) {
            count_pair(open, get_pair(p, g_array_index(path, uint32_t, path->len - 1)), -1);
            g_array_set_size(path, path->len - 1);
        }
        add_node(p, node, open);
        count_pair(open, get_pair(p, node), 1);
        g_array_append_val(path, node);
    }
    g_free(p->top);
    g_array_unref(path);
}

static GHashTable *new_pairs(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

/* Without a call count the format holds 1, because 0 would have another meaning. */
static void add_missing_counts(const pair_sum *p)
{
    GHashTableIter at;
    gpointer pair, name;
    g_hash_table_iter_init(&at, p->pairs_without_calls);
    while (g_hash_table_iter_next(&at, &pair, &name)) {
        rows_add(p->rows, *(guint64 *)pair, name, CALLS,
                 g_hash_table_contains(p->pairs_with_calls, pair) ? 0 : 1);
    }
}

void pair_rows_add(export_rows *rows, const af_profile *profile)
{
    pair_sum p = {.profile = profile,
                  .rows = rows,
                  .pairs_with_calls = new_pairs(),
                  .pairs_without_calls = new_pairs()};
    for (int c = 0; c < AF_CLOCKS; c++) {
        if (af_profile_has_clock(profile, (af_clock)c)) {
            p.clocks[p.n_clocks++] = (af_clock)c;
        }
    }
    if (p.n_clocks == 0) {
        p.clocks[p.n_clocks++] = AF_WALL; /* the weight of samples */
    }
    for (; p.thread < af_profile_n_threads(profile); p.thread++) {
        add_thread(&p);
    }
    add_missing_counts(&p);
    g_hash_table_unref(p.pairs_with_calls);
    g_hash_table_unref(p.pairs_without_calls);
}
