#include <glib.h>
#include <aflame/error.h>

uint32_t af_error_quark(void)
{
    return g_quark_from_static_string("af-error-quark");
}

const char *af_error_message(const GError *error)
{
    return error != NULL ? error->message : "";
}

af_error_code af_error_reason(const GError *error)
{
    return error != NULL && error->domain == AF_ERROR ? (af_error_code)error->code
                                                      : (af_error_code)0;
}

void af_error_clear(GError **error)
{
    g_clear_error(error);
}

void af_error_set(GError **error, af_error_code code, const char *message)
{
    g_set_error_literal(error, AF_ERROR, code, message);
}
