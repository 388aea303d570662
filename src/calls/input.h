/* The input of a profile, for a second reading.
 *
 * The profile that was read owns it. The api implements it, because only the api knows readers; a
 * consumer receives the calls or samples. Every function accepts any profile derived from the one
 * that was read, and uses the input of that one. */
#pragma once

#include <aflame/calls.h>
#include "build/consumer.h"
#include "calls/call_walk.h"
#include "model/profile.h"

struct af_profile_input {
    /* Reads everything again, with the numbers of `plan`. `options` may be NULL. Returns FALSE with
     * AF_ERROR_MISSING if the input has changed, with the consumer's error, or one of a reader. */
    gboolean (*read_again)(af_profile_input *input, const af_walk_plan *plan,
                           const af_event_consumer *consumer, const af_call_walk_options *options,
                           GError **error);
    void (*free)(af_profile_input *input);
};

/* Gives the profile its input, which is freed with it. */
void af_input_attach(af_profile *profile, af_profile_input *input);

/* Whether the profile has an input that can be read again. */
gboolean af_input_exists(const af_profile *profile);

/* Reads the input and reports its calls to `observer`, within `limits`. Ignores the selection of
 * threads in `options`. Errors are those of af_profile_walk_calls(). */
gboolean af_input_walk(const af_profile *profile, const af_observer *observer,
                       const af_call_walk_limits *limits, const af_call_walk_options *options,
                       GError **error);

/* Reads the input of a profile of calls for a raw consumer. */
gboolean af_input_listen(const af_profile *profile, const af_event_consumer *consumer,
                         GError **error);

/* The same for a profile of samples. */
gboolean af_input_listen_samples(const af_profile *profile, const af_event_consumer *consumer,
                                 const af_call_walk_options *options, GError **error);
