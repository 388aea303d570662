/* Saving a profile: the bytes that base/aflp.h describes. */
#pragma once

#include "model/profile.h"

typedef struct {
    const uint32_t *threads; /* indices, ascending */
    uint32_t n_threads;
    gboolean warns_of_others; /* the file states how many threads it lacks */
    const char *input;        /* file name of the trace without its folder; may be NULL */
    af_clock clock;           /* the call paths with the least time in it are left out first */
    size_t most_bytes; /* call paths are omitted until the profile fits; 0 = no limit. Names of
                          threads are never omitted, so a profile of many threads may still be
                          larger */
} af_aflp_options;

/* NULL if memory is refused. *left_out receives the number of call paths that are left out. */
GBytes *af_aflp_save(const af_profile *profile, const af_aflp_options *options, uint64_t *left_out,
                     GError **error);
