#include <aflame/report.h>

#include "api/carried_profile.h"
#include "api/field.h"
#include "api/report_options.h"
#include "base/options.h"
#include "calls/input.h"
#include "model/select.h"
#include "report/findings/findings.h"
#include "report/format.h"
#include "report/frames.h"
#include "report/startup.h"
#include "report/dmtracedump/records.h"

AF_FIELD_OF(const char *, af_report_format_name, af_report_format_at, name)
AF_FIELD_OF(const char *, af_report_format_title, af_report_format_at, title)
AF_FIELD_OF(const char *, af_report_format_extension, af_report_format_at, extension)

bool af_report_format_needs_input(unsigned number)
{
    const af_report_format *format = af_report_format_at(number);
    return format != NULL && format->needs_input;
}

AF_FIELD_OF(const char *, af_report_table_name, af_table_kind_at, name)

/* The threads of the scope, ascending; NULL with an error set. */
static GArray *choose_scope(af_scope *scope, const af_profile *profile,
                            const af_report_options *options, GError **error)
{
    af_clock clock;
    if (!af_select_clock(profile, options->clock, &clock, error)) {
        return NULL;
    }
    GArray *threads = af_select_threads_sorted(profile, options->threads, error);
    if (threads != NULL && options->clock != AF_CLOCK_DEFAULT &&
        !af_select_clocked(profile, clock, threads, &scope->n_left_out, error)) {
        g_clear_pointer(&threads, g_array_unref);
    }
    if (threads != NULL) {
        scope->profile = profile;
        scope->clocks = options->clock == AF_CLOCK_DEFAULT ? af_select_clocks(profile, threads)
                                                           : 1u << (unsigned)clock;
        scope->threads = (const uint32_t *)(const void *)threads->data;
        scope->n_threads = threads->len;
    }
    return threads;
}

/* FALSE with AF_ERROR_MEMORY. */
static gboolean carry_profile(af_report *report, const af_profile *profile,
                              const af_report_options *options, GError **error)
{
    if (options->data == AF_DATA_NONE) {
        return TRUE;
    }
    g_autofree char *input =
        options->input_name != NULL ? g_path_get_basename(report->input) : NULL;
    af_carried_profile carried = {.profile = profile, .input = input, .clock = AF_WALL};
    if (!af_profile_has(profile, AF_WALL)) {
        carried.clock = AF_CPU;
    }
    carried.most_bytes = options->data == AF_DATA_AUTO ? AF_CARRIED_MOST_PAGE : 0;
    af_carried_profile_begin(&carried, 1);
    GBytes *bytes = af_carried_profile_take(&carried, error);
    report->profile = bytes != NULL ? g_bytes_ref(bytes) : NULL;
    af_carried_profile_clear(&carried);
    return bytes != NULL;
}

af_report *af_report_set_page(af_report *report, const af_report_options *options)
{
    if (report != NULL) {
        report->input =
            options->input_name != NULL ? g_utf8_make_valid(options->input_name, -1) : NULL;
        report->width = options->width;
        report->raw_csv = options->raw_csv;
    }
    return report;
}

static char **copy_findings(const af_explanation *e)
{
    GPtrArray *texts = g_ptr_array_new();
    for (unsigned i = 0; i < e->n; i++) {
        const char *command = e->findings[i].evidence[0];
        g_ptr_array_add(texts, g_utf8_make_valid(e->findings[i].text, -1));
        g_ptr_array_add(texts, g_utf8_make_valid(command != NULL ? command : "", -1));
    }
    g_autofree char *summary = af_findings_summary(e);
    g_ptr_array_add(texts, summary != NULL ? g_utf8_make_valid(summary, -1) : g_strdup(""));
    g_ptr_array_add(texts, NULL);
    return (char **)(void *)g_ptr_array_free(texts, FALSE);
}

const af_report_format *af_report_take_options(const af_report_options *options, const char *format,
                                               const char *what, af_report_options *known,
                                               GError **error)
{
    if (!af_options_take(known, sizeof *known, options, error)) {
        return NULL;
    }
    const af_report_format *wanted = af_report_format_lookup(format);
    if (wanted == NULL || wanted->needs_input) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown format \"%s\" for %s", format, what);
        return NULL;
    }
    return wanted;
}

