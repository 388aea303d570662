#include "cli/steps.h"

#include <string.h>

/* ---- reading ---- */

static gboolean read_depth(const char *option, const char *text, uint64_t *depth, GError **error)
{
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, 1, UINT32_MAX, &value, NULL)) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "%s takes a number from 1, not \"%s\"", option,
                    text);
        return FALSE;
    }
    *depth = value;
    return TRUE;
}

static gboolean read_time(const char *option, const char *text, uint64_t *ns, GError **error)
{
    int64_t value;
    if (!af_time_parse(text, &value, error)) {
        g_prefix_error(error, "%s: ", option);
        return FALSE;
    }
    if (value < 0) {
        g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "%s: the time \"%s\" is below 0", option,
                    text);
        return FALSE;
    }
    *ns = (uint64_t)value;
    return TRUE;
}

static gboolean read_order(const char *option, const char *text, uint64_t *order, GError **error)
{
    static const char *const words[] = {"first", "time", "name", NULL};
    for (unsigned i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0) {
            *order = i;
            return TRUE;
        }
    }
    const char *nearest = af_word_nearest(text, words);
    g_set_error(error, AF_ERROR, AF_ERROR_USAGE, "%s takes one of time, name, first%s%s%s", option,
                nearest != NULL ? "; did you mean " : ", not \"", nearest != NULL ? nearest : text,
                nearest != NULL ? "?" : "\"");
    return FALSE;
}

static const struct {
    const char *option;
    af_step_kind kind;
    /* the number of a value; NULL = it is a text, or there is none */
    gboolean (*read)(const char *option, const char *text, uint64_t *number, GError **error);
} kinds[] = {
    {"--thread", AF_STEP_THREADS, NULL},
    {"-t", AF_STEP_THREADS, NULL},
    {"--merge-threads", AF_STEP_MERGE_THREADS, NULL},
    {"--focus", AF_STEP_FOCUS, NULL},
    {"--within", AF_STEP_WITHIN, NULL},
    {"--ignore", AF_STEP_IGNORE, NULL},
    {"--root", AF_STEP_ROOT, NULL},
    {"--hide", AF_STEP_HIDE, NULL},
    {"--max-depth", AF_STEP_MAX_DEPTH, read_depth},
    {"--shorter-than", AF_STEP_SHORTER_THAN, read_time},
    {"--fold", AF_STEP_FOLD, NULL},
    {"--collapse-recursion", AF_STEP_COLLAPSE_RECURSION, NULL},
    {"--clean", AF_STEP_CLEAN, NULL},
    {"--invert-callers", AF_STEP_INVERT_CALLERS, NULL},
    {"--compensate", AF_STEP_COMPENSATE, NULL},
    {"--sort", AF_STEP_SORT, read_order},
};

/* What the option parser calls for each of them, in the order of the command line. */
static gboolean read_step(const gchar *option, const gchar *value, gpointer user, GError **error)
{
    af_steps *steps = user;
    unsigned i = 0;
    while (strcmp(kinds[i].option, option) != 0) {
        i++;
    }
    af_step step = {.kind = kinds[i].kind, .clock = AF_CLOCK_DEFAULT};
    if (kinds[i].read == NULL) {
        step.text = value;
    }
    if (kinds[i].read != NULL && !kinds[i].read(option, value, &step.number, error)) {
        return FALSE;
    }
    if (!af_step_check(&step, error)) {
        g_prefix_error(error, "%s: ", option);
        return FALSE;
    }
    step.text = g_strdup(step.text);
    g_array_append_val(steps->steps, step);
    return TRUE;
}

enum { PLAIN = G_OPTION_FLAG_FILENAME, BARE = G_OPTION_FLAG_NO_ARG };

/* GOptionEntry wants functions as data, which ISO C has no cast for */
#define CALL G_OPTION_ARG_CALLBACK, __extension__(gpointer) read_step

static const GOptionEntry entries[] = {
    {"thread", 't', PLAIN, CALL, "main, ID, NAME, a pattern or all; repeatable", "WHICH"},
    {"merge-threads", 0, PLAIN, CALL, "Make one of threads that differ in digits", "PATTERN"},
    {"focus", 0, PLAIN, CALL, "Only paths through these methods", "PATTERN"},
    {"within", 0, PLAIN, CALL, "Only time inside calls of these, as --focus", "PATTERN"},
    {"ignore", 0, PLAIN, CALL, "No paths through these methods", "PATTERN"},
    {"root", 0, PLAIN, CALL, "Begin at these methods", "PATTERN"},
    {"hide", 0, PLAIN, CALL, "Not these frames; time goes to callers", "PATTERN"},
    {"fold", 0, PLAIN, CALL, "One frame for runs of these, or of \"framework\"", "PATTERN"},
    {"collapse-recursion", 0, BARE, CALL, "One frame for a method that calls itself", NULL},
    {"max-depth", 0, PLAIN, CALL, "No deeper frames; time goes to callers", "N"},
    {"shorter-than", 0, PLAIN, CALL, "No frames whose calls are all below (1.5ms)", "TIME"},
    {"clean", 0, BARE, CALL, "Names as in the source, no bridges between", NULL},
    {"invert-callers", 0, BARE, CALL, "What took time at the root, callers above", NULL},
    {"compensate", 0, BARE, CALL, "Without the time that tracing itself took", NULL},
    {"sort", 0, PLAIN, CALL, "Siblings by time, name or first call (first)", "ORDER"},
    G_OPTION_ENTRY_NULL,
};

