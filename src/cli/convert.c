#include "cli/inputs.h"
#include "cli/outputs.h"
#include "cli/steps.h"

typedef struct {
    char **outputs;
    char *format, *clock;
    af_convert_options options;
    af_steps steps;
} request;

typedef struct {
    const af_profile *profile;
    const af_convert_options *options;
} writing;

static gboolean write_target(void *user, const af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const writing *w = user;
    return af_convert_write(w->profile, target->format, w->options, write, to, error);
}

static gboolean is_never_binary(unsigned number)
{
    (void)number;
    return FALSE;
}

static const af_formats formats = {
    af_convert_format,
    af_convert_format_extension,
    is_never_binary,
};

/* The names in folded stacks are those of AF_NAMES_CLASS, the default, and of no other style. */
static af_exit convert_input(const request *r, const af_common *common, const af_input *input,
                             const GPtrArray *targets)
{
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.clock = r->options.clock;
    af_exit status = AF_EXIT_DONE;
    af_profile *profile = af_input_open(input, &open, common, &status);
    if (profile == NULL) {
        return status;
    }
    if (!af_input_accept(input, profile, common)) {
        af_profile_free(profile);
        return AF_EXIT_DAMAGED;
    }
    profile = af_steps_apply(&r->steps, input, profile, common, &status);
    if (profile != NULL) {
        writing w = {profile, &r->options};
        status = af_targets_write(targets, input->name, write_target, &w);
        af_profile_free(profile);
    }
    return status;
}

static af_exit convert(request *r, const af_common *common, const GPtrArray *inputs)
{
    char *standard[] = {(char *)"-", NULL};
    if (inputs->len > 1) {
        af_message_say(NULL, "convert takes one trace, not %u", inputs->len);
        return AF_EXIT_USAGE;
    }
    GPtrArray *targets =
        af_targets_choose(&formats, r->outputs != NULL ? r->outputs : standard, r->format);
    if (targets == NULL) {
        return AF_EXIT_USAGE;
    }
    af_exit status = AF_EXIT_USAGE;
    gboolean safe = TRUE;
    for (unsigned i = 0; safe && i < targets->len; i++) {
        safe = !af_inputs_overwritten(inputs, ((af_target *)targets->pdata[i])->path);
    }
    if (safe) {
        status = convert_input(r, common, inputs->pdata[0], targets);
    }
    g_ptr_array_unref(targets);
    return status;
}

static af_exit run_convert(int argc, char **argv)
{
    request r = {.options = AF_CONVERT_OPTIONS_INIT};
    char *known = af_formats_list(&formats);
    char *format_help = g_strdup_printf("One of %s, whatever FILE is called", known);
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &r.outputs,
         "Write FILE (default: standard output)", "FILE"},
        {"format", 0, 0, G_OPTION_ARG_FILENAME, &r.format, format_help, "NAME"},
        {"clock", 'c', 0, G_OPTION_ARG_FILENAME, &r.clock, "Count wall, cpu or wait time", "NAME"},
        {"any-size", 0, 0, G_OPTION_ARG_NONE, &r.options.any_size,
         "Write more than 16 GB, which deep recursions make", NULL},
        G_OPTION_ENTRY_NULL,
    };
    af_common common;
    af_exit status = AF_EXIT_USAGE;
    af_steps_init(&r.steps);
    af_options_result parsed =
        af_options_parse_with(&af_verb_convert, entries, af_steps_group(&r.steps, NULL),
                              af_steps_entries(), argc, argv, &common);
    if (parsed == AF_OPTIONS_HELPED) {
        status = AF_EXIT_DONE;
    } else if (parsed == AF_OPTIONS_GO_ON && af_options_clock(r.clock, &r.options.clock)) {
        af_steps_finish(&r.steps, r.options.clock);
        r.options.threads = (const char *const *)(void *)r.steps.threads;
        GPtrArray *inputs = af_inputs_group(&af_verb_convert, &common);
        if (inputs != NULL) {
            status = convert(&r, &common, inputs);
            g_ptr_array_unref(inputs);
        }
    }
    af_options_free(&common);
    g_strfreev(r.outputs);
    af_steps_clear(&r.steps);
    g_free(r.format);
    g_free(r.clock);
    g_free(format_help);
    g_free(known);
    return status;
}

const af_verb af_verb_convert = {
    "convert",
    "TRACE",
    "write a trace for other tools: folded stacks",
    "Writes a trace in the format of other tools. folded: a line for each stack with\n"
    "its own time in microseconds, for flamegraph.pl, inferno and speedscope.",
    "Examples:\n"
    "  aflame convert app.trace -o app.folded\n"
    "  aflame convert app.trace --thread main --clock cpu | flamegraph.pl > app.svg",
    run_convert,
};
