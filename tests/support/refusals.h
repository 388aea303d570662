/* A machine that refuses memory, on request.
 *
 * The linker puts these in front of everything by which the library asks for memory as much as an
 * input wants: GLib's g_try_*, the arena, mappings, zlib's states, threads (CMakeLists.txt lists
 * them). What ends the program where memory is refused (g_malloc) is not among them: the library
 * may use it for small things only, which `starve` looks after as well. */
#ifndef TESTS_SUPPORT_REFUSALS_H
#define TESTS_SUPPORT_REFUSALS_H

#include <glib.h>

/* Requests are counted from here on; the one of this number (from 1) is refused, and if `all` those
 * after it too. 0 refuses none. */
void refusals_begin(unsigned number, gboolean all);

/* No more. Returns how many requests there were. */
unsigned refusals_end(void);

#endif
