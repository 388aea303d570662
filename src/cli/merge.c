#include "api/autoptr.h"
#include "cli/outputs.h"
#include "cli/sides.h"

#include <string.h>

static const af_formats formats = {
    .name = af_convert_format,
    .extensions = af_convert_format_extensions,
    .is_binary = af_convert_format_is_binary,
    .packs = TRUE,
};

typedef struct {
    const af_profile *profile;
    const af_options *options;
} writing;

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const writing *w = user;
    af_convert_options convert = w->options->convert;
    g_auto(GStrv) messages = NULL;
    convert.messages = &messages;
    convert.gzip = target->packed;
    convert.threads = NULL; /* they were chosen before */
    const gboolean ok = af_convert_write(w->profile, target->format, &convert, write, to, error);
    if (ok && !w->options->quiet) {
        af_message_print_all(NULL, messages);
    }
    return ok;
}

static af_exit merge(const af_options *o, const af_side_inputs *inputs, const GPtrArray *targets)
{
    af_exit status = AF_EXIT_DONE;
    GError *error = NULL;
    af_runs *runs = af_side_inputs_read(inputs, AF_RUNS_TO_MERGE, NULL, AF_AFTER, &status);
    if (runs == NULL) {
        return status;
    }
    if (!af_options_fit_inputs(o)) {
        af_runs_free(runs);
        return AF_EXIT_USAGE;
    }
    g_autoptr(af_profile) profile = af_runs_merge(runs, &error);
    af_runs_free(runs);
    if (profile == NULL) {
        return af_message_fail(NULL, error);
    }
    /* The inputs were told apart from each other when they were read; this is about all of them. */
    af_warning_view view = AF_WARNING_VIEW_INIT;
    for (unsigned i = 0; !o->quiet && af_profile_warning(profile, i, &view); i++) {
        if (strcmp(view.id, "clock-dropped") == 0 || strcmp(view.id, "several-apps") == 0) {
            g_autofree char *line = af_info_warning(profile, i);
            af_message_print(NULL, "%s", line);
        }
    }
    writing w = {profile, o};
    status = af_targets_write(targets, NULL, write_target, &w);
    return status;
}

static af_exit run_merge(const af_options *o)
{
    if (o->operands[0] == NULL || (o->outputs == NULL && o->format == NULL)) {
        af_message_print(NULL, "needs profiles and an output: aflame merge A B ... -o all.aflp");
        return AF_EXIT_USAGE;
    }
    return af_side_inputs_run(o, merge);
}

const af_verb af_verb_merge = {
    .name = "merge",
    .bit = AF_MERGE,
    .operands = "TRACE...",
    .title = "merge recordings into one profile",
    .about = "Merges recordings and saved profiles into one profile. Order and grouping do\n"
             "not change the result, so many processes can share the work. The profile\n"
             "records how many runs it holds, for aflame diff.",
    .examples = "Examples:\n"
                "  aflame merge runs/ -o all.aflp\n"
                "  aflame merge 'night/*.aflp' -o night.pb.gz\n"
                "  ls day/*.aflp | parallel -X -j 4 aflame merge {} -o part-{#}.aflp",
    .formats = &formats,
    .run = run_merge,
};
