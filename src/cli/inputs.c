#include "cli/inputs.h"

#include <string.h>
#include <sys/stat.h>
#include "cli/progress.h"

static void add_input(GPtrArray *inputs, const char *path, const char *other,
                      const af_common *common)
{
    af_input *input = g_new0(af_input, 1);
    input->mapping_paths = common->mapping_paths;
    input->path = path;
    input->other = other;
    input->name = g_strdup(strcmp(path, "-") == 0 ? "standard input" : path);
    g_ptr_array_add(inputs, input);
}

static void free_input(gpointer user)
{
    af_input *input = user;
    g_free(input->sum);
    g_free(input->name);
    g_free(input);
}

static gboolean have_same_stem(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '.'), *end_b = strrchr(b, '.');
    return end_a != NULL && end_b != NULL && end_a - a == end_b - b &&
           strncmp(a, b, (size_t)(end_a - a)) == 0;
}

/* The operand behind number `i` that is its other half; 0 = none. */
static unsigned find_other_half(char **operands, const af_half *halves, const gboolean *taken,
                                unsigned n, unsigned i)
{
    for (unsigned k = i + 1; k < n; k++) {
        if (!taken[k] && halves[i] != AF_HALF_NONE && halves[k] != AF_HALF_NONE &&
            halves[i] != halves[k] && (n == 2 || have_same_stem(operands[i], operands[k]))) {
            return k;
        }
    }
    return 0;
}

