/* Simulates a machine that refuses memory.
 *
 * The linker wraps every function through which the library requests memory in proportion to its
 * input: GLib's g_try_*, the arena, mappings, zlib's states, threads (CMakeLists.txt lists them).
 * Functions that abort on failure (g_malloc) are not wrapped: the library may use them for small
 * allocations only, which `starve` checks too. */
#pragma once

#include <glib.h>

/* Starts to count requests and refuses request `number` (from 1), and all later ones if `all`. 0
 * refuses none. */
void refusals_begin(unsigned number, gboolean all);

/* Ends the refusals. Returns the number of requests. */
unsigned refusals_end(void);
