#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#define MOST_JOBS 1024

/* Where the options of this run come from, for messages about their values. */
static const af_settings *said_by;

void af_options_complain(const char *option, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    af_message_print(said_by != NULL ? af_settings_origin(said_by, option) : NULL, "%s%s%s", option,
                     text[0] == ':' ? "" : " ", text);
    g_free(text);
}

/* "--word" of everything in the tables (ends with NULL), for did-you-mean. */
static GPtrArray *list_options(const GOptionEntry *const *tables)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (; *tables != NULL; tables++) {
        for (const GOptionEntry *e = *tables; e->long_name != NULL; e++) {
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
static gboolean check_values(const GOptionEntry *const *tables, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t length = strcspn(argv[i], "=");
        if (strncmp(argv[i], "--", 2) != 0 || argv[i][length] == '\0') {
            continue;
        }
        const GOptionEntry *e = NULL;
        for (unsigned t = 0; tables[t] != NULL && e == NULL; t++) {
            e = find_option(tables[t], argv[i] + 2, length - 2);
        }
        if (e != NULL && (e->arg == G_OPTION_ARG_NONE || (e->flags & G_OPTION_FLAG_NO_ARG) != 0)) {
            af_message_print(NULL, "--%s takes no value", e->long_name);
            return FALSE;
        }
    }
    return TRUE;
}

static void refuse_option(const af_verb *verb, const char *typed, const GOptionEntry *const *tables)
{
    GPtrArray *words = list_options(tables);
    char *name = g_strndup(typed, strcspn(typed, "="));
    const char *nearest =
        name[1] == '-' ? af_word_nearest(name, (const char *const *)(void *)words->pdata) : NULL;
    if (nearest != NULL) {
        af_message_print(NULL, "unknown option %s; did you mean %s?", name, nearest);
    } else {
        af_message_print(NULL, "unknown option %s; \"aflame %s --help\" lists them", name,
                         verb->name);
    }
    g_free(name);
    g_ptr_array_unref(words);
}

/* Puts the group's options behind the verb's own; by itself the library would want a --help-GROUP
 * for them. */
static void insert_group(GOptionContext *context, const af_verb *verb, GOptionGroup *group,
                         GString *help)
{
    static const char heading[] = "\nSelecting";
    char *all = g_option_context_get_help(context, FALSE, group);
    const char *begin = strstr(all, heading), *end = g_strrstr(all, verb->examples);
    char *before = g_strrstr(help->str, verb->examples);
    if (begin != NULL && end != NULL && before != NULL) {
        g_string_insert_len(help, before - help->str, begin + 1, end - begin - 1);
    }
    g_string_replace(help, "Application Options:", "Options:", 1);
    g_free(all);
}

static void print_help(GOptionContext *context, const af_verb *verb, GOptionGroup *group)
{
    char *name = g_strdup_printf("aflame %s", verb->name);
    g_set_prgname(name);
    char *help = g_option_context_get_help(context, TRUE, NULL);
    /* the only letter in it that is not ASCII, and it may not be known to the terminal */
    GString *plain = g_string_new(help);
    if (group != NULL) {
        insert_group(context, verb, group, plain);
    }
    g_string_replace(plain, "…", "...", 0);
    fputs(plain->str, stdout);
    g_string_free(plain, TRUE);
    g_free(help);
    g_free(name);
}

/* What the options of every verb say and only this file wants to know. */
typedef struct {
    gboolean help, keep_synthetic, no_config, print;
    char **presets;
    char *jobs, *from, *to, *time_scale, *other_ends, *overlaps;
} shared_values;

/* The options of a run: tables of the verb's own, of all verbs and of the group (none: empty). */
typedef struct {
    const af_verb *verb;
    const GOptionEntry *tables[4]; /* ends with NULL */
    GOptionGroup *group;           /* the context's */
} option_set;

enum { OWN, SHARED };

static GOptionContext *make_context(const option_set *set)
{
    const af_verb *verb = set->verb;
    GOptionContext *context = g_option_context_new(verb->operands);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_ignore_unknown_options(context, TRUE);
    g_option_context_set_summary(context, verb->about);
    g_option_context_set_description(context, verb->examples);
    g_option_context_add_main_entries(context, set->tables[OWN], NULL);
    g_option_context_add_main_entries(context, set->tables[SHARED], NULL);
    if (set->group != NULL) {
        g_option_context_add_group(context, set->group);
    }
    return context;
}

static gboolean read_jobs(const char *text, unsigned *jobs)
{
    guint64 value = 0;
    if (text != NULL && !g_ascii_string_to_unsigned(text, 10, 1, MOST_JOBS, &value, NULL)) {
        af_message_print(NULL, "--jobs takes a number from 1 to %d, not \"%s\"", MOST_JOBS, text);
        return FALSE;
    }
    *jobs = (unsigned)value;
    return TRUE;
}

/* A time in the trace; `ns` stays what it is without one. */
static gboolean read_time(const char *option, const char *text, int64_t *ns)
{
    GError *error = NULL;
    if (text == NULL || af_time_parse(text, ns, &error)) {
        return TRUE;
    }
    af_options_complain(option, ": %s", error->message);
    g_error_free(error);
    return FALSE;
}

/* Up to six digits behind the point; `millionths` is 0 without one. */
static gboolean read_scale(const char *text, uint64_t *millionths)
{
    *millionths = 0;
    if (text == NULL) {
        return TRUE;
    }
    char *end;
    const double number = g_ascii_strtod(text, &end);
    if (end != text && *end == '\0' && number >= 1e-6 && number <= 1000) {
        *millionths = (uint64_t)(number * 1e6 + 0.5);
        return TRUE;
    }
    af_options_complain("--time-scale", "takes a number from 0.000001 to 1000, not \"%s\"", text);
    return FALSE;
}

/* What is done where Chrome's events leave it open. */
static gboolean read_ways(const shared_values *values, af_common *common)
{
    static const char *const ends[] = {"close", "ignore", NULL};
    static const char *const overlaps[] = {"cut", "lane", NULL};
    int end = 0, overlap = 0;
    const gboolean ok = af_options_word("--other-ends", values->other_ends, ends, &end) &&
                        af_options_word("--overlaps", values->overlaps, overlaps, &overlap);
    common->ignore_other_ends = end == 1;
    common->overlap_lanes = overlap == 1;
    return ok;
}

static gboolean read_part(const char *from, const char *to, af_common *common)
{
    common->part = from != NULL || to != NULL;
    common->from_ns = 0;
    common->to_ns = AF_TO_THE_END;
    return read_time("--from", from, &common->from_ns) && read_time("--to", to, &common->to_ns);
}

/* After the verb's own options were read without a mistake; what is left is unknown. */
static af_options_result judge(const option_set *set, GOptionContext *context,
                               const af_common *common, const shared_values *values, int argc,
                               char **argv)
{
    if (values->help) {
        print_help(context, set->verb, set->group);
        return AF_OPTIONS_HELPED;
    }
    if (argc > 1) {
        refuse_option(set->verb, argv[1], set->tables);
        return AF_OPTIONS_WRONG;
    }
    if (values->print) {
        char *text = af_settings_print(common->settings);
        fputs(text, stdout);
        g_free(text);
        return AF_OPTIONS_HELPED;
    }
    char *told = common->verbose ? af_settings_report(common->settings) : NULL;
    if (told != NULL) {
        af_message_print(NULL, "%s", told);
        g_free(told);
    }
    return AF_OPTIONS_GO_ON;
}

/* Where in the file the value stands that the parser does not like; NULL = it was typed. */
static const char *find_culprit(GOptionContext *context, const af_verb *verb,
                                const af_settings *settings)
{
    const char *origin;
    char *word;
    for (unsigned i = 0; (origin = af_settings_step(settings, i, &word)) != NULL; i++) {
        char *words[] = {(char *)verb->name, word, NULL}, **argv = words;
        int argc = 2;
        const gboolean fine = g_option_context_parse(context, &argc, &argv, NULL);
        g_free(word);
        if (!fine) {
            break;
        }
    }
    return origin;
}

/* Reads what is typed and what the file says, in this order of words. */
static af_options_result parse(const option_set *set, af_common *common,
                               const shared_values *values)
{
    GOptionContext *context = make_context(set);
    int argc;
    char **words = af_settings_argv(common->settings, &argc);
    char **argv = g_memdup2(words, sizeof *words * ((gsize)argc + 1)); /* the parser takes out */
    char **left = argv;
    af_options_result result = AF_OPTIONS_WRONG;
    GError *error = NULL;
    if (!check_values(set->tables, argc, argv)) {
        result = AF_OPTIONS_WRONG;
    } else if (!g_option_context_parse(context, &argc, &left, &error)) {
        error->message[0] = g_ascii_tolower(error->message[0]);
        af_message_fail(find_culprit(context, set->verb, common->settings), error);
        g_error_free(error);
    } else {
        result = judge(set, context, common, values, argc, left);
    }
    g_free(argv);
    g_option_context_free(context);
    return result;
}

af_options_result af_options_parse(const af_verb *verb, const GOptionEntry *entries, int argc,
                                   char **argv, af_common *common)
{
    return af_options_parse_with(verb, entries, NULL, NULL, argc, argv, common);
}

af_options_result af_options_parse_with(const af_verb *verb, const GOptionEntry *entries,
                                        GOptionGroup *group, const GOptionEntry *more, int argc,
                                        char **argv, af_common *common)
{
    memset(common, 0, sizeof *common);
    shared_values values = {0};
    const GOptionEntry shared[] = {
        {"from", 0, 0, G_OPTION_ARG_FILENAME, &values.from,
         "From then on: 1.5s, 300ms, 20us; -2s from the end", "TIME"},
        {"to", 0, 0, G_OPTION_ARG_FILENAME, &values.to, "Up to then", "TIME"},
        {"mapping", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &common->mapping_paths,
         "Real names by this mapping.txt (R8); repeatable", "FILE"},
        {"keep-synthetic", 0, 0, G_OPTION_ARG_NONE, &values.keep_synthetic,
         "Do not call forwarders by what they call", NULL},
        {"unit", 0, 0, G_OPTION_ARG_FILENAME, &common->unit,
         "What folded stacks count: samples, ns, us, ...", "NAME"},
        {"event", 0, 0, G_OPTION_ARG_FILENAME, &common->event,
         "Of a perf recording: samples of this event", "NAME"},
        {"symfs", 0, 0, G_OPTION_ARG_FILENAME, &common->symfs,
         "Symbols of libraries below this folder", "DIR"},
        {"kallsyms", 0, 0, G_OPTION_ARG_FILENAME, &common->kallsyms,
         "Symbols of the kernel: a copy of /proc/kallsyms", "FILE"},
        {"time-scale", 0, 0, G_OPTION_ARG_FILENAME, &values.time_scale,
         "Times are F times as long as the file says", "F"},
        {"other-ends", 0, 0, G_OPTION_ARG_FILENAME, &values.other_ends,
         "Chrome: ends that name no open call: close, ignore", "HOW"},
        {"overlaps", 0, 0, G_OPTION_ARG_FILENAME, &values.overlaps,
         "Chrome: calls that overlap: cut, lane", "HOW"},
        {"show-art-frames", 0, 0, G_OPTION_ARG_NONE, &common->show_art,
         "Keep frames of the Android runtime", NULL},
        {"preset", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &values.presets,
         "Options of [preset NAME] in .aflame; repeatable", "NAME"},
        {"no-config", 0, 0, G_OPTION_ARG_NONE, &values.no_config, "Do not look for .aflame", NULL},
        {"print-options", 0, 0, G_OPTION_ARG_NONE, &values.print,
         "Print the options that count, and do nothing", NULL},
        {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &values.jobs, "Work on N processors (default: all)",
         "N"},
        {"strict", 0, 0, G_OPTION_ARG_NONE, &common->strict,
         "Any warning about the input is a failure (exit 4)", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &common->quiet, "Say errors only", NULL},
        {"verbose", 'v', 0, G_OPTION_ARG_NONE, &common->verbose, "Say notes too", NULL},
        {"help", 'h', 0, G_OPTION_ARG_NONE, &values.help, "Print this help", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &common->operands, NULL, NULL},
        G_OPTION_ENTRY_NULL,
    };
    const option_set set = {verb, {entries, shared, more, NULL}, group};
    af_options_result result = AF_OPTIONS_WRONG;
    said_by = common->settings = af_settings_read(verb, set.tables, argc, argv);
    if (common->settings != NULL) {
        result = parse(&set, common, &values);
    } else if (group != NULL) {
        g_option_group_unref(group);
    }
    if (result == AF_OPTIONS_GO_ON &&
        (!read_jobs(values.jobs, &common->jobs) || !read_part(values.from, values.to, common) ||
         !read_scale(values.time_scale, &common->time_scale) || !read_ways(&values, common))) {
        result = AF_OPTIONS_WRONG;
    }
    if (common->operands == NULL) {
        common->operands = g_new0(char *, 1);
    }
    common->mappings = af_mappings_new(common->mapping_paths, values.keep_synthetic);
    g_strfreev(values.presets);
    g_free(values.jobs);
    g_free(values.from);
    g_free(values.to);
    g_free(values.time_scale);
    g_free(values.other_ends);
    g_free(values.overlaps);
    return result;
}

void af_options_free(af_common *common)
{
    said_by = NULL;
    af_settings_free(common->settings);
    g_strfreev(common->operands);
    g_strfreev(common->mapping_paths);
    g_free(common->unit);
    g_free(common->event);
    g_free(common->symfs);
    g_free(common->kallsyms);
    af_mappings_free(common->mappings);
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
        af_options_complain(option, "takes one of %s; did you mean %s?", list, nearest);
    } else {
        af_options_complain(option, "takes one of %s, not \"%s\"", list, text);
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
        value += (text[whole + 1] - '0') * INT64_C(10);
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
        af_options_complain(option, "takes a number from %g to %g, not \"%s\"", least / 100.0,
                            most / 100.0, text);
        return FALSE;
    }
    *value = (int)found;
    return TRUE;
}

gboolean af_options_clock(const char *text, af_clock *clock)
{
    static const char *const words[] = {"wall", "cpu", "wait", NULL};
    int value = AF_CLOCK_DEFAULT;
    if (!af_options_word("--clock", text, words, &value)) {
        return FALSE;
    }
    *clock = (af_clock)value;
    return TRUE;
}
