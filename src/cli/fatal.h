/* Failures that end the process: the system refuses GLib a small allocation or a thread, or a library
 * is missing. */
#ifndef AF_CLI_FATAL_H
#define AF_CLI_FATAL_H

#include <glib.h>

/* Turns those of GLib into a message and an exit status. Temporary files are removed. */
void af_fatal_watch(void);

/* Ends the process, which cannot continue without a library; `refused`: because memory was. */
G_GNUC_NORETURN void af_fatal_missing(const char *title, const char *reason, gboolean refused);

#endif
