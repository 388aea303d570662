/* Checks what options need to have an effect. aflame rejects an option that it would have to
 * ignore. */
#include "cli/options.h"

#include <string.h>
#include "cli/outputs.h"

const af_formats *af_options_formats(const af_options *o)
{
    return o->around.text != NULL ? o->verb->pictures : o->verb->formats;
}

gboolean af_options_write(const af_options *o, const char *format)
{
    static const char *const standard[] = {"-", NULL};
    const af_formats *formats = af_options_formats(o);
    const char *const *path = o->outputs != NULL         ? (const char *const *)o->outputs
                              : af_options_only_print(o) ? standard + 1
                                                         : standard;
    for (; formats != NULL && *path != NULL; path++) {
        if (g_strcmp0(af_format_choose(formats, *path, o->format), format) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean draws(const af_options *o)
{
    gboolean any = o->verb->bit != AF_DIFF || o->alt;
    for (unsigned i = 0; af_picture_format(i) != NULL; i++) {
        any = any || af_options_write(o, af_picture_format(i));
    }
    return any;
}

static gboolean writes_page(const af_options *o)
{
    const gboolean prints = o->verb->bit == AF_INFO ? !o->json : af_options_write(o, "text");
    return prints || o->around.text != NULL || (o->verb->bit == AF_DIFF && draws(o));
}

static gboolean writes_carrier(const af_options *o)
{
    const gboolean page = (o->verb->bit & (AF_REPORT | AF_DIFF)) != 0;
    return (page && af_options_write(o, "html")) ||
           (o->verb->bit != AF_REPORT && draws(o) && !af_options_only_print(o));
}

static gboolean writes_tables(const af_options *o)
{
    static const char *const formats[] = {"text", "json", "csv", "html"};
    gboolean any = o->verb->bit != AF_REPORT;
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        any = any || af_options_write(o, formats[i]);
    }
    return any && !o->records;
}

/* Of a comparison all but folded stacks. */
static gboolean writes_compared(const af_options *o)
{
    gboolean any = FALSE;
    for (unsigned i = 0; af_diff_format_name(i) != NULL; i++) {
        const char *format = af_diff_format_name(i);
        any = any || (strcmp(format, "folded") != 0 && af_options_write(o, format));
    }
    return any;
}

static gboolean has_tree(const af_options *o)
{
    return o->trees != NULL || o->callers_above;
}

static gboolean has_rows(const af_options *o)
{
    return o->tables != NULL || o->methods != NULL || !has_tree(o);
}

/* Single calls have the order of time. After another step the formats that can hold trees get
 * trees. */
static gboolean orders_siblings(const af_options *o)
{
    gboolean any = o->verb->bit != AF_CONVERT;
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        any = any ||
              (!af_convert_format_writes_calls(i) && af_options_write(o, af_convert_format(i)));
    }
    for (guint i = 0; i < o->steps.steps->len; i++) {
        const af_step_kind kind = g_array_index(o->steps.steps, af_step, i).kind;
        any = any || (kind != AF_STEP_SORT && kind != AF_STEP_THREADS);
    }
    return any;
}

static gboolean names_folder(const af_options *o)
{
    const char *const *const lists[] = {(const char *const *)(void *)o->settings->operands->pdata,
                                        o->before, o->after};
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        for (const char *const *path = lists[i]; path != NULL && *path != NULL; path++) {
            if (g_file_test(*path, G_FILE_TEST_IS_DIR)) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

/* On the command line, not in a file of options. */
static gboolean is_typed(const af_options *o, const char *name)
{
    const af_setting *it = af_settings_find(o->settings, name);
    return it != NULL && it->origin == NULL;
}

/* What contradicts --frames, --frame-time or --startup; NULL = nothing. */
static const char *object_to_frames(const af_options *o)
{
    if (o->frames && o->startup) {
        return "give --frames or --startup, not both";
    }
    if (o->frames && o->steps.steps->len > 0) {
        return "--frames shows frames as recorded; leave out options that reshape";
    }
    if (o->startup && o->steps.steps->len > 0) {
        return "--startup shows phases as recorded; leave out options that reshape";
    }
    if (o->startup && is_typed(o, "sort")) {
        return "--startup lists phases in order of time; leave out --sort";
    }
    if ((o->frames || o->startup) && o->verb->bit == AF_RENDER &&
        (is_typed(o, "view") || is_typed(o, "sheet"))) {
        return "--frames and --startup are pictures of their own; leave out --view and --sheet";
    }
    if ((o->frames || o->startup) && o->verb->bit == AF_REPORT &&
        af_options_write(o, "dmtracedump")) {
        return o->frames ? "--format dmtracedump has no frames"
                         : "--format dmtracedump has no phases";
    }
    if (o->frames && o->markdown) {
        return "--markdown is about a whole trace; leave out --frames";
    }
    return o->frames && af_options_have(o, "frame-time") && o->frame_time_ns <= 0
               ? "--frame-time takes a time above 0, such as 16.7ms"
               : NULL;
}

gboolean af_options_fit_frames(const af_options *o)
{
    const char *objection = object_to_frames(o);
    if (objection != NULL) {
        af_message_print(NULL, "%s", objection);
    }
    return objection == NULL;
}

gboolean af_options_write_all_clocks(const af_options *o)
{
    static const char *const formats[] = {"svg",  "png",   "pdf",      "html",
                                          "aflp", "pprof", "callgrind"};
    const unsigned others = AF_RENDER | AF_CALLS | AF_CHECK | AF_MERGE | AF_INFO | AF_EXPLAIN;
    gboolean any = (o->verb->bit & others) != 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(formats); i++) {
        any = any || af_options_write(o, formats[i]);
    }
    return any;
}

const char *af_needs_missing(const af_options *o, unsigned wanted)
{
    const gboolean chart = o->view == AF_VIEW_CHART, sandwich = o->view == AF_VIEW_SANDWICH;
    const gboolean callgraph = o->view == AF_VIEW_CALLGRAPH;
    const gboolean has_widths = !callgraph && !o->startup;
    const gboolean compares = o->verb->bit != AF_DIFF || !chart;
    const gboolean draws_call = o->around.text != NULL || o->verb->bit != AF_CALLS;
    const struct {
        unsigned need;
        gboolean is_met;
        const char *missing;
    } needs[] = {
        {AF_NEEDS_PICTURE, draws_call, "needs --around, which draws one call"},
        {AF_NEEDS_PICTURE, draws(o), "needs an output that is a picture"},
        {AF_NEEDS_PAGE, writes_page(o), "needs an output that is text or a picture"},
        {AF_NEEDS_HELP, o->help, "needs --help"},
        {AF_NEEDS_LIST, o->around.text == NULL,
         "applies to the list of calls, and --around draws one call"},
        {AF_NEEDS_CHART, chart, "needs --view chart"},
        {AF_NEEDS_GRAPH, !chart,
         "has no effect with --view chart, which draws single calls as recorded"},
        {AF_NEEDS_SANDWICH, sandwich, "needs --view sandwich"},
        {AF_NEEDS_ROOTS, !sandwich,
         "has no effect with --view sandwich, which has callers above and callees below"},
        {AF_NEEDS_MIDDLE, !sandwich || o->picture.method != NULL,
         "sandwich needs --method: the method in the middle"},
        {AF_NEEDS_CALLGRAPH, callgraph, "needs --view callgraph"},
        {AF_NEEDS_WIDTHS, has_widths,
         "has no effect with --view callgraph and --startup, which have no frames"},
        {AF_NEEDS_UNION, compares,
         "has no effect with --view chart, which draws both sides as recorded"},
        {AF_NEEDS_SCRIPT, has_widths && compares && o->view != AF_VIEW_SHEET,
         "has no effect with --sheet, --startup, --view callgraph and charts of comparisons, which "
         "have no script"},
        {AF_NEEDS_DOT, af_options_write(o, "dot"), "needs an output in the format dot"},
        {AF_NEEDS_SVG, af_options_write(o, "svg"), "needs an output that is an SVG"},
        {AF_NEEDS_CARRIER, draws_call, "needs --around, which draws one call"},
        {AF_NEEDS_CARRIER, writes_carrier(o),
         "needs an output that is a picture or an HTML report"},
        {AF_NEEDS_PNG, af_options_write(o, "png"), "needs an output that is a PNG"},
        {AF_NEEDS_GECKO, af_options_write(o, "gecko"), "needs an output in the format gecko"},
        {AF_NEEDS_FOLDED, af_options_write(o, "folded"), "needs an output of folded stacks"},
        {AF_NEEDS_CSV, af_options_write(o, "csv"), "needs an output that is CSV"},
        {AF_NEEDS_TABLES, writes_tables(o),
         "has no effect on the records of the file, which --records and --format dmtracedump show"},
        {AF_NEEDS_DMTRACEDUMP, o->records || af_options_write(o, "dmtracedump"),
         "needs --records or --format dmtracedump"},
        {AF_NEEDS_FRAMES, o->frames, "needs --frames"},
        {AF_NEEDS_METHODS, !o->frames && !o->startup,
         "has no effect with --frames and --startup, which have tables of their own"},
        {AF_NEEDS_REDACTION, o->redact, "needs --redact"},
        {AF_NEEDS_TREE, has_tree(o), "needs --tree"},
        {AF_NEEDS_FOLDER, (wanted & AF_NEEDS_FOLDER) == 0 || names_folder(o),
         "needs an input that is a folder"},
        {AF_NEEDS_BRANCHES, o->trees != NULL, "needs --tree"},
        {AF_NEEDS_COMPARED, writes_compared(o),
         "needs an output with tables; folded stacks and pictures have all paths"},
        {AF_NEEDS_SIBLINGS, orders_siblings(o), "has no effect on a format with single calls"},
        {AF_NEEDS_ROWS, has_rows(o),
         "has no effect on --tree alone, which shows the largest branches first"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(needs); i++) {
        if ((wanted & needs[i].need) != 0 && !needs[i].is_met) {
            return needs[i].missing;
        }
    }
    return NULL;
}

static void complain_of_input(const char *name, const af_option *option, const char *which)
{
    g_autofree char *list = g_strjoinv(", ", (char **)(void *)option->inputs);
    af_message_print(name, "--%s has no effect on %s, only on: %s", option->name, which, list);
}

gboolean af_options_fit_input(const af_options *o, const char *name, const af_profile *profile)
{
    const gboolean several = (o->verb->bit & (AF_DIFF | AF_CHECK | AF_MERGE)) != 0;
    const char *format = af_info_format(profile);
    for (guint i = 0; i < o->settings->list->len; i++) {
        af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        const af_option *option = it->option;
        const gboolean known =
            option->inputs == NULL || format == NULL || g_strv_contains(option->inputs, format);
        const gboolean fits =
            known && (option->fits == NULL || option->fits(profile, it->value, o));
        it->fits = it->fits || fits;
        if (it->origin != NULL || fits || several) {
            continue;
        }
        if (known) {
            af_message_print(name, "--%s has no effect: %s", option->name, option->unfit);
        } else {
            g_autofree char *which = g_strdup_printf("an input in the format %s", format);
            complain_of_input(name, option, which);
        }
        return FALSE;
    }
    return TRUE;
}

gboolean af_options_fit_inputs(const af_options *o)
{
    for (guint i = 0; i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        if (it->origin == NULL && !it->fits && it->option->inputs == NULL) {
            af_setting_complain(it, "has no effect: %s", it->option->unfit);
            return FALSE;
        }
        if (it->origin == NULL && !it->fits) {
            complain_of_input(NULL, it->option, "the format of any input");
            return FALSE;
        }
    }
    return TRUE;
}
