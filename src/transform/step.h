/* The kinds of steps: each is one const struct in one file and one row of AF_STEPS in
 * aflame/reshape.h. The option of the command, its help and its manual come from the struct. */
#pragma once

#include "transform/working_copy.h"

typedef struct {
    const char *name;  /* "focus": the option without its dashes */
    const char *help;  /* one line */
    const char *about; /* its effect, in sentences; each is a line of the manual */
    af_step_value value;
    const char *no_calls;   /* why it does not apply to lists of single calls; NULL = it does */
    const char *unmatched;  /* the message if it changed nothing; NULL = that of all patterns */
    gboolean shows_matches; /* keeps only matching frames or threads, so it fails if nothing
                               matches */
    /* Changes the draft, adds the time it left out to its record, and returns FALSE with an error.
     * If memory is refused, the error is AF_ERROR_MEMORY. NULL: consecutive steps are one
     * selection of threads. */
    gboolean (*run)(af_working_copy *draft, const af_step *step, GError **error);
    /* In place of `run`: plans all trees. `user` is a byte for each label that the pattern matches,
     * or the number of a step without a pattern (uint64_t). */
    af_plan_func plan;
} af_step_class;

#define AF_DECLARE_STEP(NAME, name) extern const af_step_class af_step_##name;
AF_STEPS(AF_DECLARE_STEP)

/* NULL for an invalid kind. */
const af_step_class *af_step_class_at(af_step_kind kind);
