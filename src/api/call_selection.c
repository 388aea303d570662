#include "api/call_selection.h"

#include <string.h>

#include "base/memory_error.h"
#include "calls/profile_walk.h"
#include "model/select.h"

af_call_list_options af_call_selection_complete(const af_call_list_options *options)
{
    af_call_list_options known = AF_CALL_LIST_OPTIONS_INIT;
    if (options != NULL) {
        memcpy(&known, options, MIN(options->size, sizeof known));
    }
    known.limit = known.limit == 0 ? UINT32_MAX : known.limit;
    return known;
}

/* ---- what goes with single calls ---- */

static const char *find_objection(const af_step *step)
{
    switch (step->kind) {
    case AF_STEP_INVERT_CALLERS:
        return "--invert-callers turns trees over, and single calls are no tree: each is listed "
               "with "
               "its caller; aflame report --tree up shows callers";
    case AF_STEP_COMPENSATE:
        return "--compensate reckons with all calls of a path together, not with single ones; "
               "aflame report --compensate has it";
    case AF_STEP_SORT:
        return "calls have an order of their own; --sort of siblings is for pictures";
    default:
        return NULL;
    }
}

static gboolean check(const af_profile *profile, const af_call_list_options *options,
                      GError **error)
{
    const char *objection = NULL;
    for (size_t i = 0; objection == NULL && i < options->n_steps; i++) {
        objection = find_objection(&options->steps[i]);
    }
    if (objection == NULL && profile->n_steps > 0) {
        objection =
            "calls are listed of a profile that was not reshaped; the steps are for the list";
    }
    if (objection != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, objection);
    }
    return objection == NULL;
}

/* ---- the lens ---- */

static int compare_threads(gconstpointer a, gconstpointer b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static gboolean choose_threads(af_call_selection *selection, const char *const *selectors,
                               GError **error)
{
    static const char *const all[] = {"all", NULL};
    selection->threads =
        af_select_threads(selection->shown, selectors != NULL ? selectors : all, error);
    if (selection->threads != NULL) {
        g_array_sort(selection->threads, compare_threads);
    }
    return selection->threads != NULL;
}

static gboolean make_lens(af_call_selection *selection, GError **error)
{
    const af_profile *profile = selection->profile;
    const af_lineage *lineage = selection->lineage;
    guint8 *meant = g_malloc0((gsize)selection->shown->n_threads + 1);
    for (guint i = 0; i < selection->threads->len; i++) {
        meant[g_array_index(selection->threads, uint32_t, i)] = 1;
    }
    selection->thread_of = g_try_new(uint32_t, (gsize)profile->n_threads + 1);
    for (uint32_t t = 0; selection->thread_of != NULL && t < profile->n_threads; t++) {
        const uint32_t at = lineage != NULL ? lineage->thread[t] : t;
        selection->thread_of[t] = at == AF_NO_NODE || meant[at] == 0 ? AF_NO_NODE : at;
    }
    g_free(meant);
    selection->lens = (af_lens){
        .thread = selection->thread_of, .shown = selection->shown, .wanted = selection->wanted};
    if (lineage != NULL) {
        selection->lens.node = (const uint32_t *const *)lineage->node;
        selection->lens.time = (const uint32_t *const *)lineage->time;
    }
    return selection->thread_of != NULL || af_memory_error_set(error);
}

/* Of the threads that were chosen. */
static gboolean choose_clocks(af_call_selection *selection, af_clock wanted, GError **error)
{
    const af_profile *shown = selection->shown;
    if (wanted == AF_CLOCK_DEFAULT) {
        selection->clocks = af_select_clocks(shown, selection->threads);
        return TRUE;
    }
    selection->clocks = 1u << (unsigned)selection->clock;
    return af_select_clocked(shown, selection->clock, selection->threads, &selection->n_left_out,
                             error);
}

gboolean af_call_selection_open(af_call_selection *selection, const af_profile *profile,
                                const char *pattern, const af_call_list_options *options,
                                GError **error)
{
    memset(selection, 0, sizeof *selection);
    if (!check(profile, options, error)) {
        return FALSE;
    }
    selection->profile = af_profile_hold(profile);
    selection->shown =
        options->n_steps > 0
            ? af_reshape_run(profile, options->steps, options->n_steps, &selection->lineage, error)
            : (af_profile *)af_profile_hold(profile);
    gboolean ok = selection->shown != NULL &&
                  af_select_clock(selection->shown, options->clock, &selection->clock, error) &&
                  choose_threads(selection, options->threads, error) &&
                  choose_clocks(selection, options->clock, error);
    if (ok) {
        selection->wanted = af_select_labels(selection->shown, pattern, error);
        ok = selection->wanted != NULL && make_lens(selection, error);
    }
    return ok;
}

void af_call_selection_close(af_call_selection *selection)
{
    af_lineage_free(selection->lineage);
    g_free(selection->thread_of);
    g_free(selection->wanted);
    g_clear_pointer(&selection->threads, g_array_unref);
    af_profile_free(selection->shown);
    af_profile_free((af_profile *)selection->profile);
    memset(selection, 0, sizeof *selection);
}

/* ---- walking ---- */

typedef struct {
    af_observer follower;
    const af_observer *also;
} pair;

static gboolean enter_both(void *user, const af_call_event *edge, GError **error)
{
    const pair *p = user;
    return p->follower.enter(p->follower.user, edge, error) &&
           p->also->enter(p->also->user, edge, error);
}

static gboolean leave_both(void *user, const af_call_event *edge, GError **error)
{
    const pair *p = user;
    return p->also->leave(p->also->user, edge, error) &&
           p->follower.leave(p->follower.user, edge, error);
}

gboolean af_call_selection_walk(const af_call_selection *selection,
                                const af_call_list_options *options, af_call_func callback,
                                void *user, const af_observer *also, af_call_follower **follower,
                                uint64_t *n, GError **error)
{
    af_call_walk_options walk = AF_CALL_WALK_OPTIONS_INIT;
    walk.cancel = options->cancel;
    walk.progress = options->progress;
    walk.progress_user = options->progress_user;
    *follower = af_call_follower_new(selection->profile, &selection->lens, callback, user);
    if (*follower == NULL) {
        return af_memory_error_set(error);
    }
    pair both = {af_call_follower_observer(*follower), also};
    const af_observer observer =
        also == NULL ? both.follower : (af_observer){enter_both, leave_both, NULL, &both};
    const guint8 *only = also == NULL && selection->lineage == NULL ? selection->wanted : NULL;
    const gboolean ok = af_profile_walk_only(selection->profile, &observer, only, &walk, error);
    *n = af_call_follower_begun(*follower);
    g_clear_pointer(follower, af_call_follower_free);
    return ok;
}
