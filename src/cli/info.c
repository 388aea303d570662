#include "cli/inputs.h"
#include "cli/outputs.h"

/* Collects pages or JSON objects; several are parted by an empty line or make one array. */
static void add_answer(GString *all, const af_profile *profile, const char *name, gboolean json,
                       gboolean several)
{
    char *one = json ? af_info_json(profile, name) : af_info_text(profile, name);
    if (!json) {
        g_string_append_printf(all, "%s%s", all->len > 0 ? "\n" : "", one);
    } else if (!several) {
        g_string_append_printf(all, "%s\n", one);
    } else {
        char **lines = g_strsplit(one, "\n", -1);
        char *indented = g_strjoinv("\n  ", lines);
        g_string_append_printf(all, "%s\n  %s", all->len > 0 ? "," : "[", indented);
        g_free(indented);
        g_strfreev(lines);
    }
    g_free(one);
}

static af_exit judge(const af_input *input, const af_profile *profile, const af_common *common)
{
    unsigned n = af_message_count_warnings(profile);
    if (common->strict && n > 0) {
        af_message_print(input->name, "%u %s under --strict", n,
                         n == 1 ? "warning" : "kinds of warnings");
        return AF_EXIT_DAMAGED;
    }
    return AF_EXIT_DONE;
}

static af_exit report_all(const GPtrArray *inputs, const af_common *common, gboolean json)
{
    const af_open_options options = AF_OPEN_OPTIONS_INIT;
    GString *all = g_string_new(NULL);
    af_exit worst = AF_EXIT_DONE;
    gboolean several = inputs->len > 1;
    for (unsigned i = 0; i < inputs->len; i++) {
        const af_input *input = inputs->pdata[i];
        af_exit status = AF_EXIT_DONE;
        af_profile *profile = af_input_open(input, &options, common, &status);
        if (profile != NULL) {
            add_answer(all, profile, input->name, json, several);
            status = judge(input, profile, common);
            if (!common->quiet) {
                af_mappings_offer(profile, input->path, common->verbose);
            }
            af_profile_free(profile);
        }
        worst = MAX(worst, status);
    }
    if (json && several) {
        g_string_append(all, all->len > 0 ? "\n]\n" : "[]\n");
    }
    af_exit printed = af_output_print(all->str);
    g_string_free(all, TRUE);
    return MAX(worst, printed);
}

static af_exit run_info(int argc, char **argv)
{
    gboolean json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "For programs: one object, or an array of them",
         NULL},
        G_OPTION_ENTRY_NULL,
    };
    af_common common;
    af_exit status = AF_EXIT_USAGE;
    af_options_result parsed = af_options_parse(&af_verb_info, entries, argc, argv, &common);
    if (parsed == AF_OPTIONS_HELPED) {
        status = AF_EXIT_DONE;
    } else if (parsed == AF_OPTIONS_GO_ON) {
        GPtrArray *inputs = af_inputs_group(&af_verb_info, &common);
        if (inputs != NULL) {
            status = report_all(inputs, &common, json);
            g_ptr_array_unref(inputs);
        }
    }
    af_options_free(&common);
    return status;
}

const af_verb af_verb_info = {
    "info",
    "TRACE...",
    "say what a trace is and how healthy it is",
    "Says what a trace is, which clocks and threads it has, what is wrong with it and\n"
    "what to do about that.",
    "Examples:\n"
    "  aflame info app.trace\n"
    "  aflame info --json *.trace | jq '.[] | [.input, .records]'\n"
    "  aflame info --strict -q app.trace > app.txt || echo record it again",
    run_info,
};
