#include <aflame/error.h>

GQuark af_error_quark(void)
{
    return g_quark_from_static_string("af-error-quark");
}
