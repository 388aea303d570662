/* Single samples: a second reading of the input, under the numbers of the profile.
 *
 * af_samples_walk_raw() gives samples with the methods, weights and times of the file, for
 * exporters; af_samples_walk() those of a part of the profile, with its labels and times. */
#ifndef AF_CALLS_SAMPLES_H
#define AF_CALLS_SAMPLES_H

#include <aflame/calls.h>
#include "build/event.h"
#include "model/profile.h"

/* A sample as the file has it. */
typedef struct {
    uint32_t thread;         /* of the profile */
    const uint32_t *methods; /* of the profile, from the outermost */
    const uint32_t *labels;  /* theirs */
    size_t n;
    uint64_t weight[AF_CLOCKS]; /* as in af_sample */
    uint64_t time_ns;           /* as in the file */
} af_recorded_sample;

/* Whose samples, and how they are read. */
typedef struct {
    const af_profile *profile;
    const af_call_walk_options *options;
} af_samples;

/* Whether the profile holds samples that can be told, each with its time. */
gboolean af_samples_are_there(const af_profile *profile);

/* Gives `seen` all samples in the order of the file, until it returns FALSE with an error set.
 * `user` is an af_samples. */
gboolean af_samples_walk_raw(void *user,
                             gboolean (*seen)(void *to, const af_recorded_sample *sample,
                                              GError **error),
                             void *to, GError **error);

/* Tells the samples of a profile, or those of them in `span` if it is not NULL: threads are those
 * of the profile, times its own, and methods labels. `take` returns TRUE to go on; FALSE, with an
 * error set, to stop. */
gboolean af_samples_walk(const af_profile *profile, const af_time_range *span,
                         const af_call_walk_options *options,
                         gboolean (*take)(void *user, const af_sample *sample, GError **error),
                         void *user, GError **error);

#endif
