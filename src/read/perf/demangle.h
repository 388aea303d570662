/* Names of C++ and Rust as their sources have them. */
#ifndef AF_READ_PERF_DEMANGLE_H
#define AF_READ_PERF_DEMANGLE_H

#include <glib.h>

/* "_ZN3foo3barEv" -> "foo::bar()"; anything that is no such name as it stands. The caller frees it
 * with g_free(). */
char *af_demangle(const char *name, size_t length);

#endif
