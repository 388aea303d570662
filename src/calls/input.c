#include "calls/input.h"

#include "base/memory_error.h"

void af_input_attach(af_profile *profile, af_profile_input *input)
{
    profile->input = input;
    profile->free_input = input->free;
}

gboolean af_input_exists(const af_profile *profile)
{
    return af_profile_origin(profile)->input != NULL && profile->walk_plan != NULL;
}

static gboolean check_input(const af_profile *profile, GError **error)
{
    if (profile->facts.saved.version != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "a saved profile holds no single calls; use the trace itself");
        return FALSE;
    }
    if (!af_input_exists(profile)) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_USAGE,
            "the input cannot be read a second time, because aflame did not keep it (input from a "
            "pipe is kept only up to a limit); save it to a file first");
        return FALSE;
    }
    return TRUE;
}

static gboolean check_calls(const af_profile *profile, GError **error)
{
    if (!check_input(profile, error)) {
        return FALSE;
    }
    if (af_content_has_weights(profile->facts.content)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "the input holds samples, not single calls");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_again(const af_profile *profile, const af_event_consumer *consumer,
                           const af_call_walk_options *options, GError **error)
{
    af_profile_input *input = af_profile_origin(profile)->input;
    return input->read_again(input, profile->walk_plan, consumer, options, error);
}

gboolean af_input_walk(const af_profile *profile, const af_observer *observer,
                       const af_call_walk_limits *limits, const af_call_walk_options *options,
                       GError **error)
{
    if (!check_calls(profile, error)) {
        return FALSE;
    }
    af_call_walk *walk = af_call_walk_new(profile->walk_plan, observer, limits);
    if (walk == NULL) {
        return af_memory_error_set(error);
    }
    const af_event_consumer consumer = af_call_walk_consumer(walk);
    const gboolean ok = read_again(profile, &consumer, options, error);
    af_call_walk_free(walk);
    return ok;
}

gboolean af_input_listen(const af_profile *profile, const af_event_consumer *consumer,
                         GError **error)
{
    return check_calls(profile, error) && read_again(profile, consumer, NULL, error);
}

gboolean af_input_listen_samples(const af_profile *profile, const af_event_consumer *consumer,
                                 const af_call_walk_options *options, GError **error)
{
    return check_input(profile, error) && read_again(profile, consumer, options, error);
}
