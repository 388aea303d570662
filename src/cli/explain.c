#include "api/autoptr.h"
#include "cli/inputs.h"
#include "cli/outputs.h"
#include "cli/reports.h"
#include "cli/steps.h"

#include <string.h>

static const af_formats formats = {
    .name = af_explain_format_name,
    .extensions = af_explain_format_extension,
};

typedef struct {
    GPtrArray *explanations;
    unsigned width;      /* of standard output; 0 = the default */
    unsigned file_width; /* of other outputs */
} writing;

static void free_explanation(gpointer explanation)
{
    af_explanation_free(explanation);
}

static af_exit explain_input(const af_options *o, af_input *input, GPtrArray *explanations)
{
    af_exit status = AF_EXIT_DONE;
    GError *error = NULL;
    g_autoptr(af_profile) profile = af_steps_open(o, input, TRUE, &status);
    if (profile == NULL) {
        return status;
    }
    af_explain_options options = o->explain;
    /* commands with pseudonyms would find nothing in the input */
    options.input_name = o->redact ? NULL : input->path;
    options.threads = o->steps.threads;
    options.rules = (const char *const *)o->rules;
    af_explanation *explanation = af_explanation_new(profile, &options, &error);
    if (explanation != NULL) {
        g_ptr_array_add(explanations, explanation);
    } else {
        status = af_message_fail(input->name, error);
    }
    return status;
}

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const writing *w = user;
    const unsigned width = strcmp(target->path, "-") == 0 ? w->width : w->file_width;
    return af_explanation_write((const af_explanation *const *)(void *)w->explanations->pdata,
                                w->explanations->len, target->format, width, write, to, error);
}

/* Explains every readable input, even if others fail. */
static af_exit explain_all(const af_options *o, const GPtrArray *inputs, const GPtrArray *targets)
{
    writing w = {g_ptr_array_new_with_free_func(free_explanation), af_reports_width(o),
                 (unsigned)o->picture.width_px};
    af_exit worst = AF_EXIT_DONE;
    for (unsigned i = 0; i < inputs->len; i++) {
        const af_exit status = explain_input(o, inputs->pdata[i], w.explanations);
        worst = MAX(worst, status);
    }
    if (w.explanations->len > 0) {
        const char *name = inputs->len == 1 ? ((const af_input *)inputs->pdata[0])->name : NULL;
        const af_exit status = af_targets_write(targets, name, write_target, &w);
        worst = MAX(worst, status);
    }
    g_ptr_array_unref(w.explanations);
    return worst;
}

/* A rule with what it reports, in lines of a page. */
static void append_rule(GString *text, unsigned rule)
{
    enum { INDENT = 15, WIDTH = 72 };
    g_auto(GStrv) words = g_strsplit(af_explain_rule_about(rule), " ", -1);
    g_string_append_printf(text, "%-*s", INDENT - 1, af_explain_rule(rule));
    glong at = INDENT - 1;
    for (char **word = words; *word != NULL; word++) {
        const glong length = g_utf8_strlen(*word, -1);
        if (at + 1 + length > WIDTH) {
            g_string_append_printf(text, "\n%*s", INDENT - 1, "");
            at = INDENT - 1;
        }
        g_string_append_printf(text, " %s", *word);
        at += 1 + length;
    }
    g_string_append_c(text, '\n');
}

static af_exit print_rules(const af_options *o)
{
    if (o->operands[0] != NULL) {
        af_message_print(NULL, "--list-rules takes no trace: the rules are the same for all");
        return AF_EXIT_USAGE;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; af_explain_rule(i) != NULL; i++) {
        append_rule(text, i);
    }
    return af_output_print(text->str);
}

static af_exit run_explain(const af_options *o)
{
    if (o->list_rules) {
        return print_rules(o);
    }
    g_autoptr(GPtrArray) inputs = af_inputs_group(o);
    if (inputs == NULL) {
        return AF_EXIT_USAGE;
    }
    af_exit status = AF_EXIT_USAGE;
    g_autoptr(GPtrArray) targets = af_targets_choose_standard(o, o->format);
    if (targets != NULL && !af_inputs_overwritten(inputs, targets)) {
        status = explain_all(o, inputs, targets);
    }
    return status;
}

const af_verb af_verb_explain = {
    .name = "explain",
    .bit = AF_EXPLAIN,
    .operands = "TRACE...",
    .title = "report what stands out in a trace, in sentences",
    .about = "Prints at most five findings about a trace: sentences with their numbers, and\n"
             "the commands that show more. The exit code does not depend on them.",
    .examples = "Examples:\n"
                "  aflame explain app.trace\n"
                "  aflame explain app.trace --json | jq -r '.findings[].text'\n"
                "  aflame explain app.trace --rule blocked-main --rule io-main\n"
                "  aflame explain --list-rules",
    .formats = &formats,
    .run = run_explain,
};
