/* Single samples, from a second reading of the input.
 *
 * af_samples_walk_raw() reports samples with the methods, weights and times of the file, for
 * exporters. af_samples_walk() reports those of a profile or of a part of it, with its labels and
 * times. */
#pragma once

#include <aflame/calls.h>
#include "build/event.h"
#include "model/profile.h"

/* A sample as the file has it. */
typedef struct {
    uint32_t thread;         /* of the profile */
    const uint32_t *methods; /* of the profile, outermost first */
    const uint32_t *labels;  /* the labels of these methods */
    size_t n;
    size_t common;              /* as in af_sample */
    uint64_t weight[AF_CLOCKS]; /* as in af_sample */
    uint64_t time_ns;           /* as in the file */
} af_recorded_sample;

/* Receives the states of threads, either all before the samples or between them. `take` returns
 * FALSE with an error set to stop. */
typedef struct {
    gboolean (*take)(void *user, const af_run_interval *interval, GError **error);
    void *user;
} af_state_observer;

/* The profile, and the options of the second reading. */
typedef struct {
    const af_profile *profile;
    const af_call_walk_options *options;
    const af_state_observer *states; /* NULL = none */
} af_samples;

/* Whether the profile has samples with times that can be read again. Stacks with recorded durations
 * are not samples. */
gboolean af_samples_have_steps(const af_profile *profile);

/* Passes all samples to `callback` in the order of the file, until it returns FALSE with an error
 * set. `user` is an af_samples. */
gboolean af_samples_walk_raw(void *user,
                             gboolean (*callback)(void *to, const af_recorded_sample *sample,
                                                  GError **error),
                             void *to, GError **error);

/* Passes the samples of a profile to `take`, with its threads, times and, as methods, its labels; and
 * the states of its threads to `states`, unless that is NULL. Only those in `span` if it is not NULL.
 * `take` returns FALSE with an error set to stop. */
gboolean af_samples_walk(const af_profile *profile, const af_time_range *span,
                         const af_call_walk_options *options,
                         gboolean (*take)(void *user, const af_sample *sample, GError **error),
                         void *user, const af_state_observer *states, GError **error);
