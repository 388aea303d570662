#include "export/exporter.h"

#include "base/gzip.h"
#include "base/memory_error.h"
#include "export/paths.h"

#define ADDRESS(name) &af_exporter_##name,
static const af_exporter *const exporters[] = {AF_EXPORTERS(ADDRESS)};

const af_exporter *af_exporter_at(unsigned number)
{
    return number < G_N_ELEMENTS(exporters) ? exporters[number] : NULL;
}

const af_exporter *af_exporter_lookup(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(exporters); i++) {
        if (strcmp(exporters[i]->name, name) == 0) {
            return exporters[i];
        }
    }
    return NULL;
}

/* ---- writing ---- */

static gboolean write_plain(const af_exporter *exporter, const af_profile *profile,
                            const af_selection *selection, af_write_func write, void *user,
                            GError **error)
{
    af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    GError *own = NULL;
    const gboolean written = exporter->write(profile, selection, out, &own);
    const gboolean sent = af_out_close(out, error);
    g_free(out);
    if (sent && !written) {
        g_propagate_error(error, g_steal_pointer(&own));
    }
    g_clear_error(&own);
    return written && sent;
}

static gboolean write_packed(const af_exporter *exporter, const af_profile *profile,
                             const af_selection *selection, af_write_func write, void *user,
                             GError **error)
{
    af_gzip *gzip = af_gzip_new(write, user, AF_GZIP_QUICK);
    if (gzip == NULL) {
        return af_memory_error_set(error);
    }
    const gboolean ok = write_plain(exporter, profile, selection, af_gzip_write, gzip, error) &&
                        af_gzip_finish(gzip, error);
    af_gzip_free(gzip);
    return ok;
}

/* Reports calls that are too deep for the format. */
static void report_depth(const af_exporter *exporter, const af_profile *profile,
                         const af_selection *selection, GPtrArray *messages)
{
    const gboolean writes_stacks = exporter->calls == AF_CALLS_IF_ANY && selection->calls == NULL;
    if (messages != NULL && exporter->deepest > 0 && !writes_stacks &&
        af_paths_deepest(profile, selection) > exporter->deepest) {
        g_ptr_array_add(messages,
                        g_strdup_printf("%s files hold at most %u nested calls; deeper ones were "
                                        "left out, and their time counts as their caller's",
                                        exporter->name, exporter->deepest));
    }
}

gboolean af_exporter_write(const af_exporter *exporter, const af_profile *profile,
                           const af_selection *selection, gboolean gzip, af_write_func write,
                           void *user, GError **error)
{
    report_depth(exporter, profile, selection, selection->messages);
    return gzip || exporter->packed ? write_packed(exporter, profile, selection, write, user, error)
                                    : write_plain(exporter, profile, selection, write, user, error);
}
