/* The inputs of one side of a comparison, or of a merge. */
#pragma once

#include "cli/inputs.h"
#include "cli/outputs.h"

typedef struct af_side_inputs af_side_inputs;

/* The options of one side, which replace those for all inputs; all zero = none. */
typedef struct {
    const char **mapping_paths; /* instead of --mapping */
    af_dump dump;               /* instead of --dump */
    af_open_side side;          /* instead of --side */
    gboolean only_sums;         /* as in af_open_options */
} af_side_choice;

/* `paths` (ends with NULL) are files, folders or globs. Prints the error and returns NULL on
 * failure. */
af_side_inputs *af_side_inputs_new(const af_options *options, const char *const *paths,
                                   const af_side_choice *choice);

/* Runs `act` on the operands and the outputs, unless one of these would overwrite an input. */
af_exit af_side_inputs_run(const af_options *options,
                           af_exit (*act)(const af_options *options, const af_side_inputs *inputs,
                                          const GPtrArray *targets));

/* `side` may be NULL. */
void af_side_inputs_free(af_side_inputs *side);

/* Its inputs, of af_input, borrowed. */
const GPtrArray *af_side_inputs_list(const af_side_inputs *side);

/* Begins to read the first input of a side on another thread. */
void af_side_inputs_read_ahead(const af_side_inputs *side, const af_budget *budget);

/* Opens one input after the other, reshapes it as the options ask for, measures it for a budget (NULL
 * = none), and adds it up. Prints the error and returns NULL with *status set on failure. */
af_runs *af_side_inputs_read(const af_side_inputs *side, af_runs_use use, af_budget *budget,
                             af_side which, af_exit *status);

/* Only measures. Returns FALSE with *status set on failure. */
gboolean af_side_inputs_measure(const af_side_inputs *side, af_budget *budget, af_side which,
                                af_exit *status);

/* Opens the only input of a side again for its single calls, without messages. NULL if it has
 * several inputs or cannot be read twice. */
af_profile *af_side_inputs_reopen(const af_side_inputs *side);

/* Opens the only input of a side and keeps it for its single calls; *name is what pictures show,
 * for g_free(). NULL with *status set; several inputs are an error, which is printed. */
af_profile *af_side_inputs_open(const af_side_inputs *side, char **name, af_exit *status);
