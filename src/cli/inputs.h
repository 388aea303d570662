/* The inputs of a run.
 *
 * "-" is standard input. The two halves of a .key/.data pair are one input if both have the same
 * name before the extension, or if there are no other inputs. A folder means the recordings and saved
 * profiles directly in it, sorted by name: not the pictures, pages and exports that were made from
 * them. Some formats add up several inputs into one output. */
#pragma once

#include "cli/options.h"

/* The growth between two dumps of a heap: their times since the trace began. */
typedef struct {
    gboolean wanted;
    int64_t before_ns, after_ns;
} af_growth;

typedef struct {
    char *path;
    char *other;                      /* the other half; NULL = none, or aflame finds it */
    char **sum;                       /* all paths to add up; ends with NULL; NULL = only `path` */
    char *name;                       /* for messages */
    GHashTable *states;               /* of all inputs when they were listed */
    const char *const *mapping_paths; /* ends with NULL; NULL = none; borrowed */
    GThread *ahead;                   /* reads it in the background; NULL = nothing does */
    af_open_options ahead_options;
    af_growth growth; /* set by af_input_open() */
} af_input;

/* The inputs that the operands name, as a GPtrArray of af_input. If there are none, prints so and
 * returns NULL. Free with g_ptr_array_unref(). */
GPtrArray *af_inputs_group(const af_options *options);

/* If the operands and the runs of both sides name "-" more than once, prints so and returns
 * FALSE. */
gboolean af_inputs_name_standard_once(const af_options *options);

/* The operands, with the files of folders. Ends with NULL; free with g_strfreev(). */
char **af_inputs_expand(char *const *operands);

/* Adds the recordings and saved profiles among `files`: not what aflame wrote for other programs or
 * drew. With `unknown`, also files that aflame does not recognise. */
void af_inputs_add_recordings(GPtrArray *paths, char *const *files, size_t n, gboolean unknown);

/* The inputs that `paths` (ends with NULL) stand for. */
GPtrArray *af_inputs_list(const af_options *options, char **paths);

/* The open descriptor that a path stands for: 0 for "-", N for "/dev/fd/N"; -1 = none. */
int af_input_descriptor(const char *path);

/* Replaces several inputs by their sum. */
void af_inputs_join(GPtrArray *inputs);

/* Opens an input, with progress on a terminal. If it cannot be read, prints why and returns NULL
 * with *status set. If the run shows the growth of its heap, returns NULL with AF_EXIT_DONE and
 * input->growth set, for af_growth_write(). */
af_profile *af_input_open(af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status);

/* Starts reading an input in the background, for af_input_open() with the same options: a short
 * file, without --max-memory and mapping files. Without effect on others, or if it cannot be read. */
void af_input_read_ahead(af_input *input, const af_options *options, gboolean keep_input);

/* Prints the effect of mappings, or suggests them, and the warnings of the profile. Under --strict
 * a warning is a failure: prints so and returns FALSE. */
gboolean af_input_accept(const af_input *input, const af_profile *profile,
                         const af_options *options);

/* Opens and accepts an input. NULL with *status set, as in af_input_open(). */
af_profile *af_input_read(af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status);

/* Returns TRUE, and prints so, if a target would overwrite one of the inputs or their mapping
 * files. */
gboolean af_inputs_overwritten(const GPtrArray *inputs, const GPtrArray *targets);

/* The name that outputs show: that of the recording if `profile` was saved from one. */
const char *af_input_shown(const af_input *input, const af_profile *profile);

/* The base name of a picture of the input: its file name without .gz and then without .trace, .key
 * or .data. Free with g_free(). */
char *af_input_stem(const af_input *input);
