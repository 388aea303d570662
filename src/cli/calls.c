#include "api/autoptr.h"
#include "cli/drawing.h"
#include "cli/reports.h"
#include "cli/steps.h"

#include <string.h>

typedef struct {
    const af_options *options;
    const char *pattern; /* an operand */
    af_call_list_options list;
} request;

/* The formats that need records are the last ones. */
static const char *name_format(unsigned i)
{
    return af_report_format_needs_input(i) ? NULL : af_report_format_name(i);
}

static const af_formats list_formats = {
    .name = name_format,
    .extensions = af_report_format_extension,
};

/* NULL with *status set. */
static af_call_list *find_calls(const request *r, const af_input *input, const af_profile *profile,
                                af_exit *status)
{
    GError *error = NULL;
    af_call_list *list = af_call_list_new(profile, r->pattern, &r->list, &error);
    if (list == NULL) {
        *status = af_message_fail(input->name, error);
    }
    return list;
}

static af_report *make_report(const void *list, const char *format,
                              const af_report_options *options, GError **error)
{
    return af_report_new_calls(list, format, options, error);
}

static af_exit list_input(const request *r, af_input *input, const af_reports *reports)
{
    af_exit status = AF_EXIT_DONE;
    g_autoptr(af_profile) profile = af_input_read(input, r->options, TRUE, &status);
    g_autoptr(af_call_list) list = profile == NULL ? NULL : find_calls(r, input, profile, &status);
    if (list != NULL) {
        status = af_reports_add(reports, input, make_report, list, input->name);
    }
    return status;
}

static af_exit list_all(const request *r, const GPtrArray *inputs, const GPtrArray *targets)
{
    af_reports reports;
    af_exit worst = AF_EXIT_DONE;
    af_reports_init(&reports, r->options, targets);
    for (unsigned i = 0; i < inputs->len; i++) {
        const af_exit status = list_input(r, inputs->pdata[i], &reports);
        worst = MAX(worst, status);
    }
    const af_exit status = af_reports_write(&reports, inputs);
    af_reports_clear(&reports);
    return MAX(worst, status);
}

/* 0 with *status set. */
static uint64_t choose_call(const request *r, const af_input *input, const af_profile *profile,
                            af_exit *status)
{
    if (!r->options->around.longest) {
        return r->options->around.number;
    }
    g_autoptr(af_call_list) list = find_calls(r, input, profile, status);
    return list == NULL ? 0 : af_call_list_longest(list);
}

/* Without -o: "app-call-14.svg" in the current directory. */
static GPtrArray *choose_targets(const af_options *o, const af_input *input)
{
    if (o->outputs != NULL) {
        return af_targets_choose(&af_drawing_formats, o->outputs, o->format);
    }
    g_autofree char *stem = af_input_stem(input);
    g_autofree char *name = g_strdup_printf("%s-call-%s.%s", stem, o->around.text,
                                            o->format != NULL ? o->format : af_picture_format(0));
    const char *const paths[] = {name, NULL};
    return af_targets_choose(&af_drawing_formats, paths, o->format);
}

static af_exit draw_call(const request *r, af_input *input, const GPtrArray *targets)
{
    const af_options *o = r->options;
    af_exit status = AF_EXIT_DONE;
    g_autoptr(af_profile) profile = af_input_read(input, o, TRUE, &status), made = NULL;
    const uint64_t number = profile == NULL ? 0 : choose_call(r, input, profile, &status);
    if (number > 0) {
        GError *error = NULL;
        made = af_profile_extract_call(profile, r->pattern, number, &r->list, &error);
        if (made == NULL) {
            status = af_message_fail(input->name, error);
        }
    }
    if (made != NULL) {
        status = af_drawing_write(o, targets, input, made);
    }
    if (made != NULL && status == AF_EXIT_DONE && !o->quiet && o->outputs == NULL) {
        af_message_print(input->name, "call %" G_GUINT64_FORMAT " drawn as %s", number,
                         ((const af_target *)targets->pdata[0])->path);
    }
    return status;
}

static gboolean names_picture(const af_options *o)
{
    const char *const standard[] = {"-", NULL};
    const char *const *path = o->outputs != NULL ? (const char *const *)o->outputs : standard;
    while (*path != NULL && (af_format_choose(&list_formats, *path, o->format) != NULL ||
                             af_format_choose(&af_drawing_formats, *path, o->format) == NULL)) {
        path++;
    }
    return *path != NULL;
}

