#include <aflame/convert.h>

#include "calls/samples.h"
#include "calls/input.h"
#include "calls/profile_walk.h"
#include "base/gzip.h"
#include "base/memory_error.h"
#include "export/exporter.h"
#include "export/paths.h"
#include "model/select.h"
#include "read/reader.h"

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

const char *af_convert_format_extensions(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL ? exporter->extensions : NULL;
}

gboolean af_convert_format_is_binary(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL && exporter->binary;
}

gboolean af_convert_format_writes_calls(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL && exporter->calls != AF_CALLS_UNUSED;
}

unsigned af_convert_format_max_depth(unsigned number)
{
    const af_exporter *exporter = af_exporter_at(number);
    return exporter != NULL ? exporter->deepest : 0;
}

const char *af_input_format(unsigned number)
{
    const af_reader *reader = af_reader_at(number);
    return reader != NULL ? reader->name : NULL;
}

const char *af_input_format_title(unsigned number)
{
    const af_reader *reader = af_reader_at(number);
    return reader != NULL ? reader->title : NULL;
}

const char *af_input_format_extensions(unsigned number)
{
    const af_reader *reader = af_reader_at(number);
    return reader != NULL ? reader->extensions : NULL;
}

/* ---- single calls ---- */

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

/* The first step that works on trees only; NULL if none. The order of siblings does not affect
 * calls. */
static const char *find_step(const af_profile *profile)
{
    for (unsigned i = 0; i < profile->n_steps; i++) {
        if (!profile->steps[i].sorts) {
            return profile->steps[i].option;
        }
    }
    return NULL;
}

/* Whether single calls are available; if not, *why receives the reason, which the caller frees. */
static gboolean has_calls(const af_profile *profile, af_clock clock, char **why)
{
    const char *step = find_step(profile);
    if (af_content_has_weights(profile->facts.content)) {
        *why = g_strdup("the input holds samples");
    } else if (step != NULL) {
        *why = g_strdup_printf("%s works on call trees only", step);
    } else if (clock == AF_WAIT) {
        *why = g_strdup("the clock wait needs call trees");
    } else if (profile->facts.saved.version != NULL) {
        *why = g_strdup("a saved profile has none");
    } else if (!af_input_exists(profile)) {
        *why = g_strdup("the input was not kept for a second reading");
    } else {
        *why = NULL;
    }
    return *why == NULL;
}

/* ---- writing ---- */

static int compare_threads(gconstpointer a, gconstpointer b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Returns ascending indices; NULL with an error. */
static GArray *choose_threads(const af_profile *profile, const char *const *selectors,
                              GError **error)
{
    static const char *const all[] = {"all", NULL};
    GArray *threads = af_select_threads(profile, selectors != NULL ? selectors : all, error);
    if (threads != NULL && !af_select_check_left(profile, threads, error)) {
        g_clear_pointer(&threads, g_array_unref);
    }
    if (threads != NULL) {
        g_array_sort(threads, compare_threads);
    }
    return threads;
}

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
    af_gzip *gzip = af_gzip_new(write, user);
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
    if (messages != NULL && exporter->deepest > 0 &&
        af_paths_deepest(profile, selection) > exporter->deepest) {
        g_ptr_array_add(messages,
                        g_strdup_printf("%s files hold at most %u nested calls; deeper ones were "
                                        "left out, and their time counts as their caller's",
                                        exporter->name, exporter->deepest));
    }
}

static gboolean write_selection(const af_exporter *exporter, const af_profile *profile,
                                const af_convert_options *options, af_selection *selection,
                                af_write_func write, void *user, GError **error)
{
    GArray *threads = choose_threads(profile, options->threads, error);
    if (threads == NULL) {
        return FALSE;
    }
    uint32_t n_without = 0;
    if (!exporter->all_clocks &&
        !af_select_clocked(profile, selection->clock, threads, &n_without, error)) {
        g_array_unref(threads);
        return FALSE;
    }
    af_select_report_without(n_without, selection->clock, options->messages);
    selection->threads = (const uint32_t *)(const void *)threads->data;
    selection->n_threads = threads->len;
    report_depth(exporter, profile, selection, options->messages);
    const gboolean packed = options->gzip || exporter->packed;
    const gboolean ok = packed ? write_packed(exporter, profile, selection, write, user, error)
                               : write_plain(exporter, profile, selection, write, user, error);
    g_array_unref(threads);
    return ok;
}

gboolean af_convert_write(const af_profile *profile, const char *format,
                          const af_convert_options *options, af_write_func write, void *user,
                          GError **error)
{
    af_convert_options known = AF_CONVERT_OPTIONS_INIT;
    if (options != NULL) {
        memcpy(&known, options, MIN(options->size, sizeof known));
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
                              .folded_ns = g_strcmp0(known.folded_unit, "ns") == 0,
                              .messages = known.messages,
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
    af_samples all = {NULL, &t.options};
    const af_sample_source samples = {af_samples_walk_raw, &all};
    char *why = NULL;
    if (exporter->calls != AF_CALLS_UNUSED && has_calls(profile, selection.clock, &why)) {
        selection.calls = &calls;
        while (t.profile->n_steps > 0) {
            t.profile = t.profile->base; /* if it was only sorted */
        }
    }
    if (find_step(profile) == NULL) {
        for (all.profile = profile; all.profile->n_steps > 0;) {
            all.profile = all.profile->base;
        }
        /* if stacks have their own durations, they are not steps of a sampler */
        const gboolean steps =
            af_samples_exist(all.profile) && all.profile->facts.content != AF_CONTENT_STACK_SLICES;
        selection.samples = steps ? &samples : NULL;
        t.profile = selection.samples != NULL ? all.profile : t.profile;
    }
    const gboolean refused = exporter->calls == AF_CALLS_NEEDED && why != NULL;
    if (refused) {
        g_set_error(
            error, AF_ERROR, AF_ERROR_USAGE,
            "%s needs single calls, but %s; folded, speedscope, pprof and others write call trees",
            exporter->name, why);
    }
    g_free(why);
    return !refused && write_selection(exporter, t.profile, &known, &selection, write, user, error);
}
