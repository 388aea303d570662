/* Walks over single calls and cuts profiles by time. */
#include <aflame/calls.h>

#include "base/options.h"
#include "calls/profile_walk.h"
#include "calls/time_part.h"

/* An observer that stops without an error gets one, because the walk reports it. */
static gboolean observe(bool (*function)(void *, const af_call_event *, GError **), void *user,
                        const af_call_event *event, GError **error)
{
    GError *own = NULL;
    if (function == NULL || (function(user, event, &own) && own == NULL)) {
        return TRUE;
    }
    if (own == NULL) {
        own = g_error_new_literal(AF_ERROR, AF_ERROR_CANCELLED, "the observer stopped");
    }
    g_propagate_error(error, own);
    return FALSE;
}

static bool enter(void *user, const af_call_event *event, GError **error)
{
    const af_call_observer *given = user;
    return observe(given->enter, given->user, event, error);
}

static bool leave(void *user, const af_call_event *event, GError **error)
{
    const af_call_observer *given = user;
    return observe(given->leave, given->user, event, error);
}

bool af_profile_walk_calls(const af_profile *profile, const af_call_observer *observer,
                           const af_call_walk_options *options, GError **error)
{
    af_call_walk_options known = AF_CALL_WALK_OPTIONS_INIT;
    af_call_observer given = AF_CALL_OBSERVER_INIT;
    if (!af_options_take(&known, sizeof known, options, error) ||
        !af_options_take(&given, sizeof given, observer, error)) {
        return FALSE;
    }
    const af_observer inner = {.enter = enter, .leave = leave, .user = &given};
    return af_profile_walk(profile, &inner, NULL, &known, error);
}

af_profile *af_profile_extract_part(const af_profile *profile, int64_t from_ns, int64_t to_ns,
                                    const af_call_walk_options *options, GError **error)
{
    af_call_walk_options known = AF_CALL_WALK_OPTIONS_INIT;
    if (!af_options_take(&known, sizeof known, options, error)) {
        return NULL;
    }
    return af_time_part_new(profile, from_ns, to_ns, &known, error);
}

bool af_profile_is_part(const af_profile *profile, uint64_t *from_ns, uint64_t *to_ns)
{
    const af_time_range range = af_profile_range(profile);
    if (from_ns != NULL) {
        *from_ns = range.from_ns;
    }
    if (to_ns != NULL) {
        *to_ns = range.to_ns;
    }
    return profile->facts.part.has_range;
}
