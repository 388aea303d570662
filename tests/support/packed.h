/* A file in other containers, stored and not compressed: the bytes depend on no library. */
#ifndef TESTS_SUPPORT_PACKED_H
#define TESTS_SUPPORT_PACKED_H

#include <glib.h>

/* A zip archive in which each of the paths has this content. */
GByteArray *packed_zip(const GByteArray *content, char *const *paths, guint n_paths);

/* A frame of zstd. */
GByteArray *packed_zstd(const GByteArray *content);

#endif
