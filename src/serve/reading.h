/* Reads stored uploads in workers, one after the other. */
#ifndef AF_SERVE_READING_H
#define AF_SERVE_READING_H

#include "serve/request.h"

af_readings *af_readings_new(void);
void af_readings_free(af_readings *readings);

/* Requests may wait for the trace from now on; af_readings_queue() or af_readings_forget()
 * follows. */
void af_readings_expect(af_server *server, const char *id);
void af_readings_forget(af_server *server, const char *id);

/* Queues a stored upload for reading. */
void af_readings_queue(af_server *server, const char *id);

/* Queues a trace that waits although this server does not read it: another one does. */
void af_readings_follow(af_server *server, const char *id);

/* Queues everything that waits: what an earlier run of the server, or a server that died, did not
 * read, and what could not be read for lack of memory, processes or space on the disk. */
void af_readings_resume(af_server *server);

/* Looks whether the traces that other servers read have been read. */
void af_readings_look_again(af_server *server);

/* From now on, requests do not wait for what other servers read. */
void af_readings_end(af_server *server);

/* Makes the request wait until the trace has been read. FALSE if it is not being read. */
gboolean af_readings_wait(af_server *server, const char *id, af_request *request);

/* Why this server could not read the upload when it last tried; *full = the disk is full. Free with
 * g_free(). NULL = it did not fail. */
char *af_readings_problem(af_server *server, const char *id, gboolean *full);

/* How far reading is, in percent; -1 = the trace is not being read. */
int af_readings_percent(af_server *server, const char *id);

#endif
