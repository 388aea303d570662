/* What may stand at the end of a command line, for the completions of the shells. */
#ifndef AF_CLI_COMPLETE_H
#define AF_CLI_COMPLETE_H

#include "cli/message.h"

/* The words after "aflame", of which the last one is completed. Prints a candidate a line, an option
 * with a tab and its help; nothing = file names. Finds verbs, options, their values, presets of
 * `.aflame`, and the threads of the trace that the line names. */
af_exit af_complete(int n_words, char **words);

#endif
