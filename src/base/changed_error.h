/* The one error for an input that changes while it is read. */
#pragma once

#include <glib.h>

/* Sets AF_ERROR_DAMAGED. Returns FALSE, so that a caller can return the result. */
gboolean af_changed_error_set(GError **error);
