#include "export/slices.h"

#include "base/array.h"
#include "base/changed_error.h"
#include "base/memory_error.h"
#include "export/calls.h"
#include "model/children.h"

typedef struct {
    const af_profile *profile;
    const af_selection *selection;
    const af_export_slice_observer *observer;
    uint64_t start_ns;       /* of the trace */
    af_children children;    /* of the current thread */
    af_array open;           /* of uint32_t: nodes */
    af_export_slice current; /* the node since the last edge; node 0 = none */
} following;

static gboolean begin_thread(void *user, uint32_t thread, unsigned round, GError **error)
{
    following *f = user;
    f->open.n = 0;
    f->current = (af_export_slice){0};
    if (round == 0 && !af_children_init(&f->children, f->profile->threads[thread].tree)) {
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
    *node = af_children_find(&f->children, caller, edge->label);
    if (*node == AF_NO_NODE) {
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
        af_children_clear(&f->children);
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
    af_children_clear(&f.children);
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
