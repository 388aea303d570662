/* Demangles names of C++ and Rust. */
#pragma once

#include <glib.h>

/* "_ZN3foo3barEv" -> "foo::bar()"; returns any other name unchanged. The caller frees it with
 * g_free(). */
char *af_demangle(const char *name, size_t length);
