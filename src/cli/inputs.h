/* The traces that the command is given.
 *
 * "-" is standard input. The two halves of a .key/.data pair are one input: when both are named
 * with the same name before the extension, or when they are all that is named. Several inputs are
 * added up where one output is made of them. */
#ifndef AF_CLI_INPUTS_H
#define AF_CLI_INPUTS_H

#include "cli/options.h"

typedef struct {
    const char *path;  /* borrowed from the operands */
    const char *other; /* the other half; NULL = there is none or it is to be found */
    const char **sum;  /* what is added up, with `path`; ends with NULL; NULL = it alone */
    char *name;        /* for messages */
    const char *const *mapping_paths; /* ends with NULL; NULL = none; borrowed */
} af_input;

/* The inputs that the operands mean, as a GPtrArray of af_input. Says so and returns NULL if there
 * is none. Free with g_ptr_array_unref(). */
GPtrArray *af_inputs_group(const af_options *options);

/* Makes one input of several, which are added up. */
void af_inputs_join(GPtrArray *inputs);

/* Opens an input, with progress on a terminal. Says what is wrong and returns NULL with *status set
 * if it cannot be read. */
af_profile *af_input_open(const af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status);

/* Says what mappings did, or could do, and the profile's warnings. Under --strict any of them is a
 * failure: says so and returns FALSE. */
gboolean af_input_accept(const af_input *input, const af_profile *profile,
                         const af_options *options);

/* Both: a profile to go on with, or NULL with *status set. */
af_profile *af_input_take(const af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status);

/* Prints so and returns TRUE if a target would overwrite one of the inputs or their mapping
 * files. */
gboolean af_inputs_overwritten(const GPtrArray *inputs, const GPtrArray *targets);

/* What to call a picture of the input: its file name without .gz and then without .trace, .key
 * or .data. Free with g_free(). */
char *af_input_stem(const af_input *input);

#endif
