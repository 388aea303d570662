#include "api/command.h"
#include "cli/growth.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/steps.h"

#include <string.h>

typedef struct {
    const af_profile *profile;
    const af_options *options;
    const char *input_name; /* for messages */
    const char *shown;      /* that files may show */
} writing;

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const writing *w = user;
    af_convert_options convert = w->options->convert;
    af_progress progress;
    g_autofree char *name = g_path_get_basename(w->shown);
    convert.gzip = target->packed;
    convert.input_name = name;
    if (af_progress_begin(&progress, "reading", w->input_name, w->options->quiet)) {
        convert.progress = af_progress_show;
        convert.progress_user = &progress;
    }
    g_auto(GStrv) messages = NULL;
    convert.messages = &messages;
    const gboolean ok = af_convert_write(w->profile, target->format, &convert, write, to, error);
    af_progress_end(&progress);
    if (ok && !w->options->quiet) {
        af_message_print_all(w->input_name, messages);
    }
    return ok;
}

static const af_formats formats = {
    .name = af_convert_format,
    .extensions = af_convert_format_extensions,
    .is_binary = af_convert_format_is_binary,
    .packs = TRUE,
};

static gboolean is_saved_profile(const af_target *target)
{
    return strcmp(target->format, "aflp") == 0;
}

/* Whether any of the targets is a saved profile. */
static gboolean save_profile(const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        if (is_saved_profile(targets->pdata[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Whether any of the targets holds single calls. */
static gboolean need_input(const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        if (af_convert_format_writes_calls(
                (unsigned)af_named_find(af_convert_format, target->format))) {
            return TRUE;
        }
    }
    return FALSE;
}

static af_exit convert_input(const af_options *o, af_input *input, const GPtrArray *targets)
{
    af_exit status = AF_EXIT_DONE;
    af_options options = *o;
    options.open.keep_methods = save_profile(targets);
    af_profile *profile = af_steps_open(&options, input, need_input(targets), &status);
    if (profile != NULL) {
        writing w = {profile, o, input->name, af_input_shown(input, profile)};
        status = af_targets_write(targets, input->name, write_target, &w);
        af_profile_free(profile);
    } else if (status == AF_EXIT_DONE) {
        status = af_growth_write(o, input, targets);
    }
    return status;
}

static af_exit print_formats(const af_options *o)
{
    if (o->operands[0] != NULL) {
        af_message_print(NULL, "--list takes no trace: the formats are the same for all");
        return AF_EXIT_USAGE;
    }
    g_autoptr(GString) text = g_string_new("Inputs, recognised by their content:\n");
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
    return af_output_print(text->str);
}

static af_exit run_convert(const af_options *o)
{
    if (o->list_formats) {
        return print_formats(o);
    }
    g_autoptr(GPtrArray) inputs = af_inputs_group(o);
    if (inputs == NULL) {
        return AF_EXIT_USAGE;
    }
    af_inputs_join(inputs);
    af_exit status = AF_EXIT_USAGE;
    g_autoptr(GPtrArray) targets = af_targets_choose_standard(o, o->format);
    if (targets != NULL && !af_inputs_overwritten(inputs, targets)) {
        status = convert_input(o, inputs->pdata[0], targets);
    }
    return status;
}

const af_verb af_verb_convert = {
    .name = "convert",
    .bit = AF_CONVERT,
    .operands = "TRACE...",
    .title = "write a trace for other tools",
    .about = "Writes a trace in the format of another tool; --list prints the formats. The\n"
             "extension of FILE decides the format: x.folded, x.json, ...; x.json.gz is\n"
             "compressed. Several files of folded stacks are merged.",
    .examples = "Examples:\n"
                "  aflame convert app.trace -o app.folded\n"
                "  aflame convert app.trace -o app.json.gz\n"
                "  aflame convert app.trace --thread main --clock cpu | flamegraph.pl > app.svg",
    .formats = &formats,
    .run = run_convert,
};
