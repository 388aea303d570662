/* Texts for a terminal and its shell. */
#pragma once

#include <glib.h>

/* Whether a terminal shows a character as it is: it neither controls the terminal nor the direction
 * of the text around it. */
gboolean af_shell_is_visible(gunichar c);

/* In quotes if the shell would change it; g_shell_unquote() reverses it. Free with g_free(). */
char *af_shell_quote(const char *word);

/* The same for a command that is printed: a word that is not UTF-8 or has characters that are not
 * visible takes the form $'...' in ASCII, which only a shell reads. Free with g_free(). */
char *af_shell_quote_visible(const char *word);

/* The same for the path of a file. One that starts with a hyphen gets "./" in front, so that no
 * command takes it for an option. Free with g_free(). */
char *af_shell_quote_path(const char *path);
