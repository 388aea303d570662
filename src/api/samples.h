/* The way of a sample from the input to an exporter: told by the reading, under the numbers of the
 * profile. */
#ifndef AF_API_SAMPLES_H
#define AF_API_SAMPLES_H

#include <aflame/calls.h>
#include "export/exporter.h"

/* Whose samples, and how they are read. */
typedef struct {
    const af_profile *profile;
    const af_calls_options *options;
} af_samples;

/* Whether the profile holds samples that can be told, each with its time. */
gboolean af_samples_are_there(const af_profile *profile);

/* As in af_sampling; `user` is an af_samples. */
gboolean af_samples_tell(void *user,
                         gboolean (*seen)(void *to, const af_sample_told *sample, GError **error),
                         void *to, GError **error);

#endif
