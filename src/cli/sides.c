#include "cli/sides.h"
#include "api/command.h"
#include "cli/steps.h"

#include <glob.h>
#include <string.h>

struct af_side_inputs {
    af_options options; /* those of the run, with its own mappings */
    gboolean own_mappings;
    GPtrArray *inputs;
};

/* Adds the iterations of a benchmark, or the folder itself if no benchmark wrote it. */
static gboolean add_folder(const af_options *o, GPtrArray *paths, const char *folder)
{
    unsigned left_out = 0;
    GError *error = NULL;
    const guint before = paths->len;
    if (!af_benchmark_list(folder, o->benchmark, paths, &left_out, &error)) {
        af_message_fail(folder, error);
        return FALSE;
    }
    if (paths->len == before) {
        g_ptr_array_add(paths, g_strdup(folder));
    } else if (left_out > 0 && !o->quiet) {
        af_message_print(folder,
                         "takes the %u traces of the benchmark with methods and leaves out %u "
                         "others; a glob names those",
                         paths->len - before, left_out);
    }
    return TRUE;
}

/* An existing path is used unchanged, even if it contains special characters. If a glob matches
 * nothing, prints so and returns FALSE. */
static gboolean add_paths(const af_options *o, GPtrArray *paths, const char *path)
{
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return add_folder(o, paths, path);
    }
    if (strpbrk(path, "*?[") == NULL || g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_ptr_array_add(paths, g_strdup(path));
        return TRUE;
    }
    glob_t found;
    const int failed = glob(path, GLOB_TILDE, NULL, &found);
    if (failed == 0) {
        /* Adds what a glob found, without the outputs of aflame unless there is nothing else. */
        const guint before = paths->len;
        af_inputs_add_recordings(paths, found.gl_pathv, found.gl_pathc, TRUE);
        for (size_t i = 0; paths->len == before && i < found.gl_pathc; i++) {
            g_ptr_array_add(paths, g_strdup(found.gl_pathv[i]));
        }
        globfree(&found);
    } else {
        af_message_print(path, "no file matches");
    }
    return failed == 0;
}

af_side_inputs *af_side_inputs_new(const af_options *options, const char *const *paths,
                                   const af_side_choice *choice)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    gboolean ok = TRUE;
    for (; ok && *paths != NULL; paths++) {
        ok = add_paths(options, all, *paths);
    }
    g_ptr_array_add(all, NULL);
    af_side_inputs *side = g_new0(af_side_inputs, 1);
    side->options = *options;
    if (choice->dump.number != 0 || choice->dump.by_time) {
        side->options.open.dump = choice->dump.number;
        side->options.open.dump_by_time = choice->dump.by_time;
        side->options.open.dump_ns = choice->dump.ns;
    }
    side->options.open.only_sums = choice->only_sums;
    side->options.open.side =
        choice->side != AF_OPEN_AFTER_SIDE ? choice->side : options->open.side;
    side->own_mappings = choice->mapping_paths != NULL;
    if (side->own_mappings) {
        side->options.mapping_paths = choice->mapping_paths;
        side->options.mappings = af_mappings_new((const char *const *)choice->mapping_paths,
                                                 options->open.keep_synthetic);
    }
    side->inputs = ok ? af_inputs_list(&side->options, (char **)all->pdata) : NULL;
    g_ptr_array_unref(all);
    if (side->inputs == NULL) {
        g_clear_pointer(&side, af_side_inputs_free);
    }
    return side;
}

void af_side_inputs_free(af_side_inputs *side)
{
    if (side != NULL) {
        if (side->own_mappings) {
            af_mappings_free(side->options.mappings);
        }
        g_clear_pointer(&side->inputs, g_ptr_array_unref);
        g_free(side);
    }
}

const GPtrArray *af_side_inputs_list(const af_side_inputs *side)
{
    return side->inputs;
}

/* An input without threads, which af_input_accept() leaves to the verb. */
static void report_empty(const af_side_inputs *side, const af_input *input,
                         const af_profile *profile)
{
    if (af_profile_n_threads(profile) == 0 && !side->options.quiet) {
        af_message_warnings(input->name, profile, FALSE);
    }
}

/* What an input is added to. */
typedef struct {
    af_runs *runs;     /* NULL = not added up */
    af_budget *budget; /* NULL = not measured */
    af_side which;
    GHashTable *taken; /* the names of earlier inputs, by the hashes of their profiles */
} taking;

/* Takes the profile over. */
static gboolean take_profile(const af_side_inputs *side, const af_input *input, af_profile *profile,
                             const taking *t, GError **error)
{
    if (t->budget != NULL && !af_budget_add(t->budget, t->which, profile, error)) {
        af_profile_free(profile);
        return FALSE;
    }
    if (t->runs == NULL) {
        af_profile_free(profile);
        return TRUE;
    }
    /* "app.trace, 1 s to 2 s", for g_free(). */
    const char *part = af_profile_part_name(profile);
    g_autofree char *name =
        g_strconcat(af_input_shown(input, profile), part != NULL ? ", " : NULL, part, NULL);
    return af_runs_take(t->runs, profile, name, (const char *const *)side->options.steps.threads,
                        error);
}

