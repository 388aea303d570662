#include "cli/drawing.h"
#include "cli/reports.h"
#include "cli/steps.h"

#include <string.h>

typedef struct {
    char **outputs;
    char *format, *clock, *names, *sort, *top, *around;
    const char *pattern; /* an operand */
    gboolean longest;    /* draw that one */
    uint64_t number;     /* the call to draw; 0 = list them */
    af_open_options open;
    af_report_options options;
    af_call_list_options list;
    af_steps steps;
    af_drawing drawing;
} request;

/* The formats of reports that need no records: number i is that of them. */
static unsigned find_format(unsigned i)
{
    unsigned f = 0;
    for (; af_report_format_name(f) != NULL; f++) {
        if (!af_report_format_needs_input(f) && i-- == 0) {
            break;
        }
    }
    return f;
}

static const char *name_format(unsigned i)
{
    return af_report_format_name(find_format(i));
}

static const char *extension_of_format(unsigned i)
{
    return af_report_format_extension(find_format(i));
}

static gboolean is_never_binary(unsigned number)
{
    (void)number;
    return FALSE;
}

static const af_formats list_formats = {
    .name = name_format, .extensions = extension_of_format, .is_binary = is_never_binary};

/* ---- opening ---- */

/* The profile of an input, to be walked again. NULL with *status set. */
static af_profile *open_input(const request *r, const af_common *common, const af_input *input,
                              af_exit *status)
{
    af_open_options open = r->open;
    open.keep_input = TRUE;
    return af_input_take(input, &open, common, status);
}

/* NULL with *status set. */
static af_call_list *find_calls(const request *r, const af_input *input, const af_profile *profile,
                                af_exit *status)
{
    GError *error = NULL;
    af_call_list *list = af_call_list_new(profile, r->pattern, &r->list, &error);
    if (list == NULL) {
        *status = af_message_fail(input->name, error);
        g_error_free(error);
    }
    return list;
}

/* ---- listing ---- */

static af_report *make_report(const void *list, const char *format,
                              const af_report_options *options, GError **error)
{
    return af_report_new_calls(list, format, options, error);
}

static af_exit list_input(const request *r, const af_common *common, const af_input *input,
                          const af_reports *reports)
{
    af_exit status = AF_EXIT_DONE;
    af_profile *profile = open_input(r, common, input, &status);
    af_call_list *list = profile == NULL ? NULL : find_calls(r, input, profile, &status);
    if (list != NULL) {
        status = af_reports_add(reports, input, &r->options, r->top != NULL, make_report, list);
    }
    af_call_list_free(list);
    af_profile_free(profile);
    return status;
}

static af_exit list_all(const request *r, const af_common *common, const GPtrArray *inputs,
                        const GPtrArray *targets)
{
    af_reports reports;
    af_exit worst = AF_EXIT_DONE;
    af_reports_init(&reports, targets);
    for (unsigned i = 0; i < inputs->len; i++) {
        const af_exit status = list_input(r, common, inputs->pdata[i], &reports);
        worst = MAX(worst, status);
    }
    const af_exit status = af_reports_write(&reports, inputs);
    af_reports_clear(&reports);
    return MAX(worst, status);
}

/* ---- drawing one ---- */

/* 0 with *status set. */
static uint64_t choose_call(const request *r, const af_input *input, const af_profile *profile,
                            af_exit *status)
{
    if (!r->longest) {
        return r->number;
    }
    af_call_list *list = find_calls(r, input, profile, status);
    const uint64_t number = list == NULL ? 0 : af_call_list_longest(list);
    af_call_list_free(list);
    return number;
}

/* Without -o: "app-call-14.svg" in the current directory. */
static GPtrArray *choose_targets(const request *r, const af_input *input)
{
    if (r->outputs != NULL) {
        return af_targets_choose(&af_drawing_formats, r->outputs, r->format);
    }
    char *stem = af_input_stem(input);
    char *name = g_strdup_printf("%s-call-%s.%s", stem, r->around,
                                 r->format != NULL ? r->format : af_picture_format(0));
    char *paths[] = {name, NULL};
    GPtrArray *targets = af_targets_choose(&af_drawing_formats, paths, r->format);
    g_free(name);
    g_free(stem);
    return targets;
}

