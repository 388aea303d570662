/* The module of the server, loaded when a verb needs it. */
#ifndef AF_CLI_MODULE_H
#define AF_CLI_MODULE_H

#include "cli/message.h"
#include "serve/serve.h"

/* What the command offers to the module. */
extern const af_serve_host af_module_host;

/* The function of the module with that name; NULL if the module cannot be loaded, which is
 * printed. */
void *af_module_find(const char *function);

#endif
