/* Versions: of the running library and of the libraries that it uses.
 *
 * Until version 1.0 a new minor version may change the interface; programs built for 0.1 need a
 * library 0.1.x.
 *
 *     printf("aflame %s\n", af_version());
 *     for (const char *const *line = af_library_versions(); *line != NULL; line++) {
 *         printf("  %s\n", *line);
 *     }
 */
#ifndef AFLAME_VERSION_H
#define AFLAME_VERSION_H

#include <aflame/visibility.h>

G_BEGIN_DECLS

/* The version of the library, e.g. "0.1.0". Static. */
AF_API const char *af_version(void);

/* One "name version" for each library in use (cairo, pango, zlib, ...); NULL ends the list. The
 * list is static. */
AF_API const char *const *af_library_versions(void);

G_END_DECLS

#endif