GPtrArray *af_inputs_group(const af_verb *verb, const af_common *common)
{
    char **operands = common->operands;
    unsigned n = g_strv_length(operands);
    if (n == 0) {
        af_message_print(NULL, "name a trace, or - for standard input: aflame %s %s", verb->name,
                         verb->operands);
        return NULL;
    }
    GPtrArray *inputs = g_ptr_array_new_with_free_func(free_input);
    af_half *halves = g_new0(af_half, n);
    gboolean *taken = g_new0(gboolean, n);
    for (unsigned i = 0; n > 1 && i < n; i++) {
        halves[i] = strcmp(operands[i], "-") == 0 ? AF_HALF_NONE : af_trace_half(operands[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        if (!taken[i]) {
            unsigned other = find_other_half(operands, halves, taken, n, i);
            taken[i] = taken[other] = TRUE; /* 0 = none, and is taken first of all */
            add_input(inputs, operands[i], other != 0 ? operands[other] : NULL, common);
        }
    }
    g_free(taken);
    g_free(halves);
    return inputs;
}

void af_inputs_join(GPtrArray *inputs)
{
    if (inputs->len < 2) {
        return;
    }
    af_input *first = inputs->pdata[0];
    first->sum = g_new0(const char *, inputs->len + 1);
    for (unsigned i = 0; i < inputs->len; i++) {
        const char *path = ((const af_input *)inputs->pdata[i])->path;
        first->sum[i] = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    }
    char *name = g_strdup_printf("%s and %u more", first->name, inputs->len - 1);
    g_free(first->name);
    first->name = name;
    g_ptr_array_set_size(inputs, 1);
}

static af_profile *read_input(const af_input *input, const af_open_options *options, GError **error)
{
    if (input->sum != NULL) {
        return af_profile_open_sum(input->sum, options, error);
    }
    if (strcmp(input->path, "-") == 0) {
        return af_profile_open_fd(0, options, error);
    }
    if (input->other != NULL) {
        return af_profile_open_pair(input->path, input->other, options, error);
    }
    return af_profile_open(input->path, options, error);
}

/* Puts the part that is asked for in the place of the whole. */
static void cut_profile(af_profile **profile, const af_common *common,
                        const af_calls_options *options, GError **error)
{
    af_profile *whole = *profile;
    *profile = af_profile_cut(whole, common->from_ns, common->to_ns, options, error);
    af_profile_free(whole);
}

af_profile *af_input_open(const af_input *input, const af_open_options *options,
                          const af_common *common, af_exit *status)
{
    af_open_options mine = *options;
    af_progress progress;
    af_calls_options again = AF_CALLS_OPTIONS_INIT;
    mine.jobs = common->jobs;
    mine.unit = common->unit;
    mine.event = common->event;
    mine.symfs = common->symfs;
    mine.kallsyms = common->kallsyms;
    mine.show_art = common->show_art;
    mine.time_scale = common->time_scale;
    mine.ignore_other_ends = common->ignore_other_ends;
    mine.overlap_lanes = common->overlap_lanes;
    mine.keep_input = mine.keep_input || common->part;
    if (!af_mappings_fill(common->mappings, &mine, status)) {
        return NULL;
    }
    if (af_progress_begin(&progress, input->name, common->quiet)) {
        mine.progress = af_progress_show;
        mine.progress_user = &progress;
        again.progress = af_progress_show;
        again.progress_user = &progress;
    }
    GError *error = NULL;
    af_profile *profile = read_input(input, &mine, &error);
    if (profile != NULL && common->part) {
        cut_profile(&profile, common, &again, &error);
    }
    af_progress_end(&progress);
    if (profile == NULL) {
        *status = af_message_fail(input->name, error);
        g_error_free(error);
        return NULL;
    }
    return profile;
}

gboolean af_input_accept(const af_input *input, const af_profile *profile, const af_common *common)
{
    unsigned n = af_message_count_warnings(profile);
    if (!common->quiet) {
        af_mappings_report(profile, input->name);
        af_mappings_offer(profile, input->path, common->verbose);
    }
    if (!common->quiet || (common->strict && n > 0)) {
        af_message_warnings(input->name, profile, common->verbose);
    }
    if (common->strict && n > 0) {
        af_message_print(input->name, "%u %s under --strict: nothing was written", n,
                         n == 1 ? "warning" : "kinds of warnings");
        return FALSE;
    }
    return TRUE;
}

af_profile *af_input_take(const af_input *input, const af_open_options *options,
                          const af_common *common, af_exit *status)
{
    af_profile *profile = af_input_open(input, options, common, status);
    if (profile != NULL && !af_input_accept(input, profile, common)) {
        *status = AF_EXIT_DAMAGED;
        g_clear_pointer(&profile, af_profile_free);
    }
    return profile;
}

static gboolean is_same_file(const char *path, const struct stat *old)
{
    struct stat it;
    return path != NULL && stat(path, &it) == 0 && it.st_dev == old->st_dev &&
           it.st_ino == old->st_ino;
}

gboolean af_inputs_overwritten(const GPtrArray *inputs, const char *target)
{
    struct stat old;
    if (strcmp(target, "-") == 0 || stat(target, &old) != 0 || !S_ISREG(old.st_mode)) {
        return FALSE;
    }
    const char *which = NULL;
    for (unsigned i = 0; i < inputs->len && which == NULL; i++) {
        const af_input *input = inputs->pdata[i];
        if (is_same_file(input->path, &old) || is_same_file(input->other, &old)) {
            which = "the input";
        }
        for (const char **path = input->sum; path != NULL && *path != NULL; path++) {
            which = is_same_file(*path, &old) ? "an input" : which;
        }
        for (char *const *path = input->mapping_paths; path != NULL && *path != NULL; path++) {
            which = is_same_file(*path, &old) ? "the mapping file" : which;
        }
    }
    if (which != NULL) {
        af_message_print(target, "would overwrite %s; nothing was written", which);
    }
    return which != NULL;
}

static void cut_suffix(char *name, const char *suffix)
{
    size_t length = strlen(name), cut = strlen(suffix);
    if (length > cut && g_ascii_strcasecmp(name + length - cut, suffix) == 0) {
        name[length - cut] = '\0';
    }
}

char *af_input_stem(const af_input *input)
{
    if (strcmp(input->path, "-") == 0) {
        return g_strdup("stdin");
    }
    char *name = g_path_get_basename(input->path);
    size_t length;
    cut_suffix(name, ".gz");
    length = strlen(name);
    static const char *const suffixes[] = {".trace",     ".key",   ".data", ".folded",
                                           ".collapsed", ".spall", ".json"};
    for (unsigned i = 0; i < G_N_ELEMENTS(suffixes) && strlen(name) == length; i++) {
        cut_suffix(name, suffixes[i]);
    }
    return name;
}