static af_exit run_request(const request *r, const GPtrArray *inputs)
{
    const af_options *o = r->options;
    const gboolean draws = o->around.text != NULL;
    if (draws && inputs->len > 1) {
        af_message_print(NULL, "--around draws a call of one trace, not of %u", inputs->len);
        return AF_EXIT_USAGE;
    }
    if (!draws && names_picture(o)) {
        af_message_print(NULL, "a picture shows one call: give its number in the list, --around N, "
                               "or --around longest");
        return AF_EXIT_USAGE;
    }
    af_exit status = AF_EXIT_USAGE;
    g_autoptr(GPtrArray) targets =
        draws ? choose_targets(o, inputs->pdata[0]) : af_targets_choose_standard(o, o->format);
    if (targets != NULL && !af_inputs_overwritten(inputs, targets) &&
        (o->outputs != NULL || !af_targets_replace_others(targets))) {
        status = draws ? draw_call(r, inputs->pdata[0], targets) : list_all(r, inputs, targets);
    }
    return status;
}

/* The last operand. If it is missing, prints so and returns NULL. */
static const char *find_pattern(const af_options *o)
{
    const guint n = g_strv_length(o->operands);
    if (n < 2) {
        af_message_print(NULL, "name a trace, or - for standard input, and a method: aflame %s %s",
                         af_verb_calls.name, af_verb_calls.operands);
        return NULL;
    }
    const char *first = o->operands[0], *last = o->operands[n - 1];
    if (strcmp(first, "-") != 0 && !g_file_test(first, G_FILE_TEST_EXISTS) &&
        g_file_test(last, G_FILE_TEST_IS_REGULAR)) {
        af_message_print(NULL, "no file \"%s\"; the method comes after the trace: aflame %s %s",
                         first, af_verb_calls.name, af_verb_calls.operands);
        return NULL;
    }
    for (guint i = 1; i + 1 < n; i++) {
        if (strcmp(o->operands[i], "-") != 0 && !g_file_test(o->operands[i], G_FILE_TEST_EXISTS)) {
            af_message_print(NULL,
                             "no file \"%s\"; several methods are one pattern: aflame calls %s "
                             "'/%s|%s/'",
                             o->operands[i], first, o->operands[i], last);
            return NULL;
        }
    }
    return last;
}

/* The operands without the pattern. */
static GPtrArray *group_inputs(const af_options *o)
{
    const guint n = g_strv_length(o->operands);
    af_options traces = *o;
    traces.operands = g_memdup2(o->operands, n * sizeof *o->operands);
    traces.operands[n - 1] = NULL;
    GPtrArray *inputs = af_inputs_group(&traces);
    g_free(traces.operands);
    return inputs;
}

static af_exit run_calls(const af_options *o)
{
    request r = {.options = o, .pattern = find_pattern(o), .list = AF_CALL_LIST_OPTIONS_INIT};
    if (r.pattern == NULL) {
        return AF_EXIT_USAGE;
    }
    r.list.clock = (af_clock)o->clock;
    r.list.steps = (const af_step *)(void *)o->steps.steps->data;
    r.list.n_steps = o->steps.steps->len;
    r.list.threads = (const char *const *)o->steps.threads;
    g_autoptr(GPtrArray) inputs = group_inputs(o);
    return run_request(&r, inputs);
}

const af_verb af_verb_calls = {
    .name = "calls",
    .bit = AF_CALLS,
    .operands = "TRACE... PATTERN",
    .title = "list every single call of a method",
    .about = "Lists the calls of all methods that PATTERN matches, one by one, the longest\n"
             "first, with their median and a histogram; --around draws one of them.",
    .examples = "Examples:\n"
                "  aflame calls app.trace onBindViewHolder\n"
                "  aflame calls app.trace =android.view.View.layout --sort start --top 0\n"
                "  aflame calls app.trace onBind --thread main --clock cpu -o calls.csv\n"
                "  aflame calls app.trace onBind --around longest -o slow.svg",
    .formats = &list_formats,
    .pictures = &af_drawing_formats,
    .run = run_calls,
};
