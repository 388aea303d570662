#include "cli/inputs.h"

#include <string.h>
#include <sys/stat.h>
#include "api/autoptr.h"
#include "api/command.h"
#include "cli/growth.h"
#include "cli/memory.h"
#include "cli/outputs.h"
#include "cli/progress.h"

/* Records the state of a file when aflame first looks at it. Inputs are listed before any of them
 * is read, and reading a long list takes time: a file may change in between. Pipes and missing
 * files have no state. */
static void record_state(GHashTable *states, const char *path)
{
    struct stat now;
    if (stat(path, &now) == 0 && S_ISREG(now.st_mode)) {
        g_hash_table_insert(states, g_strdup(path), g_memdup2(&now, sizeof now));
    }
}

/* Whether a recorded file, if `path` is one, is unchanged. */
static gboolean is_unchanged(GHashTable *states, const char *path)
{
    const struct stat *before = g_hash_table_lookup(states, path);
    struct stat now;
    return before == NULL || (stat(path, &now) == 0 && now.st_size == before->st_size &&
                              now.st_ino == before->st_ino && now.st_dev == before->st_dev &&
                              now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
                              now.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
}

/* The length of a path without its extension, also if the file is compressed; 0 = it has none. */
static size_t measure_path(const char *path)
{
    size_t length = strlen(path);
    length -= g_str_has_suffix(path, ".gz") ? 3 : g_str_has_suffix(path, ".zst") ? 4 : 0;
    const char *dot = g_strrstr_len(path, (gssize)length, ".");
    return dot != NULL ? (size_t)(dot - path) : 0;
}

static gboolean have_same_stem(const char *a, const char *b)
{
    const size_t length = measure_path(a);
    return length > 0 && length == measure_path(b) && strncmp(a, b, length) == 0;
}

/* Whether a file without a place for its writer was made from the recording next to it, by its
 * name: a.folded of a.trace. */
static gboolean is_made_from_another(char *const *files, const af_trace_kind *kinds, size_t n,
                                     size_t file)
{
    for (size_t i = 0; kinds[file] == AF_TRACE_UNSIGNED && i < n; i++) {
        if (kinds[i] == AF_TRACE_RECORDING && have_same_stem(files[i], files[file])) {
            return TRUE;
        }
    }
    return FALSE;
}

void af_inputs_add_recordings(GPtrArray *paths, char *const *files, size_t n, gboolean unknown)
{
    g_autofree af_trace_kind *kinds = g_new(af_trace_kind, n + 1);
    for (size_t i = 0; i < n; i++) {
        kinds[i] = af_trace_recognise(files[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (kinds[i] != AF_TRACE_OUTPUT && (unknown || kinds[i] != AF_TRACE_UNKNOWN) &&
            !is_made_from_another(files, kinds, n, i)) {
            g_ptr_array_add(paths, g_strdup(files[i]));
        }
    }
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the recordings directly in a folder, sorted by name. If it has none, adds the folder itself,
 * and reading it fails. */
static void add_folder(GPtrArray *paths, const char *folder)
{
    g_autoptr(GDir) open = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; open != NULL && (name = g_dir_read_name(open)) != NULL;) {
        if (name[0] != '.') {
            g_ptr_array_add(files, g_build_filename(folder, name, NULL));
        }
    }
    g_ptr_array_sort(files, compare_names);
    const guint before = paths->len;
    af_inputs_add_recordings(paths, (char *const *)files->pdata, files->len, FALSE);
    if (paths->len == before) {
        g_ptr_array_add(paths, g_strdup(folder));
    }
}

/* "p/calc" may stand for p/calc.trace, or for the pair p/calc.key and p/calc.data, as in Traceview. */
static char *find_file(const char *operand)
{
    static const char *const ends[] = {".trace", ".key"};
    for (unsigned i = 0; i < G_N_ELEMENTS(ends) && !g_file_test(operand, G_FILE_TEST_EXISTS); i++) {
        char *path = g_strconcat(operand, ends[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            return path;
        }
        g_free(path);
    }
    return g_strdup(operand);
}

char **af_inputs_expand(char *const *operands)
{
    GPtrArray *paths = g_ptr_array_new();
    for (; *operands != NULL; operands++) {
        if (g_file_test(*operands, G_FILE_TEST_IS_DIR)) {
            add_folder(paths, *operands);
        } else {
            g_ptr_array_add(paths, find_file(*operands));
        }
    }
    g_ptr_array_add(paths, NULL);
    return (char **)g_ptr_array_free(paths, FALSE);
}

static gpointer open_ahead(gpointer user)
{
    const af_input *input = user;
    return af_profile_open(input->path, &input->ahead_options, NULL);
}

/* Ends reading ahead. Returns the profile, or NULL: then the input must be read again, which also
 * gives the error. */
static af_profile *take_ahead(af_input *input)
{
    return input->ahead == NULL ? NULL : g_thread_join(g_steal_pointer(&input->ahead));
}

static void free_input(gpointer user)
{
    g_autofree af_input *input = user;
    af_profile_free(take_ahead(input));
    g_strfreev(input->sum);
    g_hash_table_unref(input->states);
    g_free(input->other);
    g_free(input->path);
    g_free(input->name);
}

/* The index of the operand that is the other half of operand `i`; 0 = none. */
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

GPtrArray *af_inputs_list(const af_options *options, char **paths)
{
    GPtrArray *inputs = g_ptr_array_new_with_free_func(free_input);
    g_auto(GStrv) operands = af_inputs_expand(paths);
    const unsigned n = g_strv_length(operands);
    g_autofree af_half *halves = g_new0(af_half, n);
    g_autofree gboolean *taken = g_new0(gboolean, n);
    GHashTable *states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (unsigned i = 0; n > 1 && i < n; i++) {
        record_state(states, operands[i]);
        halves[i] = strcmp(operands[i], "-") == 0 ? AF_HALF_NONE : af_trace_half(operands[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        if (!taken[i]) {
            unsigned other = find_other_half(operands, halves, taken, n, i);
            taken[i] = taken[other] = TRUE; /* 0 = none: operand 0 is taken first */
            const char *path = operands[i];
            af_input *input = g_new0(af_input, 1);
            input->states = g_hash_table_ref(states);
            input->mapping_paths = options->mapping_paths;
            input->path = g_strdup(path);
            input->other = g_strdup(other != 0 ? operands[other] : NULL);
            const char *standard =
                options->input_name != NULL ? options->input_name : "standard input";
            input->name = g_strdup(strcmp(path, "-") == 0 ? standard : path);
            g_ptr_array_add(inputs, input);
        }
    }
    g_hash_table_unref(states);
    return inputs;
}

gboolean af_inputs_name_standard_once(const af_options *options)
{
    const char *const *const lists[] = {(const char *const *)options->operands, options->before,
                                        options->after};
    unsigned n = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
        for (const char *const *path = lists[i]; path != NULL && *path != NULL; path++) {
            n += strcmp(*path, "-") == 0 ? 1 : 0;
        }
    }
    if (n > 1) {
        af_message_print(NULL, "standard input can be read only once");
    }
    return n <= 1;
}

GPtrArray *af_inputs_group(const af_options *options)
{
    if (options->operands[0] == NULL) {
        af_message_print(NULL, "name a trace, or - for standard input: aflame %s %s",
                         options->verb->name, options->verb->operands);
        return NULL;
    }
    if (!af_inputs_name_standard_once(options)) {
        return NULL;
    }
    return af_inputs_list(options, options->operands);
}

void af_inputs_join(GPtrArray *inputs)
{
    if (inputs->len < 2) {
        return;
    }
    af_input *first = inputs->pdata[0];
    first->sum = g_new0(char *, inputs->len + 1);
    for (unsigned i = 0; i < inputs->len; i++) {
        const char *path = ((const af_input *)inputs->pdata[i])->path;
        first->sum[i] = g_strdup(strcmp(path, "-") == 0 ? "/dev/stdin" : path);
    }
    char *name = g_strdup_printf("%s and %u more", first->name, inputs->len - 1);
    g_free(first->name);
    first->name = name;
    g_ptr_array_set_size(inputs, 1);
}

int af_input_descriptor(const char *path)
{
    static const char folder[] = "/dev/fd/";
    guint64 number = 0;
    const gboolean is_open =
        strcmp(path, "-") == 0 ||
        (g_str_has_prefix(path, folder) &&
         g_ascii_string_to_unsigned(path + strlen(folder), 10, 0, 9999, &number, NULL));
    return is_open ? (int)number : -1;
}

static af_profile *read_input(const af_input *input, const af_open_options *options, GError **error)
{
    const int descriptor = af_input_descriptor(input->path);
    if (input->sum != NULL) {
        return af_profile_open_sum((const char *const *)input->sum, options, error);
    }
    if (descriptor >= 0) {
        return af_profile_open_fd(descriptor, options, error);
    }
    if (input->other != NULL) {
        return af_profile_open_pair(input->path, input->other, options, error);
    }
    return af_profile_open(input->path, options, error);
}

/* Longer files use all processors themselves. */
#define MOST_AHEAD ((goffset)16 * 1024 * 1024)

void af_input_read_ahead(af_input *input, const af_options *options, gboolean keep_input)
{
    struct stat file;
    if (input->ahead != NULL || input->sum != NULL || input->other != NULL ||
        options->open.jobs == 1 || options->open.max_memory > 0 ||
        (options->mapping_paths != NULL && options->mapping_paths[0] != NULL) ||
        af_input_descriptor(input->path) >= 0 || stat(input->path, &file) != 0 ||
        !S_ISREG(file.st_mode) || file.st_size > MOST_AHEAD) {
        return;
    }
    input->ahead_options = options->open;
    input->ahead_options.keep_input = keep_input || options->part;
    /* half of what one input may take, since the other is being read, too */
    input->ahead_options.max_memory = af_memory_available("") / 4;
    input->ahead = g_thread_try_new(NULL, open_ahead, input, NULL);
}

/* Whether the files of an input are those that were listed. */
static gboolean check_states(const af_input *input, GError **error)
{
    gboolean ok = is_unchanged(input->states, input->path) &&
                  (input->other == NULL || is_unchanged(input->states, input->other));
    for (char **path = input->sum; path != NULL && *path != NULL; path++) {
        ok = ok && is_unchanged(input->states, *path);
    }
    if (!ok) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_DAMAGED,
            "the file changed while it was read; try again when nothing writes to it");
    }
    return ok;
}

/* Adds a remedy to the error about an input. */
static void add_advice(const af_input *input, const af_options *options, GError **error)
{
    const char *advice = NULL;
    if (g_file_test(input->path, G_FILE_TEST_IS_DIR) && input->sum == NULL) {
        g_clear_error(error);
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "this folder contains no trace that aflame reads (aflame does not search its "
                    "subfolders, and reads pictures only if you name them)");
    } else if (input->sum != NULL && g_error_matches(*error, AF_ERROR, AF_ERROR_USAGE)) {
        advice = options->verb->bit == AF_RENDER
                     ? "leave out -o to draw each trace into its own file"
                     : "run aflame once for each trace";
    }
    if (advice != NULL) {
        char *message = g_strconcat((*error)->message, "; ", advice, NULL);
        g_free((*error)->message);
        (*error)->message = message;
    }
}

/* Replaces the profile by the requested time range. */
static void cut_profile(af_profile **profile, const af_options *options,
                        const af_call_walk_options *calls, GError **error)
{
    g_autoptr(af_profile) whole = *profile;
    *profile = af_profile_extract_part(whole, options->from_ns, options->to_ns, calls, error);
}

af_profile *af_input_open(af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status)
{
    af_open_options open = options->open;
    af_progress progress;
    af_call_walk_options calls = AF_CALL_WALK_OPTIONS_INIT;
    open.keep_input = keep_input || options->part;
    open.max_memory_stops = open.max_memory > 0;
    if (open.max_memory == 0) {
        open.max_memory = af_memory_available("") / 2;
    }
    if (!af_mappings_fill(options->mappings, &open, status)) {
        return NULL;
    }
    if (af_progress_begin(&progress, "reading", input->name, options->quiet)) {
        open.progress = calls.progress = af_progress_show;
        open.progress_user = calls.progress_user = &progress;
    }
    GError *error = NULL;
    af_profile *profile = take_ahead(input);
    if (profile == NULL) {
        profile = read_input(input, &open, &error);
    }
    if (profile != NULL && !check_states(input, &error)) {
        g_clear_pointer(&profile, af_profile_free);
    }
    input->growth.wanted = profile != NULL && af_growth_is_wanted(options, profile);
    if (input->growth.wanted) {
        af_progress_end(&progress);
        *status = af_growth_choose(options, input->name, profile, &input->growth) ? AF_EXIT_DONE
                                                                                  : AF_EXIT_USAGE;
        af_profile_free(profile);
        return NULL;
    }
    if (profile != NULL && options->part) {
        cut_profile(&profile, options, &calls, &error);
    }
    af_progress_end(&progress);
    if (profile == NULL) {
        add_advice(input, options, &error);
        *status = af_message_fail(input->name, error);
    } else if (!af_options_fit_input(options, input->name, profile)) {
        *status = AF_EXIT_USAGE;
        g_clear_pointer(&profile, af_profile_free);
    }
    return profile;
}

const char *af_input_shown(const af_input *input, const af_profile *profile)
{
    const char *saved = af_profile_saved_name(profile);
    return saved != NULL ? saved : input->name;
}

/* Verbs that add up their inputs report an input without threads themselves. */
static gboolean reports_warnings(const af_options *options, const af_profile *profile)
{
    const gboolean adds_up = (options->verb->bit & (AF_DIFF | AF_MERGE)) != 0;
    return !options->quiet && !(adds_up && af_profile_n_threads(profile) == 0);
}

gboolean af_input_accept(const af_input *input, const af_profile *profile,
                         const af_options *options)
{
    unsigned n = af_message_count_warnings(profile);
    if (!options->quiet) {
        af_mappings_report(profile, input->name);
        af_mappings_offer(profile, input->path, options->verbose);
    }
    if (reports_warnings(options, profile) || (options->strict && n > 0)) {
        af_message_warnings(input->name, profile, options->verbose);
    }
    if (options->strict && n > 0) {
        af_message_print(input->name, "%u %s under --strict: nothing was written", n,
                         n == 1 ? "warning" : "kinds of warnings");
        return FALSE;
    }
    return TRUE;
}

af_profile *af_input_read(af_input *input, const af_options *options, gboolean keep_input,
                          af_exit *status)
{
    af_profile *profile = af_input_open(input, options, keep_input, status);
    if (profile != NULL && !af_input_accept(input, profile, options)) {
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

static gboolean is_overwritten(const GPtrArray *inputs, const char *target)
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
        for (char **path = input->sum; path != NULL && *path != NULL; path++) {
            which = is_same_file(*path, &old) ? "an input" : which;
        }
        for (const char *const *path = input->mapping_paths; path != NULL && *path != NULL;
             path++) {
            which = is_same_file(*path, &old) ? "the mapping file" : which;
        }
    }
    if (which != NULL) {
        af_message_print(target, "would overwrite %s; nothing was written", which);
    }
    return which != NULL;
}

gboolean af_inputs_overwritten(const GPtrArray *inputs, const GPtrArray *targets)
{
    for (unsigned i = 0; i < targets->len; i++) {
        if (is_overwritten(inputs, ((const af_target *)targets->pdata[i])->path)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The length of the name without the extension; 0 = it has another one. */
static size_t measure_stem(const char *name, const char *extension)
{
    const size_t length = strlen(name), cut = strlen(extension);
    const gboolean has_it = length > cut + 1 && name[length - cut - 1] == '.' &&
                            g_ascii_strcasecmp(name + length - cut, extension) == 0;
    return has_it ? length - cut - 1 : 0;
}

char *af_input_stem(const af_input *input)
{
    if (strcmp(input->path, "-") == 0) {
        return g_strdup("stdin");
    }
    char *name = g_path_get_basename(input->path);
    const size_t unpacked = measure_stem(name, "gz");
    if (unpacked > 0) {
        name[unpacked] = '\0';
    }
    /* Cuts the longest extension that an input format has. */
    size_t shortest = strlen(name);
    for (unsigned i = 0; af_input_format(i) != NULL; i++) {
        g_auto(GStrv) extensions = g_strsplit(af_input_format_extensions(i), " ", 0);
        for (unsigned e = 0; extensions[e] != NULL; e++) {
            const size_t stem = measure_stem(name, extensions[e]);
            shortest = stem > 0 ? MIN(shortest, stem) : shortest;
        }
    }
    name[shortest] = '\0';
    return name;
}
