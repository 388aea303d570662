/* The HTTP server: sockets, connections and the reading of requests. */
#ifndef AF_SERVE_HTTP_H
#define AF_SERVE_HTTP_H

#include "serve/server.h"

typedef struct af_http af_http;

/* Starts to listen; sets the server's URL. On failure prints why and returns NULL. */
af_http *af_http_start(af_server *server);

/* Accepts no more connections, waits until all requests have ended or `most_s` seconds have passed,
 * and stops. */
void af_http_stop(af_http *http, unsigned most_s);

#endif
