/* Nodes of a thread's call tree by their path: parent and label. */
#pragma once

#include <glib.h>
#include <aflame/aflame.h>

GHashTable *path_map_new(const af_profile *profile, unsigned thread);

/* The child of `parent` (0 = the thread) with the label; UINT32_MAX if absent. */
uint32_t path_map_find(GHashTable *map, uint32_t parent, uint32_t label);
