/* Prepares and applies the steps that select and reshape. */
#pragma once

#include "cli/inputs.h"

void af_steps_init(af_steps *steps);
void af_steps_clear(af_steps *steps);

/* Call it after reading all options: gives the steps their clock, and fills `threads` with the
 * steps that only select what is shown. */
void af_steps_finish(af_steps *steps, af_clock clock, gboolean redact);

/* Opens an input and applies the steps. Prints warnings and the effect of the steps. NULL with
 * *status set if it cannot be read (as in af_input_open()), or if the steps fail or leave nothing.
 */
af_profile *af_steps_open(const af_options *options, af_input *input, gboolean keep_input,
                          af_exit *status);
