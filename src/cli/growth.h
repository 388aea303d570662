/* The growth of heaps between two of their dumps.
 *
 * --from and --to select times of a recording. A heap has dumps at single times, so they select two
 * of these, and the outputs are those of `aflame diff` with the file on both sides. */
#pragma once

#include "cli/inputs.h"
#include "cli/outputs.h"

/* Whether this run shows the growth of the heaps of a profile instead of the profile. */
gboolean af_growth_is_wanted(const af_options *options, const af_profile *profile);

/* Finds the two dumps at the times of the options. If there are fewer, prints why and returns
 * FALSE. */
gboolean af_growth_choose(const af_options *options, const char *name, const af_profile *profile,
                          af_growth *growth);

/* Writes the growth of an input that af_input_open() did not open for this reason. Prints errors. */
af_exit af_growth_write(const af_options *options, const af_input *input, const GPtrArray *targets);
