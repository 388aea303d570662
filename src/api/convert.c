#include <aflame/convert.h>

#include "api/field.h"
#include "api/messages.h"
#include "base/options.h"
#include "calls/samples.h"
#include "calls/profile_walk.h"
#include "export/exporter.h"
#include "model/select.h"
#include "read/reader.h"
#include "render/palette.h"

AF_FIELD_OF(const char *, af_convert_format, af_exporter_at, name)
AF_FIELD_OF(const char *, af_convert_format_title, af_exporter_at, title)
AF_FIELD_OF(const char *, af_convert_format_extensions, af_exporter_at, extensions)

bool af_convert_format_is_binary(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL && exporter->binary;
}

bool af_convert_format_writes_calls(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL && exporter->calls != AF_CALLS_UNUSED;
}

AF_FIELD_OF(unsigned, af_convert_format_max_depth, af_exporter_at, deepest)

char *af_convert_format_losses(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL ? af_exporter_name_losses(exporter->loses) : NULL;
}

AF_FIELD_OF(const char *, af_input_format, af_reader_at, name)
AF_FIELD_OF(const char *, af_input_format_title, af_reader_at, title)
AF_FIELD_OF(const char *, af_input_format_extensions, af_reader_at, extensions)

typedef struct {
    const af_profile *profile;
    af_call_walk_options options;
} call_input;

static gboolean walk_calls(void *user, const guint8 *wanted, const af_observer *observer,
                           GError **error)
{
    const call_input *t = user;
    return af_profile_walk_threads(t->profile, wanted, observer, &t->options, error);
}

/* The colour of a method in pictures on a light page. */
static uint32_t fill_of(af_category category, unsigned shade)
{
    const af_colour c = af_palette_colour(af_paint_frame(category, shade), FALSE);
    return (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
}

/* Returns ascending indices; NULL with an error. */
static GArray *choose_threads(const af_profile *profile, const char *const *selectors,
                              GError **error)
{
    GArray *threads = af_select_threads_sorted(profile, selectors, error);
    if (threads != NULL && !af_select_check_left(profile, threads, error)) {
        g_clear_pointer(&threads, g_array_unref);
    }
    return threads;
}

static gboolean write_selection(const af_exporter *exporter, const af_profile *profile,
                                const af_convert_options *options, af_selection *selection,
                                af_write_func write, void *user, GError **error)
{
    g_autoptr(GArray) threads = choose_threads(profile, options->threads, error);
    if (threads == NULL) {
        return FALSE;
    }
    uint32_t n_without = 0;
    if (!exporter->all_clocks &&
        !af_select_clocked(profile, selection->clock, threads, &n_without, error)) {
        return FALSE;
    }
    af_select_report_without(n_without, selection->clock, selection->messages);
    selection->threads = (const uint32_t *)(const void *)threads->data;
    selection->n_threads = threads->len;
    return af_exporter_write(exporter, profile, selection, options->gzip, write, user, error);
}

bool af_convert_write(const af_profile *profile, const char *format,
                      const af_convert_options *options, af_write_func write, void *user,
                      GError **error)
{
    af_convert_options known = AF_CONVERT_OPTIONS_INIT;
    if (!af_options_take(&known, sizeof known, options, error)) {
        return FALSE;
    }
    const af_exporter *exporter = af_exporter_lookup(format);
    if (exporter == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown output format \"%s\"", format);
        return FALSE;
    }
    if (known.folded_unit != NULL && strcmp(known.folded_unit, "us") != 0 &&
        strcmp(known.folded_unit, "ns") != 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "folded stacks count us or ns, not \"%s\"",
                    known.folded_unit);
        return FALSE;
    }
    af_selection selection = {.most_bytes = known.any_size ? 0 : AF_CONVERT_MAX_BYTES,
                              .remove_gaps = known.remove_gaps,
                              .least_c = known.min_percent_c,
                              .top = known.top,
                              .fill = fill_of,
                              .folded_ns = g_strcmp0(known.folded_unit, "ns") == 0,
                              .input = profile->facts.saved.version != NULL
                                           ? profile->facts.saved.input
                                           : known.input_name};
    if (exporter->all_clocks && known.clock != AF_CLOCK_DEFAULT) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "%s files hold all clocks; leave out --clock",
                    exporter->name);
        return FALSE;
    }
    if (!af_select_clock(profile, known.clock, &selection.clock, error)) {
        return FALSE;
    }
    call_input t = {profile, AF_CALL_WALK_OPTIONS_INIT};
    t.options.cancel = known.cancel;
    t.options.progress = known.progress;
    t.options.progress_user = known.progress_user;
    const af_call_source calls = {walk_calls, &t};
    af_samples all = {NULL, &t.options, NULL};
    const af_sample_source samples = {af_samples_walk_raw, &all};
    g_autofree char *why = NULL;
    const af_profile *unsorted = af_profile_unsorted(profile);
    if (exporter->calls != AF_CALLS_UNUSED) {
        why = af_profile_lacks_calls(profile, selection.clock);
        selection.calls = why == NULL ? &calls : NULL;
        t.profile = why == NULL ? unsorted : profile;
    }
    if (unsorted != NULL && af_samples_have_steps(unsorted)) {
        selection.samples = &samples;
        all.profile = t.profile = unsorted;
    }
    const gboolean refused = exporter->calls == AF_CALLS_NEEDED && why != NULL;
    if (refused) {
        g_set_error(
            error, AF_ERROR, AF_ERROR_USAGE,
            "%s needs single calls, but %s; folded, speedscope, pprof and others write call trees",
            exporter->name, why);
    }
    if (known.messages != NULL) {
        selection.messages = g_ptr_array_new_with_free_func(g_free);
    }
    const gboolean ok =
        !refused && write_selection(exporter, t.profile, &known, &selection, write, user, error);
    if (ok) {
        af_messages_give(selection.messages, known.messages);
    } else {
        g_clear_pointer(&selection.messages, g_ptr_array_unref);
    }
    return ok;
}
