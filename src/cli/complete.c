#include "cli/complete.h"

#include <string.h>
#include "api/autoptr.h"
#include "cli/config.h"
#include "cli/option.h"
#include "cli/outputs.h"

static void add(GString *page, const char *prefix, const char *word, const char *help)
{
    if (g_str_has_prefix(word, prefix)) {
        g_string_append_printf(page, "%s%s%s\n", word, help != NULL ? "\t" : "",
                               help != NULL ? help : "");
    }
}

static void add_verbs(GString *page, const char *prefix)
{
    const af_verb *verb;
    for (unsigned i = 0; (verb = af_verb_at(i)) != NULL; i++) {
        add(page, prefix, verb->name, verb->title);
    }
    add(page, prefix, "help", "print the manual page of a verb");
}

static void add_options(GString *page, const af_verb *verb, const char *prefix)
{
    const af_option *option;
    for (unsigned i = 0; (option = af_option_at(i)) != NULL; i++) {
        if ((option->verbs & verb->bit) != 0) {
            g_autofree char *word =
                g_strdup_printf("--%s%s", option->name, option->value != NULL ? "=" : "");
            add(page, prefix, word, option->help);
        }
    }
}

static void add_formats(GString *page, const af_formats *formats, const char *prefix)
{
    for (unsigned i = 0; formats != NULL && formats->name(i) != NULL; i++) {
        add(page, prefix, formats->name(i), NULL);
    }
}

static void add_presets(GString *page, const char *prefix)
{
    static const char group[] = "preset ";
    af_config *config;
    if (!af_config_find(&config) || config == NULL) {
        return;
    }
    for (guint i = 0; i < config->groups->len; i++) {
        const char *name = g_array_index(config->groups, af_config_group, i).name;
        if (g_str_has_prefix(name, group)) {
            add(page, prefix, name + strlen(group), NULL);
        }
    }
    af_config_free(config);
}

/* The threads of the first trace that the line names. */
static void add_threads(GString *page, int n_words, char **words, const char *prefix)
{
    af_open_options options = AF_OPEN_OPTIONS_INIT;
    options.only_sums = TRUE;
    g_autoptr(af_profile) profile = NULL;
    for (int i = 0; profile == NULL && i < n_words; i++) {
        if (words[i][0] != '-' && g_file_test(words[i], G_FILE_TEST_IS_REGULAR)) {
            profile = af_profile_open(words[i], &options, NULL);
        }
    }
    add(page, prefix, "main", NULL);
    add(page, prefix, "all", NULL);
    for (unsigned t = 0; profile != NULL && t < af_profile_n_threads(profile); t++) {
        const char *name = af_thread_title(profile, t);
        if (strcmp(name, "main") != 0 && strpbrk(name, "\n\t") == NULL) {
            add(page, prefix, name, NULL);
        }
    }
}

static void add_values(GString *page, const af_verb *verb, const af_option *option, int n_words,
                       char **words, const char *prefix)
{
    if (strcmp(option->name, "format") == 0) {
        add_formats(page, verb->formats, prefix);
        add_formats(page, verb->pictures != verb->formats ? verb->pictures : NULL, prefix);
    } else if (strcmp(option->name, "preset") == 0) {
        add_presets(page, prefix);
    } else if (strcmp(option->name, "thread") == 0) {
        add_threads(page, n_words, words, prefix);
    }
    for (unsigned i = 0; option->words != NULL && option->words[i] != NULL; i++) {
        add(page, prefix, option->words[i], NULL);
    }
    for (unsigned i = 0; option->choice != NULL && option->choice(i) != NULL; i++) {
        add(page, prefix, option->choice(i), NULL);
    }
}

/* The option whose value the word is: "--clock" and "-c". NULL = none. */
static const af_option *find_option(const af_verb *verb, const char *word, size_t length)
{
    const af_option *option = NULL;
    if (g_str_has_prefix(word, "--")) {
        option = af_option_lookup(verb->bit, word + 2, length - 2);
    } else if (length == 2 && word[0] == '-') {
        option = af_option_by_letter(verb->bit, word[1]);
    }
    return option != NULL && option->value != NULL ? option : NULL;
}

af_exit af_complete(int n_words, char **words)
{
    g_autoptr(GString) page = g_string_new(NULL);
    const char *last = n_words > 0 ? words[n_words - 1] : "";
    const af_verb *typed = n_words > 1 ? af_verb_lookup(words[0]) : NULL;
    const af_verb *verb = typed != NULL ? typed : &af_verb_render;
    const char *equals = g_str_has_prefix(last, "--") ? strchr(last, '=') : NULL;
    const char *before = n_words > 1 ? words[n_words - 2] : "";
    const af_option *option = equals != NULL ? find_option(verb, last, (size_t)(equals - last))
                                             : find_option(verb, before, strlen(before));
    const gboolean is_help = n_words > 1 && strcmp(words[0], "help") == 0;
    if (option != NULL && (equals != NULL || strchr(before, '=') == NULL)) {
        add_values(page, verb, option, n_words - 1, words, equals != NULL ? equals + 1 : last);
    } else if (last[0] == '-' && !is_help) {
        add_options(page, verb, last);
    } else if (n_words < 2 || is_help) {
        add_verbs(page, last);
    }
    return af_output_print(page->str);
}
