#include "base/options.h"

#include <string.h>
#include <aflame/error.h>

gboolean af_options_take(void *known, size_t length, const void *options, GError **error)
{
    if (options == NULL) {
        return TRUE;
    }
    size_t size;
    memcpy(&size, options, sizeof size);
    if (size <= sizeof size) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE,
                    "the options are not initialised: their size is %zu; use their _INIT macro or "
                    "their _init() function",
                    size);
        return FALSE;
    }
    memcpy(known, options, MIN(size, length));
    return TRUE;
}
