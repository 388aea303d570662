#include "calls/profile_walk.h"

#include "base/memory_error.h"
#include "calls/input.h"
#include "model/select.h"
#include "calls/clip.h"

/* The first step that works on trees only; NULL if none. */
static const char *find_step(const af_profile *profile)
{
    for (unsigned i = 0; i < profile->n_steps; i++) {
        if (!profile->steps[i].sorts) {
            return profile->steps[i].option;
        }
    }
    return NULL;
}

char *af_profile_lacks_calls(const af_profile *profile, af_clock clock)
{
    const char *step = find_step(profile);
    if (af_content_has_weights(profile->facts.content)) {
        return g_strdup("the input holds samples");
    }
    if (step != NULL) {
        return g_strdup_printf("%s works on call trees only", step);
    }
    if (clock == AF_WAIT) {
        return g_strdup("waiting is computed for call trees only");
    }
    if (profile->facts.saved.version != NULL) {
        return g_strdup("a saved profile has none");
    }
    return af_input_exists(profile)
               ? NULL
               : g_strdup(
                     "the input cannot be read a second time, because aflame did not keep it "
                     "(input from a pipe is kept only up to a limit); save it to a file first");
}

gboolean af_profile_check_calls(const af_profile *profile, const char *what, GError **error)
{
    char *lack = af_profile_lacks_calls(profile, AF_WALL);
    if (lack != NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "%s single calls: %s", what, lack);
        g_free(lack);
        return FALSE;
    }
    return TRUE;
}

const af_profile *af_profile_unsorted(const af_profile *profile)
{
    if (find_step(profile) != NULL) {
        return NULL;
    }
    while (profile->n_steps > 0) {
        profile = profile->base;
    }
    return profile;
}

void af_profile_walk_number_threads(const af_profile *profile, const guint8 *wanted,
                                    uint32_t *number_of)
{
    const af_profile *origin = af_profile_origin(profile);
    uint32_t t = 0;
    for (uint32_t o = 0; o < origin->n_threads; o++) {
        while (t < profile->n_threads && profile->threads[t].number < o) {
            t++;
        }
        const gboolean found = t < profile->n_threads && profile->threads[t].number == o;
        number_of[o] = found && (wanted == NULL || wanted[t] != 0) ? t : AF_NOT_WALKED;
    }
}

/* `wanted` and `labels` may be NULL. */
static gboolean walk(const af_profile *profile, const guint8 *wanted, const guint8 *labels,
                     const af_observer *observer, const af_call_walk_options *options,
                     GError **error)
{
    g_autofree uint32_t *number_of = NULL;
    if (profile->base != NULL || wanted != NULL) {
        number_of = g_new(uint32_t, (size_t)af_profile_origin(profile)->n_threads + 1);
        af_profile_walk_number_threads(profile, wanted, number_of);
    }
    if (!profile->facts.part.has_range) {
        const af_call_walk_limits limits = {labels, number_of};
        return af_input_walk(profile, observer, &limits, options, error);
    }
    const af_call_walk_limits limits = {NULL, number_of}; /* a clip needs all open calls */
    af_clip *clip = af_clip_new(&profile->facts.part.range, profile->n_threads, observer);
    if (clip == NULL) {
        return af_memory_error_set(error);
    }
    const af_observer clipped = af_clip_observer(clip);
    const gboolean ok = af_input_walk(profile, &clipped, &limits, options, error);
    af_clip_free(clip);
    return ok;
}

gboolean af_profile_walk_threads(const af_profile *profile, const guint8 *wanted,
                                 const af_observer *observer, const af_call_walk_options *options,
                                 GError **error)
{
    return walk(profile, wanted, NULL, observer, options, error);
}

gboolean af_profile_walk(const af_profile *profile, const af_observer *observer,
                         const guint8 *labels, const af_call_walk_options *options, GError **error)
{
    g_autofree guint8 *wanted = NULL;
    if (options->threads != NULL) {
        wanted = af_select_thread_flags(profile, options->threads, error);
        if (wanted == NULL) {
            return FALSE;
        }
    }
    return walk(profile, wanted, labels, observer, options, error);
}
