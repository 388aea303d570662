#include "cli/inputs.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/steps.h"

#include <limits.h>
#include <string.h>

typedef struct {
    char **outputs;
    char *format, *clock, *remove_gaps;
    gboolean list;
    af_convert_options options;
    af_steps steps;
} request;

typedef struct {
    const af_profile *profile;
    const af_convert_options *options;
    const char *input_name;
    gboolean quiet;
} writing;

static gboolean write_target(void *user, const af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const writing *w = user;
    af_convert_options options = *w->options;
    af_progress progress;
    options.gzip = target->packed;
    if (af_progress_begin(&progress, w->input_name, w->quiet)) {
        options.progress = af_progress_show;
        options.progress_user = &progress;
    }
    GPtrArray *notes = options.notes = g_ptr_array_new_with_free_func(g_free);
    const gboolean ok = af_convert_write(w->profile, target->format, &options, write, to, error);
    af_progress_end(&progress);
    if (ok && !w->quiet) {
        af_message_details(w->input_name, notes);
    }
    g_ptr_array_unref(notes);
    return ok;
}

static const af_formats formats = {
    .name = af_convert_format,
    .extensions = af_convert_format_extensions,
    .is_binary = af_convert_format_is_binary,
    .packs = TRUE,
};

static unsigned find_number(const char *format)
{
    unsigned number = 0;
    while (strcmp(af_convert_format(number), format) != 0) {
        number++;
    }
    return number;
}

/* Whether any of the targets tells single calls. */
static gboolean need_input(const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        if (af_convert_format_writes_calls(find_number(target->format))) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The names are those of AF_NAMES_CLASS, the default, and of no other style. */
static af_exit convert_input(const request *r, const af_common *common, const af_input *input,
                             const GPtrArray *targets)
{
    af_open_options open = AF_OPEN_OPTIONS_INIT;
    open.clock = r->options.clock;
    open.keep_input = need_input(targets);
    af_exit status = AF_EXIT_DONE;
    af_profile *profile = af_steps_open(&r->steps, input, &open, common, &status);
    if (profile != NULL) {
        writing w = {profile, &r->options, input->name, common->quiet};
        status = af_targets_write(targets, input->name, write_target, &w);
        af_profile_free(profile);
    }
    return status;
}

static af_exit print_formats(const af_common *common)
{
    if (common->operands[0] != NULL) {
        af_message_print(NULL, "--list takes no trace: the formats are the same for all");
        return AF_EXIT_USAGE;
    }
    GString *text = g_string_new("Inputs, known by what they hold and not by their names:\n");
    for (unsigned i = 0; af_input_format(i) != NULL; i++) {
        g_string_append_printf(text, "  %-13s %s\n", af_input_format(i), af_input_format_title(i));
    }
    g_string_append(text, "\nOutputs, chosen by the name of the file or by --format:\n");
    for (unsigned i = 0; af_convert_format(i) != NULL; i++) {
        const char *extensions = af_convert_format_extensions(i);
        g_string_append_printf(text, "  %-13s *.%-16.*s %s\n", af_convert_format(i),
                               (int)strcspn(extensions, " "), extensions,
                               af_convert_format_title(i));
    }
    const af_exit status = af_output_print(text->str);
    g_string_free(text, TRUE);
    return status;
}

static af_exit convert(request *r, const af_common *common, GPtrArray *inputs)
{
    char *standard[] = {(char *)"-", NULL};
    af_inputs_join(inputs);
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

/* Leaves *gaps alone where there is no text. */
static gboolean read_gaps(const char *text, unsigned *gaps)
{
    guint64 value;
    if (text == NULL) {
        return TRUE;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, UINT_MAX, &value, NULL)) {
        af_options_complain("--remove-gaps", "takes a number, not \"%s\"", text);
        return FALSE;
    }
    *gaps = (unsigned)value;
    return TRUE;
}

static af_exit run_convert(int argc, char **argv)
{
    request r = {.options = AF_CONVERT_OPTIONS_INIT};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &r.outputs,
         "Write FILE (default: standard output)", "FILE"},
        {"format", 0, 0, G_OPTION_ARG_FILENAME, &r.format,
         "One of those of --list, whatever FILE is called", "NAME"},
        {"clock", 'c', 0, G_OPTION_ARG_FILENAME, &r.clock, "Count wall, cpu or wait time", "NAME"},
        {"any-size", 0, 0, G_OPTION_ARG_NONE, &r.options.any_size,
         "Write more than 16 GB, which deep recursions make", NULL},
        {"remove-gaps", 0, 0, G_OPTION_ARG_FILENAME, &r.remove_gaps,
         "gecko: no runs of up to N broken stacks (3)", "N"},
        {"list", 'l', 0, G_OPTION_ARG_NONE, &r.list, "Name the formats that are read and written",
         NULL},
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
    } else if (parsed == AF_OPTIONS_GO_ON && r.list) {
        status = print_formats(&common);
    } else if (parsed == AF_OPTIONS_GO_ON && af_options_clock(r.clock, &r.options.clock) &&
               read_gaps(r.remove_gaps, &r.options.remove_gaps)) {
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
    g_free(r.remove_gaps);
    return status;
}

const af_verb af_verb_convert = {
    "convert",
    "TRACE...",
    "write a trace for other tools",
    "Writes a trace in the format of other tools, which --list names. The name of\n"
    "FILE decides: x.folded, x.json, ...; with .gz behind it it is packed. Several\n"
    "files of folded stacks are added up.",
    "Examples:\n"
    "  aflame convert app.trace -o app.folded\n"
    "  aflame convert app.trace -o app.json.gz\n"
    "  aflame convert app.trace --thread main --clock cpu | flamegraph.pl > app.svg",
    run_convert,
};
