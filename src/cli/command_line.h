/* Commands to paste into a shell. */
#pragma once

#include "cli/outputs.h"
#include "cli/options.h"

/* The command that draws a picture, for the foot of a sheet: without folders, and if names are
 * redacted without values that might contain them. NULL ends `inputs`. Free with g_free(). */
char *af_command_line_write(const af_options *options, const char *const *inputs,
                            const af_target *target);
