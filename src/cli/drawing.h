/* How verbs draw pictures. */
#pragma once

#include "cli/inputs.h"
#include "cli/outputs.h"

/* The formats of pictures. */
extern const af_formats af_drawing_formats;

/* Draws the profile of an input into all targets. Prints errors and the library's messages. */
af_exit af_drawing_write(const af_options *options, const GPtrArray *targets, const af_input *input,
                         const af_profile *profile);