const GOptionEntry *af_steps_entries(void)
{
    return entries;
}

GOptionGroup *af_steps_group(af_steps *steps, const char *without)
{
    GOptionGroup *group = g_option_group_new(
        "steps",
        "Selecting and reshaping, done in the order in which they are typed. PATTERN is\n"
        "text, /regex/, /regex/i, =exact or a glob as com.me.**; ! before it: all others.",
        "", steps, NULL);
    GOptionEntry wanted[G_N_ELEMENTS(entries)];
    unsigned n = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (entries[i].long_name == NULL || without == NULL ||
            strcmp(entries[i].long_name, without) != 0) {
            wanted[n++] = entries[i];
        }
    }
    g_option_group_add_entries(group, wanted);
    return group;
}

/* ---- life ---- */

static void clear_step(gpointer data)
{
    g_free((char *)((af_step *)data)->text);
}

void af_steps_init(af_steps *steps)
{
    steps->steps = g_array_new(FALSE, FALSE, sizeof(af_step));
    steps->threads = NULL;
    g_array_set_clear_func(steps->steps, clear_step);
}

void af_steps_clear(af_steps *steps)
{
    g_array_unref(steps->steps);
    g_strfreev(steps->threads);
}

static guint find_last_merge(const GArray *steps)
{
    for (guint i = steps->len; i > 0; i--) {
        if (g_array_index(steps, af_step, i - 1).kind == AF_STEP_MERGE_THREADS) {
            return i;
        }
    }
    return 0;
}

void af_steps_finish(af_steps *steps, af_clock clock)
{
    GPtrArray *threads = g_ptr_array_new();
    for (guint i = 0; i < steps->steps->len; i++) {
        g_array_index(steps->steps, af_step, i).clock = clock;
    }
    for (guint i = find_last_merge(steps->steps); i < steps->steps->len;) {
        const af_step *step = &g_array_index(steps->steps, af_step, i);
        if (step->kind == AF_STEP_THREADS) {
            g_ptr_array_add(threads, g_strdup(step->text));
            g_array_remove_index(steps->steps, i);
        } else {
            i++;
        }
    }
    const gboolean any = threads->len > 0;
    g_ptr_array_add(threads, NULL);
    char **list = (char **)(void *)g_ptr_array_free(threads, FALSE);
    steps->threads = any ? list : NULL;
    if (!any) {
        g_free(list);
    }
}

gboolean af_steps_take_inversion(af_steps *steps)
{
    unsigned n = 0;
    for (guint i = 0; i < steps->steps->len; i++) {
        n += g_array_index(steps->steps, af_step, i).kind == AF_STEP_INVERT_CALLERS;
    }
    const guint last = steps->steps->len - 1;
    if (n != 1 || g_array_index(steps->steps, af_step, last).kind != AF_STEP_INVERT_CALLERS) {
        return FALSE;
    }
    g_array_remove_index(steps->steps, last);
    return TRUE;
}

/* ---- doing ---- */

static void say_notes(const af_input *input, const af_profile *profile)
{
    for (unsigned i = 0; i < af_profile_n_steps(profile); i++) {
        const af_step_view step = af_profile_step(profile, i);
        if (step.note != NULL) {
            af_message_print(input->name, "%s: %s", step.option, step.note);
        }
    }
}

af_profile *af_steps_open(const af_steps *steps, const af_input *input,
                          const af_open_options *options, const af_common *common, af_exit *status)
{
    af_profile *profile = af_input_take(input, options, common, status);
    if (profile == NULL || steps->steps->len == 0) {
        return profile;
    }
    GError *error = NULL;
    af_profile *made = af_profile_reshape(profile, (const af_step *)(void *)steps->steps->data,
                                          steps->steps->len, &error);
    af_profile_free(profile);
    if (made == NULL) {
        *status = af_message_fail(input->name, error);
        g_error_free(error);
    } else if (!common->quiet) {
        say_notes(input, made);
    }
    return made;
}
