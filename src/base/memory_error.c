#include "base/memory_error.h"

#include <aflame/error.h>

gboolean af_memory_error_set(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "not enough memory");
    return FALSE;
}
