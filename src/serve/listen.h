/* The socket that the server listens on. */
#pragma once

#include "serve/serve.h"

/* Opens the address of --listen, or takes the socket that systemd passes. Sets the URL (free with
 * g_free()) and whether only this machine can connect. On failure prints why and returns -1. */
int af_listen_open(const af_serve_options *options, char **url, gboolean *loopback);
