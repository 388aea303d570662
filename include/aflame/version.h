/* Versions: of the headers, of the library at run time and of the libraries that it uses.
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

AF_BEGIN_DECLS

/* The version of these headers; that of the library at run time may be later. */
#define AF_VERSION_MAJOR 0
#define AF_VERSION_MINOR 1
#define AF_VERSION_MICRO 0

/* Whether these headers are of this version or a later one, for #if. */
#define AF_CHECK_VERSION(major, minor, micro)                                                      \
    (AF_VERSION_MAJOR > (major) ||                                                                 \
     (AF_VERSION_MAJOR == (major) &&                                                               \
      (AF_VERSION_MINOR > (minor) ||                                                               \
       (AF_VERSION_MINOR == (minor) && AF_VERSION_MICRO >= (micro)))))

/* Whether the library at run time is of this version or a later one. */
AF_API bool af_version_check(unsigned major, unsigned minor, unsigned micro);

/* The version of the library at run time, e.g. "0.1.0". Static. */
AF_API const char *af_version(void);

/* One "name version" for each library in use (cairo, pango, zlib, ...); NULL ends the list. The
 * list is static. */
AF_API const char *const *af_library_versions(void);

AF_END_DECLS

#endif
