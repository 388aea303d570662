#include "calls/call_selection.h"

#include <string.h>

#include "base/memory_error.h"
#include "calls/profile_walk.h"
#include "model/select.h"

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

/* The clocks of the selected threads. */
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
                                af_profile *shown, af_lineage *lineage, const char *pattern,
                                const af_call_list_options *options, GError **error)
{
    *selection = (af_call_selection){
        .profile = af_profile_hold(profile), .shown = shown, .lineage = lineage};
    if (af_select_clock(shown, options->clock, &selection->clock, error)) {
        selection->threads = af_select_threads_sorted(shown, options->threads, error);
    }
    const gboolean ok =
        selection->threads != NULL && choose_clocks(selection, options->clock, error);
    selection->wanted = ok ? af_select_labels(shown, pattern, error) : NULL;
    return selection->wanted != NULL && make_lens(selection, error);
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

af_call_walk_options af_call_list_walk(const af_call_list_options *options)
{
    af_call_walk_options walk = AF_CALL_WALK_OPTIONS_INIT;
    walk.cancel = options->cancel;
    walk.progress = options->progress;
    walk.progress_user = options->progress_user;
    return walk;
}

gboolean af_call_selection_walk(const af_call_selection *selection,
                                const af_call_list_options *options, af_call_func callback,
                                void *user, uint64_t *n, GError **error)
{
    const af_call_walk_options walk = af_call_list_walk(options);
    af_call_follower *follower =
        af_call_follower_new(selection->profile, &selection->lens, callback, user);
    if (follower == NULL) {
        return af_memory_error_set(error);
    }
    const af_observer observer = af_call_follower_observer(follower);
    const guint8 *only = selection->lineage == NULL ? selection->wanted : NULL;
    const gboolean ok = af_profile_walk(selection->profile, &observer, only, &walk, error);
    *n = af_call_follower_begun(follower);
    af_call_follower_free(follower);
    return ok;
}
