/* A file in other containers, stored and not compressed: the bytes depend on no library. */
#pragma once

#include <glib.h>

/* A zip archive in which each of the paths has this content. */
GByteArray *packed_zip(const GByteArray *content, char *const *paths, guint n_paths);

/* A frame of zstd. */
GByteArray *packed_zstd(const GByteArray *content);
