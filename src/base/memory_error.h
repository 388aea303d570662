/* The one error for memory that the system refuses. */
#pragma once

#include <glib.h>

/* Sets AF_ERROR_MEMORY. Returns FALSE, so that a caller can return the result. */
gboolean af_memory_error_set(GError **error);
