#include "compare/run_kind.h"

#include <aflame/error.h>

void af_run_unit_describe(const af_unit *unit, GString *to)
{
    g_string_append(to, unit->digits > 0 ? "thousandths of " : "");
    g_string_append(to, unit->name != NULL ? unit->name : "times");
}

gboolean af_run_kind_check(const af_profile *profile, const af_unit *unit, gboolean sampled,
                           const char *first, GError **error)
{
    const af_unit *own = &profile->facts.weights.unit;
    if (g_strcmp0(unit->name, own->name) != 0 || unit->digits != own->digits) {
        g_autoptr(GString) text = g_string_new("holds ");
        af_run_unit_describe(own, text);
        g_string_append_printf(text, ", but %s holds ", first);
        af_run_unit_describe(unit, text);
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE, text->str);
        return FALSE;
    }
    if (sampled != !af_profile_counts_calls(profile)) {
        g_set_error(
            error, AF_ERROR, AF_ERROR_USAGE,
            sampled ? "holds calls, but %s holds samples%s" : "holds samples, but %s holds calls%s",
            first, af_container_is_android(profile->facts.container) ? AF_RUN_KIND_HINT : "");
        return FALSE;
    }
    return TRUE;
}
