/* Prints help, made from the tables of verbs and of options. */
#pragma once

#include "cli/option.h"
#include "cli/verbs.h"

/* A text of the table of options with the verb's formats inserted for %FORMATS%. Free with
 * g_free(). */
char *af_help_text(const char *text, const af_verb *verb);

/* Prints the common options of a verb, or all, with one line each, in ASCII and less than 80
 * columns. */
af_exit af_help_print(const af_verb *verb, gboolean all);

/* Whether the option is among the twelve that people need most. */
gboolean af_help_is_common(const af_option *option);

/* Prints the verbs and the common options of render, or all. */
af_exit af_help_print_verbs(gboolean all);
