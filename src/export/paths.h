/* Size limits for formats that write all callers of every node. */
#pragma once

#include "export/exporter.h"

/* Larger than any disk. */
#define AF_PATHS_MOST_COUNTED (UINT64_C(1) << 60)

/* Whether `frame_bytes` for each caller of each node fit into selection->most_bytes. FALSE with
 * AF_ERROR_USAGE; the message calls the output `what`. */
gboolean af_paths_check(const af_profile *profile, const af_selection *selection,
                        unsigned frame_bytes, const char *what, GError **error);

/* Sets the error of af_paths_check(). */
void af_paths_refuse(const af_profile *profile, const af_selection *selection, const char *what,
                     uint64_t bytes, GError **error);
