#include "calls/frame_profiles.h"

#include "base/memory_error.h"
#include "calls/clip.h"
#include "calls/profile_walk.h"
#include "calls/subprofile.h"

typedef struct {
    const af_profile *profile;
    af_subprofile *sides[AF_FRAME_SIDES];
    af_observer grow[AF_FRAME_SIDES];
    af_clip_part *parts;
    const af_clip_part **parts_of; /* by thread */
    size_t *n_of;
    guint8 *wanted;
} splitting;

static uint64_t divide(uint64_t sum, uint64_t n)
{
    return (sum + n / 2) / n;
}

/* A method that few of the frames call has a time, but often no whole call. */
static void divide_tree(af_tree *tree, uint64_t n)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        for (unsigned c = 0; c < AF_CLOCKS; c++) {
            if (tree->self[c] != NULL) {
                tree->self[c][i] = divide(tree->self[c][i], n);
            }
        }
        tree->calls[i] = divide(tree->calls[i], n);
        tree->unwinds[i] = divide(tree->unwinds[i], n);
        if (tree->runnable != NULL) {
            tree->runnable[i] = divide(tree->runnable[i], n);
        }
    }
    af_tree_sum(tree);
}

static gboolean begin(splitting *s, const af_frame_list *list)
{
    const uint32_t n_threads = s->profile->n_threads;
    for (unsigned i = 0; i < AF_FRAME_SIDES; i++) {
        s->sides[i] = af_subprofile_new(s->profile);
        if (s->sides[i] == NULL) {
            return FALSE;
        }
        s->grow[i] = af_subprofile_observer(s->sides[i]);
    }
    s->parts = g_try_new(af_clip_part, list->n_spans + 1);
    s->parts_of = g_try_new0(const af_clip_part *, (gsize)n_threads + 1);
    s->n_of = g_try_new0(size_t, (gsize)n_threads + 1);
    s->wanted = g_try_new0(guint8, (gsize)n_threads + 1);
    if (s->parts == NULL || s->parts_of == NULL || s->n_of == NULL || s->wanted == NULL) {
        return FALSE;
    }
    for (size_t i = 0; i < list->n_spans; i++) {
        const af_frame_span *span = &list->spans[i];
        s->parts[i] = (af_clip_part){{span->from_ns, span->to_ns},
                                     &s->grow[span->is_late ? AF_LATE_FRAMES : AF_GOOD_FRAMES]};
        if (s->n_of[span->thread]++ == 0) {
            s->parts_of[span->thread] = &s->parts[i];
        }
        s->wanted[span->thread] = 1;
    }
    return TRUE;
}

static gboolean walk(const splitting *s, GError **error)
{
    const af_call_walk_options options = AF_CALL_WALK_OPTIONS_INIT;
    af_clip *clip = af_clip_new_parts(s->parts_of, s->n_of, s->profile->n_threads);
    if (clip == NULL) {
        return af_memory_error_set(error);
    }
    const af_observer clipped = af_clip_observer(clip);
    const gboolean ok = af_profile_walk_threads(s->profile, s->wanted, &clipped, &options, error);
    af_clip_free(clip);
    return ok;
}

static gboolean finish(const splitting *s, const af_frame_list *list,
                       af_profile *made[AF_FRAME_SIDES], GError **error)
{
    const size_t n[AF_FRAME_SIDES] = {list->n_good, list->n_late};
    for (unsigned i = 0; i < AF_FRAME_SIDES; i++) {
        made[i] = af_subprofile_finish(s->sides[i], error);
        if (made[i] == NULL) {
            return FALSE;
        }
        for (uint32_t t = 0; t < made[i]->n_threads; t++) {
            divide_tree(made[i]->threads[t].tree, n[i]);
        }
    }
    return TRUE;
}

static gboolean check(const af_profile *profile, const af_frame_list *list, GError **error)
{
    if (!af_profile_check_calls(profile, "a graph of frames needs", error)) {
        return FALSE;
    }
    if (list->n_late == 0 || list->n_good == 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_NOTHING, "nothing to compare: no frame is %s",
                    list->n_late == 0 ? "late" : "in time");
        return FALSE;
    }
    return TRUE;
}

gboolean af_frame_profiles_make(const af_profile *profile, const af_frame_list *list,
                                af_profile *made[AF_FRAME_SIDES], GError **error)
{
    splitting s = {.profile = profile};
    made[AF_GOOD_FRAMES] = made[AF_LATE_FRAMES] = NULL;
    gboolean ok = check(profile, list, error) && (begin(&s, list) || af_memory_error_set(error)) &&
                  walk(&s, error) && finish(&s, list, made, error);
    for (unsigned i = 0; i < AF_FRAME_SIDES; i++) {
        af_subprofile_free(s.sides[i]);
        if (!ok) {
            g_clear_pointer(&made[i], af_profile_free);
        }
    }
    g_free(s.parts);
    g_free(s.parts_of);
    g_free(s.n_of);
    g_free(s.wanted);
    return ok;
}
