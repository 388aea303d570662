#include "cli/sides.h"
#include "cli/steps.h"

#include <glob.h>
#include <string.h>

struct af_side_inputs {
    af_options options; /* those of the run, with its own mappings */
    gboolean own_mappings;
    GPtrArray *inputs;
};

/* A path that exists is taken as it is, whatever characters it has. FALSE if a glob matches
 * nothing, which is printed. */
static gboolean add_paths(GPtrArray *paths, const char *path)
{
    if (strpbrk(path, "*?[") == NULL || g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_ptr_array_add(paths, g_strdup(path));
        return TRUE;
    }
    glob_t found;
    const int failed = glob(path, GLOB_TILDE, NULL, &found);
    for (size_t i = 0; failed == 0 && i < found.gl_pathc; i++) {
        g_ptr_array_add(paths, g_strdup(found.gl_pathv[i]));
    }
    if (failed == 0) {
        globfree(&found);
    } else {
        af_message_print(path, "no file matches");
    }
    return failed == 0;
}

static gboolean read_standard_input_once(const GPtrArray *inputs)
{
    unsigned n = 0;
    for (guint i = 0; i < inputs->len; i++) {
        n += strcmp(((const af_input *)inputs->pdata[i])->path, "-") == 0 ? 1 : 0;
    }
    if (n > 1) {
        af_message_print(NULL, "standard input can be read once");
    }
    return n <= 1;
}

af_side_inputs *af_side_inputs_new(const af_options *options, const char *const *paths,
                                   const char *const *mapping_paths)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    gboolean ok = TRUE;
    for (; ok && *paths != NULL; paths++) {
        ok = add_paths(all, *paths);
    }
    g_ptr_array_add(all, NULL);
    af_side_inputs *side = g_new0(af_side_inputs, 1);
    side->options = *options;
    side->own_mappings = mapping_paths != NULL;
    if (side->own_mappings) {
        side->options.mapping_paths = (const char **)(void *)mapping_paths;
        side->options.mappings = af_mappings_new(mapping_paths, options->open.keep_synthetic);
    }
    side->inputs = ok ? af_inputs_list(&side->options, (char **)all->pdata) : NULL;
    g_ptr_array_unref(all);
    if (side->inputs == NULL || !read_standard_input_once(side->inputs)) {
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

static gboolean add_input(const af_side_inputs *side, const af_input *input, af_runs *runs,
                          af_exit *status)
{
    GError *error = NULL;
    af_profile *profile = af_steps_open(&side->options, input, FALSE, status);
    if (profile == NULL) {
        return FALSE;
    }
    const gboolean ok = af_runs_add(runs, profile, af_input_shown(input, profile),
                                    (const char *const *)side->options.steps.threads, &error);
    if (!ok) {
        *status = af_message_fail(input->name, error);
        g_error_free(error);
    }
    af_profile_free(profile);
    return ok;
}

af_runs *af_side_inputs_read(const af_side_inputs *side, gboolean keep_paths, af_exit *status)
{
    af_runs *runs = af_runs_new(keep_paths);
    for (guint i = 0; i < side->inputs->len; i++) {
        if (!add_input(side, side->inputs->pdata[i], runs, status)) {
            g_clear_pointer(&runs, af_runs_free);
            break;
        }
    }
    return runs;
}
