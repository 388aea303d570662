/* Compares two sides. */
#pragma once

#include "compare/runs.h"

typedef struct {
    af_clock clock; /* AF_CLOCK_DEFAULT: wall if both have it */
    gboolean exact_names, normalize;
    gboolean has_min_delta;
    uint64_t min_delta;     /* in the unit of the profiles */
    unsigned min_delta_ppm; /* without has_min_delta: millionths of the larger side */
    unsigned jobs;          /* threads to use; 0 = one for each processor */
    const char *mean_of;    /* as in af_diff */
} af_compare_options;

/* Keeps nothing of the sides. AF_ERROR_USAGE if they cannot be compared, AF_ERROR_MEMORY. */
af_diff *af_compare(const af_runs *before, const af_runs *after, const af_compare_options *options,
                    GError **error);
