#include "cli/budgets.h"
#include "cli/outputs.h"
#include "cli/sides.h"

static const af_formats formats = {
    .name = af_budget_format_name,
    .extensions = af_budget_format_extension,
};

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    return af_budget_write(user, target->format, write, to, error);
}

static af_exit measure(const af_options *o, const af_side_inputs *inputs, const GPtrArray *targets,
                       af_budget *budget)
{
    af_exit status = AF_EXIT_DONE;
    if (!af_side_inputs_measure(inputs, budget, AF_AFTER, &status)) {
        return status;
    }
    if (!af_options_fit_inputs(o)) {
        return AF_EXIT_USAGE;
    }
    if (o->update_budget) {
        return af_budgets_update(o, budget);
    }
    if (af_budget_n_untested(budget) == af_budget_n(budget)) {
        af_message_print(o->budget,
                         "tests nothing: it limits only increases, which need two sides; "
                         "run aflame diff BEFORE AFTER --budget FILE");
        return AF_EXIT_USAGE;
    }
    status = af_targets_write(targets, NULL, write_target, budget);
    return status == AF_EXIT_DONE && af_budget_n_failed(budget) > 0 ? AF_EXIT_NEGATIVE : status;
}

static af_exit check(const af_options *o, const af_side_inputs *inputs, const GPtrArray *targets)
{
    af_exit status = AF_EXIT_USAGE;
    af_budget *budget = af_budgets_read(o, &status);
    if (budget != NULL) {
        status = measure(o, inputs, targets, budget);
        af_budget_free(budget);
    }
    return status;
}

static af_exit run_check(const af_options *o)
{
    if (o->operands[0] == NULL || o->budget == NULL) {
        af_message_print(NULL, "needs a trace and a budget: aflame check TRACE... --budget FILE");
        return AF_EXIT_USAGE;
    }
    if (o->update_budget && o->outputs != NULL) {
        af_message_print(NULL, "--update-budget writes the budget file only; leave out -o");
        return AF_EXIT_USAGE;
    }
    return af_side_inputs_run(o, check);
}

const af_verb af_verb_check = {
    .name = "check",
    .bit = AF_CHECK,
    .operands = "TRACE...",
    .title = "check a recording against a budget, for CI",
    .about = "Checks a recording against the limits in a budget file and prints a line for\n"
             "each. Several traces are runs of one build; aflame checks their medians. The\n"
             "exit code is 1 if a budget is not met.",
    .examples = "Examples:\n"
                "  aflame check app.trace --budget budgets.ini\n"
                "  aflame check runs/ --budget budgets.ini --format github\n"
                "  aflame check runs/ --budget budgets.ini --update-budget",
    .formats = &formats,
    .run = run_check,
};
