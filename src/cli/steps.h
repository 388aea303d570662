/* The options that select and reshape, the same for every verb that shows calls.
 *
 * They work in the order in which they are typed, across different options, so each is noted when
 * it is met. --thread chooses what is shown of the result, as it always did; only before a
 * --merge-threads it is a step of its own, because there the names are still those of the trace. */
#ifndef AF_CLI_STEPS_H
#define AF_CLI_STEPS_H

#include "cli/inputs.h"

typedef struct {
    GArray *steps;  /* of af_step; the texts are ours */
    char **threads; /* what to show: selectors, ends with NULL; NULL = whatever the verb does */
} af_steps;

void af_steps_init(af_steps *steps);
void af_steps_clear(af_steps *steps);

/* The options, for did-you-mean, and the group that reads them into `steps`. `without` is the name
 * of one that the verb has for itself; NULL = none. */
const GOptionEntry *af_steps_entries(void);
GOptionGroup *af_steps_group(af_steps *steps, const char *without);

/* After all options were read: `clock` is the one that times mean. */
void af_steps_finish(af_steps *steps, af_clock clock);

/* Takes the last step away if it is --invert-callers, and the only one of it. */
gboolean af_steps_take_inversion(af_steps *steps);

/* Opens an input and does the steps on it. Says what is to say about both. NULL with *status set if
 * it cannot be read, or if the steps cannot be done or leave nothing. */
af_profile *af_steps_open(const af_steps *steps, const af_input *input,
                          const af_open_options *options, const af_common *common, af_exit *status);

#endif
