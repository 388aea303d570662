/* Failures that end the process: the system refuses GLib a small allocation or a thread. */
#ifndef AF_CLI_FATAL_H
#define AF_CLI_FATAL_H

#include <glib.h>

/* Turns them into a message and an exit status. Temporary files are removed. */
void af_fatal_watch(void);

#endif
