#include "api/autoptr.h"
#include "api/command.h"
#include "cli/budgets.h"
#include "cli/command_line.h"
#include "cli/reports.h"
#include "cli/sides.h"

#include <string.h>

/* The formats of tables, then those of pictures. */
static unsigned count_tables(void)
{
    unsigned n = 0;
    while (af_diff_format_name(n) != NULL) {
        n++;
    }
    return n;
}

static const char *name_format(unsigned number)
{
    const unsigned n = count_tables();
    return number < n ? af_diff_format_name(number) : af_picture_format(number - n);
}

static const char *list_extensions(unsigned number)
{
    const unsigned n = count_tables();
    return number < n ? af_diff_format_extension(number) : af_picture_format(number - n);
}

static bool is_binary(unsigned number)
{
    const unsigned n = count_tables();
    return number >= n && af_picture_format_is_binary(number - n);
}

static gboolean is_picture(const char *format)
{
    return strcmp(format, "alt") == 0 || af_named_find(af_picture_format, format) >= 0;
}

static const af_formats formats = {
    .name = name_format,
    .extensions = list_extensions,
    .is_binary = is_binary,
};

/* Whether the only operand is a file with both sides. */
static gboolean has_both_sides(const af_options *o)
{
    return o->before == NULL && o->after == NULL && g_strv_length(o->operands) == 1;
}

static gboolean check_operand(const af_options *o)
{
    const char *operand = o->operands[0];
    if (o->open.side != AF_OPEN_AFTER_SIDE) {
        af_message_print(NULL, "--side reads one side, and aflame diff %s compares both", operand);
        return FALSE;
    }
    if (af_input_descriptor(operand) >= 0) {
        af_message_print(NULL, "aflame reads a comparison once for each side; save it to a file "
                               "first");
        return FALSE;
    }
    return TRUE;
}

/* Two operands, the runs of --before and --after, or a file with both sides. */
static gboolean check_sides(const af_options *o)
{
    const unsigned n = g_strv_length(o->operands);
    if (o->before != NULL && o->after != NULL && n == 0) {
        return TRUE;
    }
    if (o->before == NULL && o->after == NULL && n == 2) {
        return TRUE;
    }
    if (has_both_sides(o)) {
        return check_operand(o);
    }
    af_message_print(NULL, "name two sides: aflame diff BEFORE AFTER; if a side has several runs, "
                           "use --before and --after for both sides instead");
    return FALSE;
}

/* Whether an output carries the sides. */
static gboolean carries_sides(const af_options *o, const GPtrArray *targets)
{
    gboolean any = FALSE;
    for (guint i = 0; o->data != AF_DATA_NONE && i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        const gboolean alt = strcmp(target->format, "alt") == 0;
        any = any || (is_picture(target->format) && !alt) || strcmp(target->format, "html") == 0;
    }
    return any;
}

static af_side_inputs *open_side(const af_options *o, unsigned side, const GPtrArray *targets)
{
    const char **runs = side == AF_BEFORE ? o->before : o->after;
    const char **mapping = side == AF_BEFORE ? o->mapping_before : o->mapping_after;
    const gboolean both = has_both_sides(o);
    const char *operand[] = {runs == NULL ? o->operands[both ? 0 : side] : NULL, NULL};
    /* Whether nothing depends on the shortest and longest calls of a path. */
    const af_side_choice choice = {.mapping_paths = mapping,
                                   .dump = side == AF_BEFORE ? o->dump_before : o->dump_after,
                                   .only_sums = o->steps.steps->len == 0 && o->budget == NULL &&
                                                !carries_sides(o, targets),
                                   .side = !both               ? AF_OPEN_AFTER_SIDE
                                           : side == AF_BEFORE ? AF_OPEN_ONLY_BEFORE
                                                               : AF_OPEN_ONLY_AFTER};
    return af_side_inputs_new(o, runs != NULL ? runs : operand, &choice);
}

typedef struct {
    const af_options *options;
    const af_diff *diff;
    const char *const *tables; /* NULL = the default */
} writing;

/* A page with all tables begins with the picture, unless it shall carry no data. */
static gboolean write_page(const writing *w, af_diff_tables *tables, af_write_func write, void *to,
                           GError **error)
{
    af_picture_options picture = w->options->picture;
    picture.no_profile = TRUE; /* the page carries it */
    picture.view = AF_VIEW_GRAPH;
    g_autoptr(GString) svg = g_string_new(NULL);
    gboolean ok = af_diff_draw(w->diff, "svg", &picture, af_output_append, svg, NULL, error);
    tables->picture = svg->str;
    tables->picture_size = svg->len;
    return ok && af_diff_write(w->diff, "html", tables, write, to, error);
}

