/* Cleans up the store: removes expired traces, and traces beyond --max-store. */
#pragma once

#include "serve/server.h"

/* Stores when traces were used. */
void af_care_remember_use(af_server *server);

/* Removes expired traces, and then the least recently used ones until `bytes` more fit into the
 * store. */
void af_care_remove_overdue(af_server *server, uint64_t bytes);

/* The reason for rejecting an upload: "..., which is limited to 20G". */
const char *af_care_limit(const af_server *server);

/* The same before an upload of so many bytes. FALSE with AF_STORE_FULL: uploads that are still to
 * be read fill the store. */
gboolean af_care_make_space(af_server *server, uint64_t bytes, GError **error);
