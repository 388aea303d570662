#include "cli/redaction.h"
#include "cli/inputs.h"
#include "cli/outputs.h"
#include "cli/reports.h"

/* Collects pages or JSON objects; separates several by an empty line, or puts them into an
 * array. */
static void add_answer(GString *all, const af_profile *profile, const char *name,
                       const af_options *o, gboolean several)
{
    g_autofree char *one = o->json ? af_info_json(profile, name)
                                   : af_info_text_fit(profile, name, af_reports_width(o));
    if (!o->json) {
        g_string_append_printf(all, "%s%s", all->len > 0 ? "\n" : "", one);
    } else if (!several) {
        g_string_append_printf(all, "%s\n", one);
    } else {
        g_auto(GStrv) lines = g_strsplit(one, "\n", -1);
        g_autofree char *indented = g_strjoinv("\n  ", lines);
        g_string_append_printf(all, "%s\n  %s", all->len > 0 ? "," : "[", indented);
    }
}

static af_exit judge(const af_input *input, const af_profile *profile, const af_options *o)
{
    unsigned n = af_message_count_warnings(profile);
    if (o->strict && n > 0) {
        af_message_print(input->name, "%u %s under --strict", n,
                         n == 1 ? "warning" : "kinds of warnings");
        return AF_EXIT_DAMAGED;
    }
    return AF_EXIT_DONE;
}

static af_exit report_all(const GPtrArray *inputs, const af_options *o)
{
    g_autoptr(GString) all = g_string_new(NULL);
    af_options opening = *o;
    opening.open.only_sums = TRUE; /* the page has no times of single calls */
    af_exit worst = AF_EXIT_DONE;
    gboolean several = inputs->len > 1;
    for (unsigned i = 0; i < inputs->len; i++) {
        af_input *input = inputs->pdata[i];
        af_exit status = AF_EXIT_DONE;
        af_profile *profile = af_input_open(input, &opening, FALSE, &status);
        if (profile != NULL && !af_redaction_apply(o, input, profile, &status)) {
            g_clear_pointer(&profile, af_profile_free);
        }
        if (profile != NULL) {
            add_answer(all, profile, af_input_shown(input, profile), o, several);
            status = judge(input, profile, o);
            if (!o->quiet) {
                af_mappings_offer(profile, input->path, o->verbose);
            }
            af_profile_free(profile);
        }
        worst = MAX(worst, status);
    }
    if (o->json && several) {
        g_string_append(all, all->len > 0 ? "\n]\n" : "[]\n");
    }
    af_exit printed = af_output_print(all->str);
    return MAX(worst, printed);
}

static af_exit run_info(const af_options *o)
{
    g_autoptr(GPtrArray) inputs = af_inputs_group(o);
    if (inputs == NULL) {
        return AF_EXIT_USAGE;
    }
    return report_all(inputs, o);
}

const af_verb af_verb_info = {
    .name = "info",
    .bit = AF_INFO,
    .operands = "TRACE...",
    .title = "describe a trace and report its problems",
    .about = "Prints the format, clocks and threads of a trace, its problems, and what to "
             "do\nabout them.",
    .examples = "Examples:\n"
                "  aflame info app.trace\n"
                "  aflame info --json *.trace | jq '.[] | [.input, .records]'\n"
                "  aflame info --strict -q app.trace > app.txt || echo record it again",
    .run = run_info,
};
