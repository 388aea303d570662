/* The inputs of a run.
 *
 * "-" is standard input. The two halves of a .key/.data pair are one input: if both have
 * the same name before the extension, or if there are no other inputs. A folder stands for the
 * files directly in it that aflame recognises, in order of name. For one output several inputs are
 * added up. */
#ifndef AF_CLI_INPUTS_H
#define AF_CLI_INPUTS_H

#include "cli/options.h"

typedef struct {
    char *path;
    char *other; /* the other half; NULL = none, or aflame finds it */
    char **sum;  /* all paths that are added up; ends with NULL; NULL = only `path` */
    char *name;  /* for messages */
    const char *const *mapping_paths; /* ends with NULL; NULL = none; borrowed */
} af_input;

/* The inputs that the operands mean, as a GPtrArray of af_input. Says so and returns NULL if there
 * is none. Free with g_ptr_array_unref(). */
GPtrArray *af_inputs_group(const af_options *options);

/* Makes one input of several, to be added up. */
void af_inputs_join(GPtrArray *inputs);

/* Opens an input, with progress on a terminal. If it cannot be read, prints why and returns NULL
 * with *status set. */
af_profile *af_input_open(const af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status);

/* Prints what mappings did or could do, and the warnings of the profile. Under --strict a warning
 * is a failure: prints so and returns FALSE. */
gboolean af_input_accept(const af_input *input, const af_profile *profile,
                         const af_options *options);

/* Both. NULL with *status set. */
af_profile *af_input_read(const af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status);

/* Prints so and returns TRUE if a target would overwrite one of the inputs or their mapping
 * files. */
gboolean af_inputs_overwritten(const GPtrArray *inputs, const GPtrArray *targets);

/* The name that outputs show: that of the recording, if `profile` was saved from one. */
const char *af_input_shown(const af_input *input, const af_profile *profile);

/* What to call a picture of the input: its file name without .gz and then without .trace, .key
 * or .data. Free with g_free(). */
char *af_input_stem(const af_input *input);

#endif
