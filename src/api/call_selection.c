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

static gboolean choose_threads(af_call_selection *seen, const char *const *selectors,
                               GError **error)
{
    static const char *const all[] = {"all", NULL};
    seen->threads = af_select_threads(seen->shown, selectors != NULL ? selectors : all, error);
    if (seen->threads != NULL) {
        g_array_sort(seen->threads, compare_threads);
    }
    return seen->threads != NULL;
}

static gboolean make_lens(af_call_selection *seen, GError **error)
{
    const af_profile *profile = seen->profile;
    const af_lineage *lineage = seen->lineage;
    guint8 *meant = g_malloc0((gsize)seen->shown->n_threads + 1);
    for (guint i = 0; i < seen->threads->len; i++) {
        meant[g_array_index(seen->threads, uint32_t, i)] = 1;
    }
    seen->thread_of = g_try_new(uint32_t, (gsize)profile->n_threads + 1);
    for (uint32_t t = 0; seen->thread_of != NULL && t < profile->n_threads; t++) {
        const uint32_t at = lineage != NULL ? lineage->thread[t] : t;
        seen->thread_of[t] = at == AF_NO_NODE || meant[at] == 0 ? AF_NO_NODE : at;
    }
    g_free(meant);
    seen->lens = (af_lens){.thread = seen->thread_of, .shown = seen->shown, .wanted = seen->wanted};
    if (lineage != NULL) {
        seen->lens.node = (const uint32_t *const *)lineage->node;
        seen->lens.time = (const uint32_t *const *)lineage->time;
    }
    return seen->thread_of != NULL || af_memory_error_set(error);
}

/* Of the threads that were chosen. */
static gboolean choose_clocks(af_call_selection *seen, af_clock wanted, GError **error)
{
    const af_profile *shown = seen->shown;
    if (wanted == AF_CLOCK_DEFAULT) {
        seen->clocks = af_select_clocks(shown, seen->threads);
        return TRUE;
    }
    seen->clocks = 1u << (unsigned)seen->clock;
    return af_select_clocked(shown, seen->clock, seen->threads, &seen->n_left_out, error);
}

gboolean af_call_selection_open(af_call_selection *seen, const af_profile *profile,
                                const char *pattern, const af_call_list_options *options,
                                GError **error)
{
    memset(seen, 0, sizeof *seen);
    if (!check(profile, options, error)) {
        return FALSE;
    }
    seen->profile = af_profile_hold(profile);
    seen->shown = options->n_steps > 0 ? af_reshape_run(profile, options->steps, options->n_steps,
                                                        &seen->lineage, error)
                                       : (af_profile *)af_profile_hold(profile);
    gboolean ok =
        seen->shown != NULL && af_select_clock(seen->shown, options->clock, &seen->clock, error) &&
        choose_threads(seen, options->threads, error) && choose_clocks(seen, options->clock, error);
    if (ok) {
        seen->wanted = af_select_labels(seen->shown, pattern, error);
        ok = seen->wanted != NULL && make_lens(seen, error);
    }
    return ok;
}

void af_call_selection_close(af_call_selection *seen)
{
    af_lineage_free(seen->lineage);
    g_free(seen->thread_of);
    g_free(seen->wanted);
    g_clear_pointer(&seen->threads, g_array_unref);
    af_profile_free(seen->shown);
    af_profile_free((af_profile *)seen->profile);
    memset(seen, 0, sizeof *seen);
}

/* ---- walking ---- */

typedef struct {
    af_observer track;
    const af_observer *also;
} pair;

static gboolean enter_both(void *user, const af_call_event *edge, GError **error)
{
    const pair *p = user;
    return p->track.enter(p->track.user, edge, error) && p->also->enter(p->also->user, edge, error);
}

static gboolean leave_both(void *user, const af_call_event *edge, GError **error)
{
    const pair *p = user;
    return p->also->leave(p->also->user, edge, error) && p->track.leave(p->track.user, edge, error);
}

gboolean af_call_selection_walk(const af_call_selection *seen, const af_call_list_options *options,
                                af_call_func told, void *user, const af_observer *also,
                                af_call_follower **track, uint64_t *n, GError **error)
{
    af_call_walk_options walk = AF_CALL_WALK_OPTIONS_INIT;
    walk.cancel = options->cancel;
    walk.progress = options->progress;
    walk.progress_user = options->progress_user;
    *track = af_call_follower_new(seen->profile, &seen->lens, told, user);
    if (*track == NULL) {
        return af_memory_error_set(error);
    }
    pair both = {af_call_follower_observer(*track), also};
    const af_observer observer =
        also == NULL ? both.track : (af_observer){enter_both, leave_both, NULL, &both};
    const guint8 *only = also == NULL && seen->lineage == NULL ? seen->wanted : NULL;
    const gboolean ok = af_profile_walk_only(seen->profile, &observer, only, &walk, error);
    *n = af_call_follower_begun(*track);
    g_clear_pointer(track, af_call_follower_free);
    return ok;
}