/* Whether an input must be kept for its single calls. */
static gboolean needs_calls(const af_budget *budget)
{
    return budget != NULL && af_budget_needs_calls(budget);
}

void af_side_inputs_read_ahead(const af_side_inputs *side, const af_budget *budget)
{
    af_input_read_ahead(side->inputs->pdata[0], &side->options, needs_calls(budget));
}

/* A run that is counted twice makes sums and statistics wrong: its copy, or its saved profile. */
static gboolean was_taken(const af_side_inputs *side, const af_input *input,
                          const af_profile *profile, const taking *t)
{
    if (side->inputs->len == 1) {
        return FALSE;
    }
    char *hash = af_profile_hash(profile);
    const char *earlier = g_hash_table_lookup(t->taken, hash);
    if (earlier != NULL && !side->options.quiet) {
        af_message_print(input->name, "skipped: it holds the same profile as %s", earlier);
    }
    if (earlier == NULL) {
        g_hash_table_insert(t->taken, g_steal_pointer(&hash), input->name);
    }
    g_free(hash);
    return earlier != NULL;
}

static gboolean take_input(const af_side_inputs *side, af_input *input, const taking *t,
                           af_exit *status)
{
    af_profile *profile = af_steps_open(&side->options, input, needs_calls(t->budget), status);
    GError *error = NULL;
    if (profile == NULL) {
        return FALSE;
    }
    if (was_taken(side, input, profile, t)) {
        af_profile_free(profile);
        return TRUE;
    }
    /* for a single input, the verb reports that there is nothing to compare or merge */
    if (side->inputs->len > 1) {
        report_empty(side, input, profile);
    }
    const gboolean ok = take_profile(side, input, profile, t, &error);
    if (!ok) {
        *status = af_message_fail(input->name, error);
    }
    return ok;
}

af_profile *af_side_inputs_open(const af_side_inputs *side, char **name, af_exit *status)
{
    af_input *input = side->inputs->pdata[0];
    if (side->inputs->len != 1) {
        af_message_print(NULL, "--view chart draws one recording of each side, not %u",
                         side->inputs->len);
        *status = AF_EXIT_USAGE;
        return NULL;
    }
    af_profile *profile = af_steps_open(&side->options, input, TRUE, status);
    if (profile == NULL) {
        return NULL;
    }
    report_empty(side, input, profile);
    *name = g_path_get_basename(af_input_shown(input, profile));
    return profile;
}

af_profile *af_side_inputs_reopen(const af_side_inputs *side)
{
    af_input *input = side->inputs->pdata[0];
    af_options options = side->options;
    af_exit status = AF_EXIT_DONE;
    options.quiet = TRUE;
    return side->inputs->len != 1 || af_input_descriptor(input->path) >= 0
               ? NULL
               : af_steps_open(&options, input, TRUE, &status);
}

static gboolean take_inputs(const af_side_inputs *side, taking t, af_exit *status)
{
    gboolean ok = TRUE;
    t.taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; ok && i < side->inputs->len; i++) {
        ok = take_input(side, side->inputs->pdata[i], &t, status);
    }
    g_hash_table_unref(t.taken);
    return ok;
}

af_runs *af_side_inputs_read(const af_side_inputs *side, af_runs_use use, af_budget *budget,
                             af_side which, af_exit *status)
{
    af_runs *runs = af_runs_new(use);
    const taking t = {.runs = runs, .budget = budget, .which = which};
    if (!take_inputs(side, t, status)) {
        g_clear_pointer(&runs, af_runs_free);
    }
    return runs;
}

gboolean af_side_inputs_measure(const af_side_inputs *side, af_budget *budget, af_side which,
                                af_exit *status)
{
    const taking t = {.budget = budget, .which = which};
    return take_inputs(side, t, status);
}

af_exit af_side_inputs_run(const af_options *options,
                           af_exit (*act)(const af_options *options, const af_side_inputs *inputs,
                                          const GPtrArray *targets))
{
    af_exit status = AF_EXIT_USAGE;
    g_autoptr(GPtrArray) targets = af_targets_choose_standard(options, options->format);
    const af_side_choice none = {.side = AF_OPEN_AFTER_SIDE};
    af_side_inputs *inputs =
        targets != NULL && af_inputs_name_standard_once(options)
            ? af_side_inputs_new(options, (const char *const *)(void *)options->operands, &none)
            : NULL;
    if (inputs != NULL && !af_inputs_overwritten(inputs->inputs, targets)) {
        status = act(options, inputs, targets);
    }
    af_side_inputs_free(inputs);
    return status;
}
