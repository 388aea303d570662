#include "base/changed_error.h"

#include <aflame/error.h>

gboolean af_changed_error_set(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                        "the file changed while it was read; try again when nothing writes to it");
    return FALSE;
}
