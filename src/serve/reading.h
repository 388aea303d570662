/* Reads stored uploads in workers, one after the other. */
#pragma once

#include "serve/request.h"

af_readings *af_readings_new(void);
void af_readings_free(af_readings *readings);

/* Queues a stored upload for reading: from now on, requests may wait for it. */
void af_readings_queue(af_server *server, const char *id);

/* The same for a trace that was stored earlier: not soon after a failure, or at the end. */
void af_readings_follow(af_server *server, const char *id);

/* Queues all waiting traces: those that an earlier run of the server, or a server that died, did
 * not read, and those that could not be read for lack of memory, processes or disk space. */
void af_readings_resume(af_server *server);

/* Checks whether other servers have finished reading their traces. */
void af_readings_look_again(af_server *server);

/* From now on, requests do not wait for other servers to read traces. */
void af_readings_end(af_server *server);

/* Makes the request wait until the trace has been read. FALSE if it is not being read. */
gboolean af_readings_wait(af_server *server, const char *id, af_request *request);

/* Returns why this server's last attempt to read the upload failed; *full = the disk is full. Free
 * with g_free(). NULL = it did not fail. */
char *af_readings_problem(af_server *server, const char *id, gboolean *full);

/* The progress of reading in percent; -1 = the trace is not being read. */
int af_readings_percent(af_server *server, const char *id);
