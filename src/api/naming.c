#include "api/naming.h"

#include "base/memory_error.h"
#include "mapping/retrace.h"

struct af_naming {
    GPtrArray *retracers;
};

static void rename_method(void *user, af_arena *arena, af_method *method)
{
    const af_naming *naming = user;
    for (guint i = 0; i < naming->retracers->len; i++) {
        af_retracer_rename(naming->retracers->pdata[i], arena, method);
    }
}

static void free_retracer(gpointer retracer)
{
    af_retracer_free(retracer);
}

af_naming *af_naming_begin(af_sink *sink, const af_open_options *options)
{
    if (options->mappings == NULL || options->mappings[0] == NULL) {
        return NULL;
    }
    af_naming *naming = g_new(af_naming, 1);
    naming->retracers = g_ptr_array_new_with_free_func(free_retracer);
    for (const af_mapping *const *mapping = options->mappings; *mapping != NULL; mapping++) {
        g_ptr_array_add(naming->retracers, af_retracer_new(*mapping, options->keep_synthetic));
    }
    af_sink_set_renamer(sink, rename_method, naming);
    return naming;
}

gboolean af_naming_end(af_naming *naming, af_profile *profile, GError **error)
{
    gboolean ok = TRUE;
    if (naming != NULL && profile != NULL && !af_retracers_report(naming->retracers, profile)) {
        af_memory_error_set(error);
        ok = FALSE;
    }
    if (naming != NULL) {
        g_ptr_array_unref(naming->retracers);
        g_free(naming);
    }
    return ok;
}
