/* Words of commands that people paste into a shell. */
#pragma once

#include <glib.h>

/* In quotes if the shell would change it. Free with g_free(). */
char *af_shell_quote(const char *word);
