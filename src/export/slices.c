#include "export/slices.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/changed_error.h"
#include "base/memory_error.h"
#include "export/calls.h"

/* The nodes of a tree by parent and label. */
typedef struct {
    const af_tree *tree;
    const af_hash_secret *secret;
    uint32_t *slots; /* node, 0 = free; linear probing */
    uint32_t mask;
} node_map;

static uint32_t find_slot(const node_map *map, uint32_t parent, uint32_t label)
{
    uint32_t at = af_hash_number(map->secret, (uint64_t)parent << 32 | label) & map->mask;
    for (;; at = (at + 1) & map->mask) {
        const uint32_t node = map->slots[at];
        if (node == 0 || (map->tree->parent[node] == parent && map->tree->label[node] == label)) {
            return at;
        }
    }
}

static gboolean init_map(node_map *map, const af_tree *tree)
{
    uint64_t size = 64;
    while (size < (uint64_t)tree->n * 2) {
        size *= 2;
    }
    map->tree = tree;
    map->secret = af_hash_get_secret();
    map->mask = (uint32_t)(size - 1);
    map->slots = g_try_new0(uint32_t, size);
    for (uint32_t n = 1; n < tree->n && map->slots != NULL; n++) {
        map->slots[find_slot(map, tree->parent[n], tree->label[n])] = n;
    }
    return map->slots != NULL;
}

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    const af_export_slice_observer *observer;
    uint64_t start_ns;       /* of the trace */
    node_map map;            /* of the current thread */
    af_array open;           /* of uint32_t: nodes */
    af_export_slice current; /* the node since the last edge; node 0 = none */
} following;

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    following *f = user;
    f->open.n = 0;
    f->current = (af_export_slice){0};
    if (round == 0 && !init_map(&f->map, f->profile->threads[thread].tree)) {
        return af_memory_error_set(error);
    }
    return f->observer->begin(f->observer->user, thread, round, error);
}

/* Ends the current slice; the thread is in `node` from the edge on. */
static gboolean move(following *f, const af_call_event *edge, uint32_t node, GError **error)
{
    const uint64_t now_ns = edge->time_ns[f->selection->clock] - f->start_ns;
    gboolean ok = TRUE;
    f->current.end_ns = now_ns;
    if (f->current.node != 0 && f->current.begin_ns < now_ns) {
        ok = f->observer->slice(f->observer->user, &f->current, error);
    }
    f->current = (af_export_slice){node, now_ns, now_ns, edge->time_ns[AF_CPU]};
    return ok;
}

static bool enter_call(void *user, const af_call_event *edge, GError **error)
{
    following *f = user;
    const uint32_t caller = f->open.n > 0 ? AF_ARRAY_AT(&f->open, uint32_t, f->open.n - 1) : 0;
    uint32_t *node = af_array_add(&f->open, 1);
    if (node == NULL) {
        return af_memory_error_set(error);
    }
    /* the tree was built from these same calls */
    *node = f->map.slots[find_slot(&f->map, caller, edge->label)];
    if (*node == 0) {
        af_changed_error_set(error);
        return FALSE;
    }
    return move(f, edge, *node, error);
}

static bool leave_call(void *user, const af_call_event *edge, GError **error)
{
    following *f = user;
    f->open.n--;
    return move(f, edge, f->open.n > 0 ? AF_ARRAY_AT(&f->open, uint32_t, f->open.n - 1) : 0, error);
}

static gboolean end_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    following *f = user;
    if (round + 1 == f->observer->rounds) {
        g_clear_pointer(&f->map.slots, g_free);
    }
    return f->observer->end(f->observer->user, thread, round, error);
}

static gboolean follow_calls(const af_profile *profile, const af_selection *selection,
                             const af_export_slice_observer *observer, GError **error)
{
    following f = {.profile = profile, .selection = selection, .observer = observer};
    f.start_ns = selection->clock == AF_WALL ? af_profile_start_ns(profile) : 0;
    const af_thread_observer calls = {observer->rounds, begin_thread, enter_call,
                                      leave_call,       end_thread,   &f};
    af_array_init(&f.open, sizeof(uint32_t));
    const gboolean ok = af_export_walk_threads(profile, selection, &calls, error);
    af_array_clear(&f.open);
    g_free(f.map.slots);
    return ok;
}

static gboolean visit_tree(const af_tree *tree, af_clock clock,
                           const af_export_slice_observer *observer, GError **error)
{
    const uint64_t *self = af_tree_self_widths(tree, clock);
    af_export_slice slice = {0};
    gboolean ok = TRUE;
    for (uint32_t n = 1; n < tree->n && ok; n++) {
        slice.node = n;
        slice.begin_ns = slice.end_ns;
        slice.end_ns += self[n];
        ok = self[n] == 0 || observer->slice(observer->user, &slice, error);
    }
    return ok;
}

gboolean af_export_slices_walk(const af_profile *profile, const af_selection *selection,
                               const af_export_slice_observer *observer, GError **error)
{
    if (selection->calls != NULL) {
        return follow_calls(profile, selection, observer, error);
    }
    gboolean ok = TRUE;
    for (uint32_t i = 0; i < selection->n_threads && ok; i++) {
        const uint32_t thread = selection->threads[i];
        for (unsigned round = 0; round < observer->rounds && ok; round++) {
            ok = observer->begin(observer->user, thread, round, error) &&
                 visit_tree(profile->threads[thread].tree, selection->clock, observer, error) &&
                 observer->end(observer->user, thread, round, error);
        }
    }
    return ok;
}
