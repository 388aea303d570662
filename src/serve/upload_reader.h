/* Reads one stored upload in a worker, and stores the worker's result. */
#pragma once

#include "serve/server.h"

typedef enum {
    AF_READ_DONE,      /* it was read or refused, or it no longer exists */
    AF_READ_ELSEWHERE, /* another server reads it */
    AF_READ_LATER,     /* this server cannot read it now; the error gives the reason */
} af_read_end;

typedef struct {
    gint percent; /* atomic */
} af_read_progress;

/* Blocks, in a thread for workers. */
af_read_end af_upload_reader_run(af_server *server, const char *id, af_read_progress *progress,
                                 GError **error);

/* Sets the state, the facts and the app of a trace from its saved profile. FALSE with an error: the
 * machine failed. */
gboolean af_upload_reader_restore(af_server *server, af_trace *trace, int profile, GError **error);
