#include <aflame/convert.h>

#include "export/exporter.h"
#include "model/select.h"

const char *af_convert_format(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL ? exporter->name : NULL;
}

const char *af_convert_format_title(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL ? exporter->title : NULL;
}

const char *af_convert_format_extension(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL ? exporter->extension : NULL;
}

static int compare_threads(gconstpointer a, gconstpointer b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

gboolean af_convert_write(const af_profile *profile, const char *format,
                          const af_convert_options *options, af_write_func write, void *user,
                          GError **error)
{
    static const char *const all[] = {"all", NULL};
    af_convert_options known = AF_CONVERT_OPTIONS_INIT;
    if (options != NULL) {
        memcpy(&known, options, MIN(options->size, sizeof known));
    }
    const af_exporter *exporter = af_exporter_lookup(format);
    if (exporter == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "there is no format \"%s\" to convert to",
                    format);
        return FALSE;
    }
    af_selection selection = {.most_bytes = known.any_size ? 0 : AF_CONVERT_MOST_BYTES};
    if (!af_select_clock(profile, known.clock, &selection.clock, error)) {
        return FALSE;
    }
    GArray *threads =
        af_select_threads(profile, known.threads != NULL ? known.threads : all, error);
    if (threads == NULL) {
        return FALSE;
    }
    if (!af_select_check_left(profile, threads, error)) {
        g_array_unref(threads);
        return FALSE;
    }
    g_array_sort(threads, compare_threads);
    selection.threads = (const uint32_t *)(const void *)threads->data;
    selection.n_threads = threads->len;

    af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    gboolean written = exporter->write(profile, &selection, out, error);
    gboolean sent = af_out_close(out, written ? error : NULL);
    g_free(out);
    g_array_unref(threads);
    return written && sent;
}