static af_exit draw_call(const request *r, const af_common *common, const af_input *input,
                         const GPtrArray *targets)
{
    af_exit status = AF_EXIT_DONE;
    af_profile *profile = open_input(r, common, input, &status), *made = NULL;
    const uint64_t number = profile == NULL ? 0 : choose_call(r, input, profile, &status);
    if (number > 0) {
        GError *error = NULL;
        made = af_profile_around(profile, r->pattern, number, &r->list, &error);
        if (made == NULL) {
            status = af_message_fail(input->name, error);
            g_error_free(error);
        }
    }
    if (made != NULL) {
        status = af_drawing_write(&r->drawing, targets, input, made, common);
    }
    if (made != NULL && status == AF_EXIT_DONE && !common->quiet && r->outputs == NULL) {
        af_message_print(input->name, "call %" G_GUINT64_FORMAT " drawn as %s", number,
                         ((const af_target *)targets->pdata[0])->path);
    }
    af_profile_free(made);
    af_profile_free(profile);
    return status;
}

/* ---- the verb ---- */

static gboolean check_request(const request *r, const GPtrArray *inputs)
{
    if (r->around == NULL && af_drawing_is_wanted(&r->drawing)) {
        af_message_print(NULL, "options of pictures are for --around N, which draws one call");
        return FALSE;
    }
    if (r->around != NULL && (r->sort != NULL || r->top != NULL)) {
        af_message_print(NULL, "--around draws one call; --sort and --top are for the list");
        return FALSE;
    }
    if (r->around != NULL && inputs->len > 1) {
        af_message_print(NULL, "--around draws a call of one trace, not of %u", inputs->len);
        return FALSE;
    }
    return TRUE;
}

static af_exit run_request(const request *r, const af_common *common, const GPtrArray *inputs)
{
    char *standard[] = {(char *)"-", NULL};
    if (!check_request(r, inputs)) {
        return AF_EXIT_USAGE;
    }
    GPtrArray *targets =
        r->around != NULL
            ? choose_targets(r, inputs->pdata[0])
            : af_targets_choose(&list_formats, r->outputs != NULL ? r->outputs : standard,
                                r->format);
    if (targets == NULL) {
        return AF_EXIT_USAGE;
    }
    gboolean safe = TRUE;
    for (unsigned i = 0; safe && i < targets->len; i++) {
        safe = !af_inputs_overwritten(inputs, ((af_target *)targets->pdata[i])->path);
    }
    af_exit status = AF_EXIT_USAGE;
    if (safe) {
        status = r->around != NULL ? draw_call(r, common, inputs->pdata[0], targets)
                                   : list_all(r, common, inputs, targets);
    }
    g_ptr_array_unref(targets);
    return status;
}

/* The last operand is the pattern. */
static gboolean take_pattern(request *r, af_common *common)
{
    const guint n = g_strv_length(common->operands);
    if (n < 2) {
        af_message_print(NULL, "name a trace, or - for standard input, and a method: aflame %s %s",
                         af_verb_calls.name, af_verb_calls.operands);
        return FALSE;
    }
    const char *first = common->operands[0], *last = common->operands[n - 1];
    if (strcmp(first, "-") != 0 && !g_file_test(first, G_FILE_TEST_EXISTS) &&
        g_file_test(last, G_FILE_TEST_IS_REGULAR)) {
        af_message_print(NULL,
                         "there is no file \"%s\"; the method comes behind the trace: aflame %s %s",
                         first, af_verb_calls.name, af_verb_calls.operands);
        return FALSE;
    }
    r->pattern = last;
    return TRUE;
}

/* The traces alone are inputs. */
static GPtrArray *group_inputs(const af_common *common)
{
    const guint n = g_strv_length(common->operands);
    af_common traces = *common;
    traces.operands = g_memdup2(common->operands, n * sizeof *common->operands);
    traces.operands[n - 1] = NULL;
    GPtrArray *inputs = af_inputs_group(&af_verb_calls, &traces);
    g_free(traces.operands);
    return inputs;
}

static gboolean read_around(request *r)
{
    guint64 number = 0;
    r->longest = g_strcmp0(r->around, "longest") == 0;
    if (r->around != NULL && !r->longest &&
        !g_ascii_string_to_unsigned(r->around, 10, 1, G_MAXUINT64, &number, NULL)) {
        af_options_complain("--around", "takes the number of a call, or longest, not \"%s\"",
                            r->around);
        return FALSE;
    }
    r->number = number;
    return TRUE;
}

