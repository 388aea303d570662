/* Uploads are stored compressed. */
#pragma once

#include "serve/store.h"

/* Compresses all bytes of one file into another. FALSE with an error of the store. */
gboolean af_pack(int from, int to, GError **error);

/* Opens the upload of a trace, decompressed. -1 with an error. */
int af_pack_open(af_store *store, const char *id, GError **error);

/* Compresses text for a browser: gzip. NULL if that does not make it smaller. */
GBytes *af_pack_body(GBytes *body);
