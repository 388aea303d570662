#include "cli/reports.h"
#include "cli/steps.h"

#include <string.h>

typedef struct {
    char **outputs, **tables, **methods, **trees;
    char *format, *clock, *names, *sort, *top, *least;
    gboolean records;
    GPtrArray *all_tables; /* --by and --tree */
    af_open_options open;
    af_report_options options;
    af_steps steps;
} request;

static gboolean is_never_binary(unsigned number)
{
    (void)number;
    return FALSE;
}

static const af_formats formats = {
    .name = af_report_format_name,
    .extensions = af_report_format_extension,
    .is_binary = is_never_binary,
};

/* Whether any of the targets is made from the records. */
static gboolean need_input(const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        const af_target *target = targets->pdata[i];
        for (unsigned f = 0; af_report_format_name(f) != NULL; f++) {
            if (strcmp(af_report_format_name(f), target->format) == 0 &&
                af_report_format_needs_input(f)) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

/* What is made from the records knows nothing of call trees. */
static gboolean check_steps(const request *r, const GPtrArray *targets)
{
    if (r->steps.steps->len == 0 || !need_input(targets)) {
        return TRUE;
    }
    af_message_print(NULL,
                     "--format dmtracedump adds up the records of the file; of the options that "
                     "reshape only --thread goes with it");
    return FALSE;
}

/* ---- making ---- */

static af_report *make_report(const void *profile, const char *format,
                              const af_report_options *options, GError **error)
{
    return af_report_new(profile, format, options, error);
}

static af_exit report_input(const request *r, const af_common *common, const af_input *input,
                            const af_reports *p)
{
    af_exit status = AF_EXIT_DONE;
    af_open_options open = r->open;
    open.keep_input = need_input(p->targets);
    af_profile *profile = af_steps_open(&r->steps, input, &open, common, &status);
    if (profile != NULL) {
        status = af_reports_add(p, input, &r->options, r->top != NULL, make_report, profile);
        af_profile_free(profile);
    }
    return status;
}

/* ---- all inputs ---- */

/* What can be read is reported, whatever happened to the others. */
static af_exit report_all(const request *r, const af_common *common, const GPtrArray *inputs,
                          const GPtrArray *targets)
{
    af_reports p;
    af_exit worst = AF_EXIT_DONE;
    af_reports_init(&p, targets);
    for (unsigned i = 0; i < inputs->len; i++) {
        const af_exit status = report_input(r, common, inputs->pdata[i], &p);
        worst = MAX(worst, status);
    }
    const af_exit status = af_reports_write(&p, inputs);
    af_reports_clear(&p);
    return MAX(worst, status);
}

/* ---- records ---- */

typedef struct {
    const af_profile *profile;
    const af_report_options *options;
} printing;

static gboolean print_records(void *user, const af_target *target, af_write_func write, void *to,
                              GError **error)
{
    const printing *p = user;
    (void)target;
    return af_report_write_records(p->profile, p->options, write, to, error);
}

/* Written while they are read, so of one trace. */
static af_exit list_records(const request *r, const af_common *common, const af_input *input,
                            const GPtrArray *targets)
{
    af_exit status = AF_EXIT_DONE;
    af_open_options open = r->open;
    open.keep_input = TRUE;
    af_profile *profile = af_input_take(input, &open, common, &status);
    if (profile != NULL) {
        printing p = {profile, &r->options};
        status = af_targets_write(targets, input->name, print_records, &p);
        af_profile_free(profile);
    }
    return status;
}

static gboolean check_records(const request *r, const GPtrArray *inputs)
{
    if (!r->records) {
        return TRUE;
    }
    if (r->steps.steps->len > 0) {
        af_message_print(NULL, "--records lists what is in the file; only --thread goes with it");
        return FALSE;
    }
    if (inputs->len > 1) {
        af_message_print(NULL, "--records takes one trace, not %u", inputs->len);
        return FALSE;
    }
    if (r->format != NULL || r->tables != NULL || r->sort != NULL || r->top != NULL ||
        r->methods != NULL || r->trees != NULL) {
        af_message_print(NULL, "--records lists all records in the order of the file; --format, "
                               "--by, --method, --tree, --sort and --top do not go with it");
        return FALSE;
    }
    return TRUE;
}

/* ---- the verb ---- */

/* Tables add up the same whichever way the trees stand, and the tree with the callers above is one
 * of them. So a last --invert-callers is a choice of tree. */
static void turn_trees(request *r)
{
    if (!af_steps_take_inversion(&r->steps)) {
        return;
    }
    for (guint i = 0; i + 1 < r->all_tables->len; i++) {
        const char *name = r->all_tables->pdata[i];
        if (g_str_has_prefix(name, "tree-")) {
            r->all_tables->pdata[i] =
                (gpointer)(strcmp(name, "tree-up") == 0 ? "tree-down" : "tree-up");
        }
    }
    if (r->all_tables->len == 1 && r->methods == NULL) {
        g_ptr_array_insert(r->all_tables, 0, (gpointer) "tree-up");
    }
    r->options.tables = (const char *const *)(void *)r->all_tables->pdata;
}

static af_exit report(request *r, const af_common *common, const GPtrArray *inputs)
{
    char *standard[] = {(char *)"-", NULL};
    if (!check_records(r, inputs)) {
        return AF_EXIT_USAGE;
    }
    GPtrArray *targets = af_targets_choose(&formats, r->outputs != NULL ? r->outputs : standard,
                                           r->records ? af_report_format_name(0) : r->format);
    if (targets == NULL) {
        return AF_EXIT_USAGE;
    }
    af_exit status = AF_EXIT_USAGE;
    gboolean safe = check_steps(r, targets);
    for (unsigned i = 0; safe && i < targets->len; i++) {
        safe = !af_inputs_overwritten(inputs, ((af_target *)targets->pdata[i])->path);
    }
    if (safe) {
        turn_trees(r);
        status = r->records ? list_records(r, common, inputs->pdata[0], targets)
                            : report_all(r, common, inputs, targets);
    }
    g_ptr_array_unref(targets);
    return status;
}

/* ---- options ---- */

/* A word of one of the tables of names; says what is wrong. */
static gboolean check_words(const char *option, char *const *typed,
                            const char *(*name)(unsigned number))
{
    GPtrArray *names = g_ptr_array_new();
    for (unsigned i = 0; name(i) != NULL; i++) {
        g_ptr_array_add(names, (gpointer)name(i));
    }
    g_ptr_array_add(names, NULL);
    gboolean ok = TRUE;
    for (int unused; ok && typed != NULL && *typed != NULL; typed++) {
        ok = af_options_word(option, *typed, (const char *const *)(void *)names->pdata, &unused);
    }
    g_ptr_array_unref(names);
    return ok;
}

/* The tables that are asked for, trees last. */
static gboolean read_tables(request *r)
{
    static const char *const directions[] = {"down", "up", NULL};
    static const char *const trees[] = {"tree-down", "tree-up"};
    if (!check_words("--by", r->tables, af_report_table_name)) {
        return FALSE;
    }
    r->all_tables = g_ptr_array_new();
    for (char **table = r->tables; table != NULL && *table != NULL; table++) {
        g_ptr_array_add(r->all_tables, *table);
    }
    for (char **tree = r->trees; tree != NULL && *tree != NULL; tree++) {
        int direction = 0;
        if (!af_options_word("--tree", *tree, directions, &direction)) {
            return FALSE;
        }
        g_ptr_array_add(r->all_tables, (gpointer)trees[direction]);
    }
    g_ptr_array_add(r->all_tables, NULL);
    if (r->trees != NULL && r->tables == NULL && r->methods == NULL && r->sort != NULL) {
        af_message_print(NULL, "a tree shows its largest branches first: --sort is not for it; "
                               "--clock chooses the time");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_request(request *r)
{
    static const char *const styles[] = {"class", "short", "full", NULL};
    int names = AF_NAMES_CLASS, least_c = (int)r->options.min_percent_c;
    if (!af_options_clock(r->clock, &r->options.clock) ||
        !af_options_word("--names", r->names, styles, &names) ||
        !af_options_hundredths("--min-percent", r->least, 0, 10000, &least_c) ||
        !af_reports_read_top(r->top, &r->options.top) || !read_tables(r)) {
        return FALSE;
    }
    r->open.names = (af_names)names;
    r->open.clock = r->options.clock;
    r->options.sort = r->sort;
    r->options.tables =
        r->all_tables->len > 1 ? (const char *const *)(void *)r->all_tables->pdata : NULL;
    r->options.methods = (const char *const *)(void *)r->methods;
    r->options.min_percent_c = (unsigned)least_c;
    af_steps_finish(&r->steps, r->options.clock);
    r->options.threads = (const char *const *)(void *)r->steps.threads;
    return TRUE;
}

static void free_request(request *r)
{
    char *const strings[] = {r->format, r->clock, r->names, r->sort, r->top, r->least};
    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        g_free(strings[i]);
    }
    g_strfreev(r->outputs);
    af_steps_clear(&r->steps);
    g_strfreev(r->tables);
    g_strfreev(r->methods);
    g_strfreev(r->trees);
    if (r->all_tables != NULL) {
        g_ptr_array_unref(r->all_tables);
    }
}

static af_exit run_report(int argc, char **argv)
{
    request r = {.open = AF_OPEN_OPTIONS_INIT, .options = AF_REPORT_OPTIONS_INIT};
    char *known = af_formats_list(&formats);
    char *format_help = g_strdup_printf("One of %s", known);
    const GOptionArg text = G_OPTION_ARG_FILENAME, list = G_OPTION_ARG_FILENAME_ARRAY;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, list, &r.outputs, "Write FILE (default: standard output); repeatable",
         "FILE"},
        {"format", 0, 0, text, &r.format, format_help, "NAME"},
        {"by", 0, 0, list, &r.tables, "Add up by WHAT, see above (methods); repeatable", "WHAT"},
        {"method", 'm', 0, list, &r.methods, "Callers and callees of these methods; repeatable",
         "PATTERN"},
        {"tree", 0, 0, list, &r.trees, "Calls from the top (down), or what called (up)", "WAY"},
        {"min-percent", 0, 0, text, &r.least, "Leave out smaller branches of trees (0.5)", "N"},
        {"sort", 0, 0, text, &r.sort, "Sort by self, inclusive, wait, calls, ... (self)", "COLUMN"},
        {"top", 0, 0, text, &r.top, "Show N rows, 0 = all (text: a screen; html: 5000)", "N"},
        {"clock", 'c', 0, text, &r.clock, "Only wall, cpu or wait time (all)", "NAME"},
        {"names", 0, 0, text, &r.names, "short, class or full method names (class)", "STYLE"},
        {"records", 0, 0, G_OPTION_ARG_NONE, &r.records,
         "List the records instead, as dmtracedump -o", NULL},
        {"quirks", 0, 0, G_OPTION_ARG_NONE, &r.options.dmtracedump_quirks,
         "Names exactly as dmtracedump has them", NULL},
        G_OPTION_ENTRY_NULL,
    };
    af_common common;
    af_exit status = AF_EXIT_USAGE;
    af_steps_init(&r.steps);
    af_options_result parsed =
        af_options_parse_with(&af_verb_report, entries, af_steps_group(&r.steps, "sort"),
                              af_steps_entries(), argc, argv, &common);
    if (parsed == AF_OPTIONS_HELPED) {
        status = AF_EXIT_DONE;
    } else if (parsed == AF_OPTIONS_GO_ON && read_request(&r)) {
        GPtrArray *inputs = af_inputs_group(&af_verb_report, &common);
        if (inputs != NULL) {
            status = report(&r, &common, inputs);
            g_ptr_array_unref(inputs);
        }
    }
    af_options_free(&common);
    free_request(&r);
    g_free(format_help);
    g_free(known);
    return status;
}

const af_verb af_verb_report = {
    "report",
    "TRACE...",
    "add up calls and times: tables of methods",
    "Adds up the calls and times of a trace by methods, threads, classes, packages,\n"
    "categories or sources (source files), or by what methods waited in (waits). The\n"
    "ending of FILE decides the format.",
    "Examples:\n"
    "  aflame report app.trace\n"
    "  aflame report app.trace --thread main --clock cpu --sort inclusive --top 20\n"
    "  aflame report app.trace --method '**.onCreate'\n"
    "  aflame report app.trace --tree down --thread main\n"
    "  aflame report app.trace -o app.csv -o app.json",
    run_report,
};
