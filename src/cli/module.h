/* Modules, which the command loads when a verb needs them: all other verbs run without their
 * libraries. */
#pragma once

#include "cli/message.h"
#include "serve/serve.h"

/* What the command offers to the module. */
extern const af_serve_host af_module_host;

typedef struct {
    const char *file;
    const char *title; /* in messages */
} af_module;

extern const af_module af_module_serve, af_module_graphviz;

/* The same, for a verb that needs the module; prints the error. */
void *af_module_need(const af_module *module, const char *symbol, af_exit *status);
