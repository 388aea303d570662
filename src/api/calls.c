/* Walks over single calls and cuts profiles by time. */
#include <aflame/calls.h>

#include "calls/profile_walk.h"
#include "calls/time_part.h"

static gboolean ignore_event(void *user, const af_call_event *event, GError **error)
{
    (void)user;
    (void)event;
    (void)error;
    return TRUE;
}

gboolean af_profile_walk_calls(const af_profile *profile, const af_call_observer *observer,
                               const af_call_walk_options *options, GError **error)
{
    const af_call_walk_options known = af_profile_walk_complete(options);
    af_call_observer given = AF_CALL_OBSERVER_INIT;
    memcpy(&given, observer, MIN(observer->size, sizeof given));
    const af_observer inner = {.enter = given.enter != NULL ? given.enter : ignore_event,
                               .leave = given.leave != NULL ? given.leave : ignore_event,
                               .user = given.user};
    return af_profile_walk(profile, &inner, &known, error);
}

af_profile *af_profile_extract_part(const af_profile *profile, int64_t from_ns, int64_t to_ns,
                                    const af_call_walk_options *options, GError **error)
{
    const af_call_walk_options known = af_profile_walk_complete(options);
    return af_time_part_new(profile, from_ns, to_ns, &known, error);
}

gboolean af_profile_is_part(const af_profile *profile, uint64_t *from_ns, uint64_t *to_ns)
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