static gboolean write_target(void *user, af_target *target, af_write_func write, void *to,
                             GError **error)
{
    const writing *w = user;
    if (is_picture(target->format)) {
        return af_diff_draw(w->diff, target->format, &w->options->picture, write, to,
                            w->options->quiet ? NULL : &target->messages, error);
    }
    af_diff_tables tables = w->options->compared;
    af_report_options page = w->options->report;
    af_reports_fit_page(w->options, &page, target);
    tables.tables = w->tables;
    tables.top = page.top;
    tables.width = page.width;
    if (strcmp(target->format, "html") == 0 && tables.tables == NULL && tables.methods == NULL &&
        tables.data != AF_DATA_NONE) {
        return write_page(w, &tables, write, to, error);
    }
    return af_diff_write(w->diff, target->format, &tables, write, to, error);
}

static af_exit write_targets(const af_options *o, const af_diff *diff, const GPtrArray *targets)
{
    g_autoptr(GPtrArray) tables = af_reports_list_tables(o);
    writing w = {o, diff, tables->len > 1 ? (const char *const *)(void *)tables->pdata : NULL};
    return af_targets_write(targets, NULL, write_target, &w);
}

typedef struct {
    const af_options *options;
    const af_profile *profiles[AF_SIDES];
    char *names[AF_SIDES];
} charting;

static gboolean draw_charts(void *user, af_target *target, af_write_func write, void *to,
                            GError **error)
{
    const charting *c = user;
    return af_diff_draw_charts(c->profiles, (const char *const *)c->names, c->options->align,
                               target->format, &c->options->picture, write, to,
                               c->options->quiet ? NULL : &target->messages, error);
}

static gboolean are_pictures(const GPtrArray *targets)
{
    for (guint i = 0; i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        if (!is_picture(target->format)) {
            af_message_print(target->path,
                             "--view chart draws pictures; write tables in another run");
            return FALSE;
        }
    }
    return TRUE;
}

static af_exit write_charts(const af_options *o, af_side_inputs *const sides[AF_SIDES],
                            const GPtrArray *targets)
{
    charting c = {.options = o};
    af_exit status = are_pictures(targets) ? AF_EXIT_DONE : AF_EXIT_USAGE;
    for (unsigned s = 0; s < AF_SIDES && status == AF_EXIT_DONE; s++) {
        c.profiles[s] = af_side_inputs_open(sides[s], &c.names[s], &status);
    }
    if (status == AF_EXIT_DONE && !af_options_fit_inputs(o)) {
        status = AF_EXIT_USAGE;
    }
    if (status == AF_EXIT_DONE) {
        status = af_targets_write(targets, NULL, draw_charts, &c);
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_profile_free((af_profile *)c.profiles[s]);
        g_free(c.names[s]);
    }
    return status;
}

static af_diff *compare(const af_options *o, af_side_inputs *const sides[AF_SIDES],
                        af_runs *runs[AF_SIDES], af_budget *budget, af_exit *status)
{
    af_diff *diff = NULL;
    af_side_inputs_read_ahead(sides[AF_AFTER], budget);
    for (unsigned s = 0; s < AF_SIDES && *status == AF_EXIT_DONE; s++) {
        /* Without several inputs on a side there is nothing to test paths with. */
        runs[s] = af_side_inputs_read(sides[s],
                                      af_side_inputs_list(sides[AF_BEFORE])->len > 1 ||
                                              af_side_inputs_list(sides[AF_AFTER])->len > 1
                                          ? AF_RUNS_TO_TEST
                                          : AF_RUNS_TO_COMPARE,
                                      budget, (af_side)s, status);
    }
    if (*status == AF_EXIT_DONE && !af_options_fit_inputs(o)) {
        *status = AF_EXIT_USAGE;
    }
    if (*status == AF_EXIT_DONE) {
        GError *error = NULL;
        diff = af_diff_new(runs[AF_BEFORE], runs[AF_AFTER], &o->compare, &error);
        if (diff == NULL) {
            *status = af_message_fail(NULL, error);
        }
    }
    return diff;
}

static void free_runs(af_runs *runs[AF_SIDES])
{
    for (unsigned s = 0; s < AF_SIDES; s++) {
        g_clear_pointer(&runs[s], af_runs_free);
    }
}

