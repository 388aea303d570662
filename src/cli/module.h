/* Modules, which the command loads when a verb needs them: all other verbs run without their
 * libraries. */
#ifndef AF_CLI_MODULE_H
#define AF_CLI_MODULE_H

#include "cli/message.h"
#include "serve/serve.h"

/* What the command offers to the module. */
extern const af_serve_host af_module_host;

typedef struct {
    const char *file;
    const char *title; /* in messages */
} af_module;

extern const af_module af_module_serve, af_module_graphviz;

/* The function of the module with that name; NULL if the module cannot be loaded, which is
 * printed. */
void *af_module_find(const af_module *module, const char *function);

#endif
