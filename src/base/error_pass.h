/* Errors that a step of the work has set and its caller passes on. */
#pragma once

#include <glib.h>

/* Passes *from on, if it is set. Returns whether there is none. */
static inline gboolean af_error_pass(GError **to, GError **from)
{
    if (*from == NULL) {
        return TRUE;
    }
    g_propagate_error(to, g_steal_pointer(from));
    return FALSE;
}
