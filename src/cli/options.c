#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#define MOST_JOBS 1024

/* "--word" of everything in both tables, for did-you-mean. */
static GPtrArray *list_options(const GOptionEntry *entries, const GOptionEntry *common)
{
    const GOptionEntry *tables[] = {entries, common};
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        for (const GOptionEntry *e = tables[i]; e->long_name != NULL; e++) {
            if (e->long_name[0] != '\0') {
                g_ptr_array_add(words, g_strconcat("--", e->long_name, NULL));
            }
        }
    }
    g_ptr_array_add(words, NULL);
    return words;
}

static const GOptionEntry *find_option(const GOptionEntry *entries, const char *name, size_t length)
{
    for (; entries->long_name != NULL; entries++) {
        if (strlen(entries->long_name) == length &&
            strncmp(entries->long_name, name, length) == 0) {
            return entries;
        }
    }
    return NULL;
}

/* The parser takes "--strict=no" for "--strict". Returns FALSE if there is such a thing. */
static gboolean check_values(const GOptionEntry *entries, const GOptionEntry *common, int argc,
                             char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t length = strcspn(argv[i], "=");
        if (strncmp(argv[i], "--", 2) != 0 || argv[i][length] == '\0') {
            continue;
        }
        const GOptionEntry *e = find_option(entries, argv[i] + 2, length - 2);
        e = e != NULL ? e : find_option(common, argv[i] + 2, length - 2);
        if (e != NULL && e->arg == G_OPTION_ARG_NONE) {
            af_message_say(NULL, "--%s takes no value", e->long_name);
            return FALSE;
        }
    }
    return TRUE;
}

static void refuse_option(const af_verb *verb, const char *typed, const GOptionEntry *entries,
                          const GOptionEntry *common)
{
    GPtrArray *words = list_options(entries, common);
    char *name = g_strndup(typed, strcspn(typed, "="));
    const char *nearest =
        name[1] == '-' ? af_word_nearest(name, (const char *const *)(void *)words->pdata) : NULL;
    if (nearest != NULL) {
        af_message_say(NULL, "unknown option %s; did you mean %s?", name, nearest);
    } else {
        af_message_say(NULL, "unknown option %s; \"aflame %s --help\" lists them", name,
                       verb->name);
    }
    g_free(name);
    g_ptr_array_unref(words);
}

static void print_help(GOptionContext *context, const af_verb *verb)
{
    char *name = g_strdup_printf("aflame %s", verb->name);
    g_set_prgname(name);
    char *help = g_option_context_get_help(context, TRUE, NULL);
    /* the only letter in it that is not ASCII, and it may not be known to the terminal */
    GString *plain = g_string_new(help);
    g_string_replace(plain, "…", "...", 0);
    fputs(plain->str, stdout);
    g_string_free(plain, TRUE);
    g_free(help);
    g_free(name);
}

static gboolean read_jobs(const char *text, unsigned *jobs)
{
    guint64 value = 0;
    if (text != NULL && !g_ascii_string_to_unsigned(text, 10, 1, MOST_JOBS, &value, NULL)) {
        af_message_say(NULL, "--jobs takes a number from 1 to %d, not \"%s\"", MOST_JOBS, text);
        return FALSE;
    }
    *jobs = (unsigned)value;
    return TRUE;
}

af_options_result af_options_parse(const af_verb *verb, const GOptionEntry *entries, int argc,
                                   char **argv, af_common *common)
{
    memset(common, 0, sizeof *common);
    gboolean help = FALSE;
    char *jobs = NULL;
    const GOptionEntry shared[] = {
        {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &jobs, "Work on N processors (default: all)", "N"},
        {"strict", 0, 0, G_OPTION_ARG_NONE, &common->strict,
         "Any warning about the input is a failure (exit 4)", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &common->quiet, "Say errors only", NULL},
        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &common->verbose, "Say notes too", NULL},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Print this help", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &common->operands, NULL, NULL},
        G_OPTION_ENTRY_NULL,
    };
    GOptionContext *context = g_option_context_new(verb->operands);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_ignore_unknown_options(context, TRUE);
    g_option_context_set_summary(context, verb->about);
    g_option_context_set_description(context, verb->examples);
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, shared, NULL);

    af_options_result result = AF_OPTIONS_GO_ON;
    GError *error = NULL;
    if (!check_values(entries, shared, argc, argv)) {
        result = AF_OPTIONS_WRONG;
    } else if (!g_option_context_parse(context, &argc, &argv, &error)) {
        error->message[0] = g_ascii_tolower(error->message[0]);
        af_message_fail(NULL, error);
        g_error_free(error);
        result = AF_OPTIONS_WRONG;
    } else if (help) {
        print_help(context, verb);
        result = AF_OPTIONS_HELPED;
    } else if (argc > 1) {
        refuse_option(verb, argv[1], entries, shared);
        result = AF_OPTIONS_WRONG;
    } else if (!read_jobs(jobs, &common->jobs)) {
        result = AF_OPTIONS_WRONG;
    }
    if (common->operands == NULL) {
        common->operands = g_new0(char *, 1);
    }
    g_free(jobs);
    g_option_context_free(context);
    return result;
}

void af_options_free(af_common *common)
{
    g_strfreev(common->operands);
}

gboolean af_options_word(const char *option, const char *text, const char *const *words, int *value)
{
    if (text == NULL) {
        return TRUE;
    }
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0) {
            *value = i;
            return TRUE;
        }
    }
    char *list = g_strjoinv(", ", (char **)(void *)words);
    const char *nearest = af_word_nearest(text, words);
    if (nearest != NULL) {
        af_message_say(NULL, "%s takes one of %s; did you mean %s?", option, list, nearest);
    } else {
        af_message_say(NULL, "%s takes one of %s, not \"%s\"", option, list, text);
    }
    g_free(list);
    return FALSE;
}

/* "12", "1.5", ".25" as hundredths; -1 if it is anything else. Never by locale. */
static int64_t scan_hundredths(const char *text)
{
    size_t whole = strspn(text, "0123456789");
    size_t behind = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    size_t end = whole + (text[whole] == '.' ? 1 + behind : 0);
    if (text[end] != '\0' || whole + behind == 0 || whole > 9 || behind > 2) {
        return -1;
    }
    int64_t value = g_ascii_strtoll(text, NULL, 10) * 100;
    if (behind > 0) {
        value += (text[whole + 1] - '0') * 10;
    }
    if (behind > 1) {
        value += text[whole + 2] - '0';
    }
    return value;
}

gboolean af_options_hundredths(const char *option, const char *text, int least, int most,
                               int *value)
{
    if (text == NULL) {
        return TRUE;
    }
    int64_t found = scan_hundredths(text);
    if (found < least || found > most) {
        af_message_say(NULL, "%s takes a number from %g to %g, not \"%s\"", option, least / 100.0,
                       most / 100.0, text);
        return FALSE;
    }
    *value = (int)found;
    return TRUE;
}

gboolean af_options_clock(const char *text, af_clock *clock)
{
    static const char *const words[] = {"wall", "cpu", NULL};
    int value = AF_CLOCK_DEFAULT;
    if (!af_options_word("--clock", text, words, &value)) {
        return FALSE;
    }
    *clock = (af_clock)value;
    return TRUE;
}
