/* Messages as public functions give them to the caller. */
#pragma once

#include <glib.h>
#include <aflame/output.h>

/* Stores the lines of `list` in *messages and frees the list. Stores NULL for NULL. Either may be
 * NULL. */
void af_messages_give(GPtrArray *list, char ***messages);
