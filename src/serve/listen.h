/* The socket that the server listens on. */
#ifndef AF_SERVE_LISTEN_H
#define AF_SERVE_LISTEN_H

#include "serve/serve.h"

/* Opens --listen, or takes the socket that systemd passes. Sets the URL (for g_free()) and whether
 * only this machine can connect. -1 after printing why it cannot. */
int af_listen_open(const af_serve_options *options, char **url, gboolean *loopback);

#endif
