/* Uploads are stored compressed. */
#pragma once

#include <glib.h>

/* Compresses all bytes of one file into another. FALSE with an error of the store. */
gboolean af_pack(int from, int to, GError **error);

/* Decompresses them. */
gboolean af_unpack_file(int from, int to, GError **error);

/* Compresses text for a browser: gzip. NULL if that does not make it smaller. */
GBytes *af_pack_body(GBytes *body);
