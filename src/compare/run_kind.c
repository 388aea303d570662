#include "compare/run_kind.h"

#include <aflame/error.h>

static const char *describe_unit(const char *unit)
{
    return unit != NULL ? unit : "times";
}

gboolean af_run_kind_check(const af_profile *profile, const char *unit, gboolean sampled,
                           const char *first, GError **error)
{
    const char *own_unit = profile->facts.weights.unit.name;
    if (g_strcmp0(unit, own_unit) != 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "holds %s, but %s holds %s",
                    describe_unit(own_unit), first, describe_unit(unit));
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
