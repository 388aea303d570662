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

/* As in af_sample_source; `user` is an af_samples. */
gboolean af_samples_walk_raw(void *user,
                             gboolean (*seen)(void *to, const af_export_sample *sample,
                                              GError **error),
                             void *to, GError **error);

/* Tells the samples of a profile, or those of them in `span` if it is not NULL: threads are those
 * of the profile, times its own, and methods labels. `take` returns TRUE to go on; FALSE, with an
 * error set, to stop. */
gboolean af_samples_walk(const af_profile *profile, const af_time_range *span,
                         const af_calls_options *options,
                         gboolean (*take)(void *user, const af_sample *sample, GError **error),
                         void *user, GError **error);

#endif
