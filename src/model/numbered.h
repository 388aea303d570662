/* Names that a program numbers: "frame 17", "frame 18".
 *
 * A number after a letter, a dot or "$" is part of a name in the program ("Base64", "access$000").
 */
#pragma once

#include <glib.h>

/* "frame #" for "frame 17"; NULL if the name has no number. Free with g_free(). */
char *af_numbered_name(const char *text);
