/* Failures that end the process: the system refuses GLib a small allocation or a thread. */
#pragma once

#include <glib.h>

/* Turns them into a message and an exit status. Temporary files are removed. */
void af_fatal_watch(void);
