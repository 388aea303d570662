/* The life of the steps that select and reshape. */
#ifndef AF_CLI_STEPS_H
#define AF_CLI_STEPS_H

#include "cli/inputs.h"

void af_steps_init(af_steps *steps);
void af_steps_clear(af_steps *steps);

/* After all options were read: gives the steps their clock, and makes `threads` of those that
 * choose what is shown. */
void af_steps_finish(af_steps *steps, af_clock clock);

/* Opens an input and does the steps on it. Prints warnings and what the steps did. NULL with
 * *status set if it cannot be read, or if the steps cannot be done or leave nothing. */
af_profile *af_steps_open(const af_options *options, const af_input *input, gboolean keep_input,
                          af_exit *status);

#endif