/* Both recordings are read once more for their single calls. */
static af_exit write_sheet(const af_options *o, af_diff *diff,
                           af_side_inputs *const sides[AF_SIDES], const GPtrArray *targets)
{
    af_options with_command = *o;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (char **operand = o->operands; *operand != NULL && !o->redact; operand++) {
        g_ptr_array_add(names, g_path_get_basename(*operand));
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *command =
        af_command_line_write(o, (const char *const *)(void *)names->pdata, targets->pdata[0]);
    with_command.picture.command = command;
    af_profile *shown[AF_SIDES];
    for (unsigned s = 0; s < AF_SIDES; s++) {
        shown[s] = af_side_inputs_reopen(sides[s]);
    }
    if (shown[AF_BEFORE] != NULL && shown[AF_AFTER] != NULL) {
        af_diff_show_timelines(diff, shown[AF_BEFORE], shown[AF_AFTER]);
    }
    const af_exit status = write_targets(&with_command, diff, targets);
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_profile_free(shown[s]);
    }
    return status;
}

/* The table goes to its outputs, and the verdicts to standard error. */
static af_exit compare_and_write(const af_options *o, af_side_inputs *const sides[AF_SIDES],
                                 const GPtrArray *targets, af_budget *budget)
{
    af_exit status = AF_EXIT_DONE;
    af_runs *runs[AF_SIDES] = {NULL, NULL};
    af_diff *diff = compare(o, sides, runs, budget, &status);
    if (diff == NULL || !carries_sides(o, targets) ||
        !af_diff_carry(diff, runs[AF_BEFORE], runs[AF_AFTER], NULL)) {
        free_runs(runs);
    }
    if (diff != NULL) {
        status = o->view == AF_VIEW_SHEET ? write_sheet(o, diff, sides, targets)
                                          : write_targets(o, diff, targets);
        af_diff_free(diff);
    }
    free_runs(runs);
    if (status == AF_EXIT_DONE && budget != NULL) {
        status = af_budgets_print(budget);
    }
    return status == AF_EXIT_DONE && budget != NULL && af_budget_n_failed(budget) > 0
               ? AF_EXIT_NEGATIVE
               : status;
}

static af_exit write_comparison(const af_options *o, af_side_inputs *const sides[AF_SIDES],
                                const GPtrArray *targets)
{
    af_exit status = AF_EXIT_USAGE;
    g_autoptr(af_budget) budget = o->budget != NULL ? af_budgets_read(o, &status) : NULL;
    if (o->budget == NULL || budget != NULL) {
        status = compare_and_write(o, sides, targets, budget);
    }
    return status;
}

static af_exit run_diff(const af_options *o)
{
    af_exit status = AF_EXIT_USAGE;
    if (!check_sides(o) || !af_inputs_name_standard_once(o)) {
        return status;
    }
    g_autoptr(GPtrArray) targets = af_targets_choose_standard(o, o->format);
    if (targets == NULL) {
        return status;
    }
    af_side_inputs *const sides[AF_SIDES] = {open_side(o, AF_BEFORE, targets),
                                             open_side(o, AF_AFTER, targets)};
    if (sides[AF_BEFORE] != NULL && sides[AF_AFTER] != NULL &&
        !(af_inputs_overwritten(af_side_inputs_list(sides[AF_BEFORE]), targets) ||
          af_inputs_overwritten(af_side_inputs_list(sides[AF_AFTER]), targets))) {
        status = o->view == AF_VIEW_CHART ? write_charts(o, sides, targets)
                                          : write_comparison(o, sides, targets);
    }
    af_side_inputs_free(sides[AF_BEFORE]);
    af_side_inputs_free(sides[AF_AFTER]);
    return status;
}

const af_verb af_verb_diff = {
    .name = "diff",
    .bit = AF_DIFF,
    .operands = "BEFORE AFTER",
    .title = "compare two recordings: find what became slower",
    .about = "Compares two recordings, or several runs of each side, by methods, threads,\n"
             "classes, packages, categories, files (source files) or waits. Each side is any\n"
             "input that aflame reads. Several runs let it separate changes from noise.",
    .examples = "Examples:\n"
                "  aflame diff before.trace after.trace\n"
                "  aflame diff before.trace after.trace -o diff.svg -o diff.png\n"
                "  aflame diff old.aflp new.trace --thread main -o diff.json -o diff.md\n"
                "  aflame diff --before old/ --after new/\n"
                "  aflame diff diff.png                  both sides of a picture",
    .formats = &formats,
    .run = run_diff,
};
