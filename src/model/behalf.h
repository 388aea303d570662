/* On whose behalf a method runs: people can change only their own code, so a sentence about
 * java.lang.Object.wait also names the code of the app that led to it. */
#pragma once

#include "model/category.h"
#include "model/tree.h"

/* The nodes of a tree and the names of their labels. */
typedef struct {
    const uint32_t *parent, *label;
    af_category (*category)(const void *user, uint32_t label);
    const char *(*text)(const void *user, uint32_t label);
    const void *user;
} af_behalf_view;

/* Returns the nearest ancestor that is the app's own code; without one, the entry point: the
 * handler of a message, a frame, a Binder call, or the outermost method. AF_NO_NODE if the node is
 * the app's own code or nothing above it says more than its own name. */
uint32_t af_behalf_find(const af_behalf_view *view, uint32_t node);
