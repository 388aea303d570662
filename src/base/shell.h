/* Words of commands that people paste into a shell. */
#pragma once

#include <glib.h>

/* In quotes if the shell would change it; g_shell_unquote() reverses it. Free with g_free(). */
char *af_shell_quote(const char *word);

/* The same for a shell only, and for a terminal: if some bytes are no text or act on a terminal, the
 * word has the form $'...' in ASCII. Free with g_free(). */
char *af_shell_quote_visible(const char *word);

/* The same for the path of a file: one that starts with a hyphen is no option. Free with g_free(). */
char *af_shell_quote_path(const char *path);
