/* Failures on which GLib ends the process: the system refuses a small allocation or a thread. */
#ifndef AF_CLI_FATAL_H
#define AF_CLI_FATAL_H

/* Turns them into a message and an exit status. Temporary files are removed. */
void af_fatal_watch(void);

#endif
