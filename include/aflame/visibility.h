/* Which symbols the shared library shows. Everything without AF_API stays inside. */
#ifndef AFLAME_VISIBILITY_H
#define AFLAME_VISIBILITY_H

#include <glib.h>

#if defined(__GNUC__) || defined(__clang__)
#define AF_API __attribute__((visibility("default")))
#else
#define AF_API
#endif

#endif
