#include "api/command.h"
#include "cli/growth.h"
#include "cli/reports.h"
#include "cli/steps.h"

#include <string.h>
#include <unistd.h>

static const af_formats formats = {
    .name = af_report_format_name,
    .extensions = af_report_format_extension,
};

/* Whether any of the targets is made from the records. */
static gboolean need_input(const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        if (af_report_format_needs_input(
                (unsigned)af_named_find(af_report_format_name, target->format))) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A page with all tables begins with the graph, which is most of the size of the page. */
#define GRAPH_DATA 36000

static GString *draw_graph(const af_profile *profile, const af_report_options *report,
                           GError **error)
{
    g_autofree char *name = g_path_get_basename(report->input_name);
    af_picture_options options = AF_PICTURE_OPTIONS_INIT;
    options.threads = report->threads;
    options.clock = report->clock;
    options.input_name = name;
    options.data_budget = GRAPH_DATA;
    options.data = report->data;
    options.no_profile = TRUE; /* the page carries it */
    g_autoptr(GString) svg = g_string_new(NULL);
    return af_picture_write(profile, "svg", &options, af_output_append, svg, NULL, error)
               ? g_steal_pointer(&svg)
               : NULL;
}

/* The commands of findings have no folders: pages are sent on. */
static af_explanation *explain(const af_profile *profile, const af_report_options *report,
                               GError **error)
{
    g_autofree char *name = g_path_get_basename(report->input_name);
    af_explain_options options = AF_EXPLAIN_OPTIONS_INIT;
    options.input_name = name;
    return af_explanation_new(profile, &options, error);
}

static af_report *make_report(const void *profile, const char *format,
                              const af_report_options *options, GError **error)
{
    if (strcmp(format, "html") != 0 || options->tables != NULL || options->methods != NULL) {
        return af_report_new(profile, format, options, error);
    }
    GError *why = NULL;
    af_explanation *explanation = explain(profile, options, &why);
    /* trees that are upside down have no findings */
    const gboolean ok = explanation != NULL || g_error_matches(why, AF_ERROR, AF_ERROR_USAGE);
    if (!ok) {
        g_propagate_error(error, why);
        return NULL;
    }
    g_clear_error(&why);
    g_autoptr(GString) svg = draw_graph(profile, options, error);
    if (svg == NULL) {
        af_explanation_free(explanation);
        return NULL;
    }
    af_report_options with_graph = *options;
    with_graph.explanation = explanation;
    with_graph.picture = svg->str;
    with_graph.picture_size = svg->len;
    af_report *report = af_report_new(profile, format, &with_graph, error);
    af_explanation_free(explanation);
    return report;
}

static af_report *make_frames(const void *profile, const char *format,
                              const af_report_options *options, GError **error)
{
    return af_report_new_frames(profile, format, options, error);
}

static af_report *make_startup(const void *profile, const char *format,
                               const af_report_options *options, GError **error)
{
    return af_report_new_startup(profile, format, options, error);
}

static af_exit write_growth(const af_options *o, const af_input *input, const GPtrArray *targets,
                            gboolean several)
{
    if (several) {
        af_message_print(input->name, "the growth between two dumps of a heap is a report of its "
                                      "own; run aflame once for each trace");
        return AF_EXIT_USAGE;
    }
    return af_growth_write(o, input, targets);
}

static af_exit report_input(const af_options *o, af_input *input, const af_reports *reports,
                            gboolean several)
{
    af_exit status = AF_EXIT_DONE;
    const gboolean keep =
        o->frames || o->startup || need_input(reports->targets) || af_options_write(o, "html");
    af_profile *profile = af_steps_open(o, input, keep, &status);
    if (profile != NULL) {
        status = af_reports_add(reports, input,
                                o->frames    ? make_frames
                                : o->startup ? make_startup
                                             : make_report,
                                profile, af_input_shown(input, profile));
        af_profile_free(profile);
    } else if (status == AF_EXIT_DONE && (o->frames || o->startup)) {
        af_message_print(input->name, "dumps of a heap have no %s", o->frames ? "frames" : "start");
        status = AF_EXIT_USAGE;
    } else if (status == AF_EXIT_DONE) {
        status = write_growth(o, input, reports->targets, several);
    }
    return status;
}

/* Reports every readable input, even if others fail. */
static af_exit report_all(const af_options *o, const GPtrArray *inputs, const GPtrArray *targets)
{
    af_reports reports;
    af_exit worst = AF_EXIT_DONE;
    af_reports_init(&reports, o, targets);
    for (unsigned i = 0; i < inputs->len; i++) {
        const af_exit status = report_input(o, inputs->pdata[i], &reports, inputs->len > 1);
        worst = MAX(worst, status);
    }
    const af_exit status = af_reports_write(&reports, inputs);
    af_reports_clear(&reports);
    return MAX(worst, status);
}

typedef struct {
    const af_profile *profile;
    const af_report_options *options;
} printing;

static gboolean print_records(void *user, af_target *target, af_write_func write, void *to,
                              GError **error)
{
    const printing *p = user;
    return af_report_write_records(p->profile, p->options, write, to, error);
}

static gboolean check_records(const af_options *o, const GPtrArray *inputs)
{
    if (o->records && inputs->len > 1) {
        af_message_print(NULL, "--records takes one trace, not %u", inputs->len);
        return FALSE;
    }
    if (o->records && o->format != NULL) {
        af_message_print(NULL, "--records lists the records of the file; leave out --format");
        return FALSE;
    }
    for (guint i = 0; o->records && o->outputs != NULL && o->outputs[i] != NULL; i++) {
        const char *named = af_format_choose(&formats, o->outputs[i], NULL);
        if (named != NULL && strcmp(named, af_report_format_name(0)) != 0) {
            af_message_print(o->outputs[i], "--records lists text; name the file *.txt");
            return FALSE;
        }
    }
    return TRUE;
}

/* dmtracedump's format does not use call trees; other outputs of the same run may. */
static gboolean check_steps(const af_options *o, const GPtrArray *targets)
{
    if (o->steps.steps->len == 0 || !need_input(targets)) {
        return TRUE;
    }
    af_message_print(NULL, "--format dmtracedump summarises the records of the file; --thread is "
                           "the only reshaping option that it supports");
    return FALSE;
}

static gboolean check_trees(const af_options *o)
{
    if (o->callers_above && o->trees != NULL && g_strv_contains(o->trees, "down")) {
        af_message_print(NULL, "--invert-callers is --tree up and contradicts --tree down; to get "
                               "both trees, give --tree down --tree up");
        return FALSE;
    }
    return TRUE;
}

/* Such names are unescaped bytes of the file, which could control the terminal. */
static gboolean writes_raw_names_to_terminal(const af_options *o, const GPtrArray *targets)
{
    gboolean any = FALSE;
    for (guint i = 0; i < targets->len && o->report.dmtracedump_quirks; i++) {
        any = any || strcmp(((const af_target *)targets->pdata[i])->path, "-") == 0;
    }
    return any && isatty(1);
}

static af_exit report(const af_options *o, const GPtrArray *inputs, const GPtrArray *targets)
{
    if (writes_raw_names_to_terminal(o, targets)) {
        af_message_print(NULL, "--quirks prints unescaped bytes of the file, which are unsafe on a "
                               "terminal; give -o FILE or a pipe");
        return AF_EXIT_USAGE;
    }
    if (o->records) {
        /* Records are written while they are read, so only one trace can be listed. */
        af_input *input = inputs->pdata[0];
        af_exit status = AF_EXIT_DONE;
        af_profile *profile = af_input_read(input, o, TRUE, &status);
        if (profile != NULL) {
            printing p = {profile, &o->report};
            status = af_targets_write(targets, input->name, print_records, &p);
            af_profile_free(profile);
        } else if (status == AF_EXIT_DONE) {
            status = af_growth_write(o, input, targets); /* which has no records: an error */
        }
        return status;
    }
    g_autoptr(GPtrArray) tables = af_reports_list_tables(o);
    af_options with_tables = *o;
    with_tables.report.frame_time_ns = (uint64_t)o->frame_time_ns;
    with_tables.report.tables = tables->len > 1 ? (const char *const *)(void *)tables->pdata : NULL;
    return report_all(&with_tables, inputs, targets);
}

static af_exit run_report(const af_options *o)
{
    g_autoptr(GPtrArray) inputs = af_inputs_group(o);
    if (inputs == NULL) {
        return AF_EXIT_USAGE;
    }
    af_exit status = AF_EXIT_USAGE;
    if (check_records(o, inputs) && check_trees(o) && af_options_fit_frames(o)) {
        g_autoptr(GPtrArray) targets =
            af_targets_choose_standard(o, o->records ? af_report_format_name(0) : o->format);
        if (targets != NULL && check_steps(o, targets) && !af_inputs_overwritten(inputs, targets)) {
            status = report(o, inputs, targets);
        }
    }
    return status;
}

const af_verb af_verb_report = {
    .name = "report",
    .bit = AF_REPORT,
    .operands = "TRACE...",
    .title = "print tables of methods, calls and times",
    .about = "Prints tables of the calls and times of a trace, by methods, threads, classes,\n"
             "packages, categories, sources (source files) or waits (what methods waited\n"
             "for). The extension of FILE decides the format.",
    .examples = "Examples:\n"
                "  aflame report app.trace\n"
                "  aflame report app.trace --thread main --clock cpu --sort inclusive --top 20\n"
                "  aflame report app.trace --method '**.onCreate'\n"
                "  aflame report app.trace --tree down --thread main\n"
                "  aflame report app.trace --frames\n"
                "  aflame report app.trace --startup\n"
                "  aflame report app.trace -o app.csv -o app.json",
    .formats = &formats,
    .run = run_report,
};
