/* What may stand at the end of a command line, for the completions of the shells. */
#pragma once

#include "cli/message.h"

/* Completes the last of the words after "aflame". Prints one candidate per line; options are followed by
 * a tab and their help. Prints nothing where the shell should complete file names. Finds verbs, options, their values, presets of
 * `.aflame`, and the threads of the trace that the line names. */
af_exit af_complete(int n_words, char **words);