af_report *af_report_new(const af_profile *profile, const char *format,
                         const af_report_options *options, GError **error)
{
    af_report_options known = AF_REPORT_OPTIONS_INIT;
    if (!af_options_take(&known, sizeof known, options, error)) {
        return NULL;
    }
    const af_report_format *wanted = af_report_format_lookup(format);
    if (wanted == NULL) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "unknown report format \"%s\"", format);
        return NULL;
    }
    af_report_request request = {.kinds = known.tables,
                                 .sort = known.sort,
                                 .top = known.top,
                                 .least_c = known.min_percent_c,
                                 .methods = known.methods,
                                 .quirks = known.dmtracedump_quirks,
                                 .all_threads = known.threads == NULL,
                                 .read = af_input_listen};
    g_autoptr(GArray) threads = choose_scope(&request.scope, profile, &known, error);
    if (threads == NULL) {
        return NULL;
    }
    af_report *report = af_report_set_page(af_report_make(&request, wanted, error), &known);
    if (report != NULL) {
        report->picture =
            known.picture != NULL ? g_bytes_new(known.picture, known.picture_size) : NULL;
        report->findings = known.explanation != NULL ? copy_findings(known.explanation) : NULL;
    }
    if (report != NULL && wanted->carries && !carry_profile(report, profile, &known, error)) {
        g_clear_pointer(&report, af_report_free);
    }
    return report;
}

static af_report *report_frames(const af_profile *profile, const af_report_format *format,
                                const af_report_options *options, GError **error)
{
    af_frames_request request = {
        .sort = options->sort,
        .top = options->top,
        .frame_time_ns = options->frame_time_ns > 0 ? options->frame_time_ns : AF_FRAME_TIME_NS};
    g_autoptr(GArray) threads = choose_scope(&request.scope, profile, options, error);
    if (threads == NULL) {
        return NULL;
    }
    g_autoptr(af_frame_list) list = af_frame_list_new(profile, request.frame_time_ns, error);
    request.list = list;
    return list == NULL ? NULL : af_report_make_frames(&request, format, error);
}

af_report *af_report_new_frames(const af_profile *profile, const char *format,
                                const af_report_options *options, GError **error)
{
    af_report_options known = AF_REPORT_OPTIONS_INIT;
    const af_report_format *wanted =
        af_report_take_options(options, format, "frames", &known, error);
    return wanted == NULL
               ? NULL
               : af_report_set_page(report_frames(profile, wanted, &known, error), &known);
}

static af_report *report_startup(const af_profile *profile, const af_report_format *format,
                                 const af_report_options *options, GError **error)
{
    af_scope scope = {0};
    g_autoptr(GArray) threads = choose_scope(&scope, profile, options, error);
    if (threads == NULL) {
        return NULL;
    }
    g_autofree af_startup *startup = af_startup_new(profile, error);
    return startup == NULL ? NULL
                           : af_report_make_startup(&scope, startup, options->top, format, error);
}

af_report *af_report_new_startup(const af_profile *profile, const char *format,
                                 const af_report_options *options, GError **error)
{
    af_report_options known = AF_REPORT_OPTIONS_INIT;
    const af_report_format *wanted =
        af_report_take_options(options, format, "the start of an app", &known, error);
    return wanted == NULL
               ? NULL
               : af_report_set_page(report_startup(profile, wanted, &known, error), &known);
}

bool af_report_write(const af_report *const *reports, unsigned n, af_write_func write, void *user,
                     GError **error)
{
    for (unsigned i = 1; i < n; i++) {
        if (reports[i]->format != reports[0]->format) {
            n = 0;
        }
    }
    if (n == 0) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "give at least one report, all in the same format");
        return FALSE;
    }
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    const gboolean written = reports[0]->format->write(reports, n, out, error);
    const gboolean sent = af_out_close(out, written ? error : NULL);
    return written && sent;
}

bool af_report_write_records(const af_profile *profile, const af_report_options *options,
                             af_write_func write, void *user, GError **error)
{
    af_report_options known = AF_REPORT_OPTIONS_INIT;
    if (!af_options_take(&known, sizeof known, options, error)) {
        return FALSE;
    }
    af_report_request request = {.quirks = known.dmtracedump_quirks, .read = af_input_listen};
    g_autoptr(GArray) threads = choose_scope(&request.scope, profile, &known, error);
    if (threads == NULL) {
        return FALSE;
    }
    g_autofree af_out *out = g_new(af_out, 1);
    af_out_open(out, write, user);
    const gboolean written = af_records_write(&request, out, error);
    const gboolean sent = af_out_close(out, written ? error : NULL);
    return written && sent;
}
