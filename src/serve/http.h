/* The HTTP server: sockets, connections and the reading of requests. */
#pragma once

#include "serve/server.h"

typedef struct af_http af_http;

/* Answers requests on a socket. On failure prints why and returns NULL. */
af_http *af_http_start(af_server *server, int socket, gboolean loopback);

/* Accepts no more connections. */
void af_http_quiesce(af_http *http);

/* Whether requests are under way. */
gboolean af_http_is_busy(af_http *http);

/* Answers the requests that wait with status 503, and stops. */
void af_http_stop(af_http *http);
