/* The version of the library that runs, and of those it stands on. */
#ifndef AFLAME_VERSION_H
#define AFLAME_VERSION_H

#include <aflame/visibility.h>

G_BEGIN_DECLS

/* E.g. "0.1.0". */
AF_API const char *af_version(void);

/* One "name version" for each library below, ends with NULL: cairo, pango, fontconfig, ... */
AF_API const char *const *af_library_versions(void);

G_END_DECLS

#endif
