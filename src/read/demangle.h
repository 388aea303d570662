/* Demangles names of C++ and Rust. */
#ifndef AF_READ_DEMANGLE_H
#define AF_READ_DEMANGLE_H

#include <glib.h>

/* "_ZN3foo3barEv" -> "foo::bar()"; returns any other name unchanged. The caller frees it with
 * g_free(). */
char *af_demangle(const char *name, size_t length);

#endif