static gboolean read_request(request *r)
{
    static const char *const styles[] = {"class", "short", "full", NULL};
    int names = AF_NAMES_CLASS;
    if (!af_options_clock(r->clock, &r->list.clock) ||
        !af_options_word("--names", r->names, styles, &names) ||
        !af_reports_read_top(r->top, &r->options.top) || !read_around(r) ||
        !af_drawing_read(&r->drawing)) {
        return FALSE;
    }
    r->open.names = (af_names)names;
    r->open.clock = r->list.clock;
    r->options.sort = r->sort;
    r->drawing.picture.clock = r->list.clock;
    af_steps_finish(&r->steps, r->list.clock);
    r->list.steps = (const af_step *)(void *)r->steps.steps->data;
    r->list.n_steps = r->steps.steps->len;
    r->list.threads = (const char *const *)(void *)r->steps.threads;
    return TRUE;
}

static void free_request(request *r)
{
    char *const strings[] = {r->format, r->clock, r->names, r->sort, r->top, r->around};
    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        g_free(strings[i]);
    }
    g_strfreev(r->outputs);
    af_steps_clear(&r->steps);
    af_drawing_clear(&r->drawing);
}

static af_exit run_calls(int argc, char **argv)
{
    request r = {.open = AF_OPEN_OPTIONS_INIT,
                 .options = AF_REPORT_OPTIONS_INIT,
                 .list = AF_CALL_LIST_OPTIONS_INIT};
    char *lists = af_formats_list(&list_formats), *pictures = af_formats_list(&af_drawing_formats);
    char *format_help = g_strdup_printf("One of %s; %s", lists, pictures);
    const GOptionArg text = G_OPTION_ARG_FILENAME, list = G_OPTION_ARG_FILENAME_ARRAY;
    const GOptionEntry own[] = {
        {"output", 'o', 0, list, &r.outputs, "Write FILE (default: standard output); repeatable",
         "FILE"},
        {"format", 0, 0, text, &r.format, format_help, "NAME"},
        {"sort", 0, 0, text, &r.sort, "Sort by start, wall, self, cpu, wait, depth, ...", "COLUMN"},
        {"top", 0, 0, text, &r.top, "Show N calls, 0 = all (text: a screen; html: 5000)", "N"},
        {"clock", 'c', 0, text, &r.clock, "Only wall, cpu or wait time (all)", "NAME"},
        {"names", 0, 0, text, &r.names, "short, class or full method names (class)", "STYLE"},
        {"around", 0, 0, text, &r.around, "Draw call N, or the longest; then also:", "N"},
    };
    GOptionEntry entries[G_N_ELEMENTS(own) + AF_DRAWING_OPTIONS + 1] = {0};
    af_common common;
    af_exit status = AF_EXIT_USAGE;
    memcpy(entries, own, sizeof own);
    af_drawing_init(&r.drawing);
    af_drawing_list(&r.drawing, entries + G_N_ELEMENTS(own));
    af_steps_init(&r.steps);
    af_options_result parsed =
        af_options_parse_with(&af_verb_calls, entries, af_steps_group(&r.steps, "sort"),
                              af_steps_entries(), argc, argv, &common);
    if (parsed == AF_OPTIONS_HELPED) {
        status = AF_EXIT_DONE;
    } else if (parsed == AF_OPTIONS_GO_ON && take_pattern(&r, &common) && read_request(&r)) {
        GPtrArray *inputs = group_inputs(&common);
        status = run_request(&r, &common, inputs);
        g_ptr_array_unref(inputs);
    }
    af_options_free(&common);
    free_request(&r);
    g_free(format_help);
    g_free(lists);
    g_free(pictures);
    return status;
}

const af_verb af_verb_calls = {
    "calls",
    "TRACE... PATTERN",
    "list every single call of a method",
    "Lists the calls of all methods that PATTERN matches, one by one, the longest\n"
    "first, with their median and a histogram; --around draws one of them.",
    "Examples:\n"
    "  aflame calls app.trace onBindViewHolder\n"
    "  aflame calls app.trace =android.view.View.layout --sort start --top 0\n"
    "  aflame calls app.trace onBind --thread main --clock cpu -o calls.csv\n"
    "  aflame calls app.trace onBind --around longest -o slow.svg",
    run_calls,
};
