#include "cli/settings.h"
#include "api/command.h"

#include <string.h>

#define TOP     0u
#define OF_VERB 1u
#define PRESETS 2u /* presets have this priority and above */
#define TYPED   UINT_MAX

void af_setting_complain(const af_setting *setting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    af_message_print(setting->origin, "--%s%s%s", setting->option->name, text[0] == ':' ? "" : " ",
                     text);
}

char *af_setting_write(const af_setting *it, const char *value)
{
    return g_strconcat("--", it->option->name, it->option->value != NULL ? "=" : NULL, value, NULL);
}

const af_setting *af_settings_find(const af_settings *s, const char *name)
{
    for (guint i = s->list->len; i > 0; i--) {
        const af_setting *it = &g_array_index(s->list, af_setting, i - 1);
        if (strcmp(it->option->name, name) == 0) {
            return it;
        }
    }
    return NULL;
}

/* FALSE, and prints so, if an earlier value would have no effect. Scripts that start a server may
 * append options to their own. */
static gboolean is_first(const af_settings *s, const af_option *option)
{
    for (guint i = 0; i < s->list->len; i++) {
        if (option->repeat == AF_LAST && option->value != NULL &&
            (option->verbs & AF_READING) != 0 &&
            g_array_index(s->list, af_setting, i).option == option) {
            af_message_print(NULL, "--%s is given twice; leave out one of them", option->name);
            return FALSE;
        }
    }
    return TRUE;
}

static void add_typed(af_settings *s, const af_option *option, const char *value, gboolean off)
{
    const af_setting it = {.option = option, .value = value, .priority = TYPED, .off = off};
    g_array_append_val(s->list, it);
}

/* Lists the verbs that have the option: "render and calls". */
static char *list_verbs(const char *name, size_t length)
{
    GString *list = g_string_new(NULL);
    const af_verb *verb;
    for (unsigned i = 0; (verb = af_verb_at(i)) != NULL; i++) {
        if (af_option_lookup(verb->bit, name, length) != NULL) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", verb->name);
        }
    }
    return g_string_free(list, FALSE);
}

/* What those who come from flamegraph.pl look for. */
static const char *find_ours(const char *theirs)
{
    static const struct {
        const char *theirs, *ours;
    } names[] = {
        {"--minwidth", "that is --min-width here, in pixels"},
        {"--countname", "that is --unit here"},
        {"--nametype",
         "frames are methods here; --names=short, class or full chooses how they are written"},
        {"--reverse", "that is --invert-callers here"},
        {"--flamechart", "that is --view=chart here"},
        {"--factor", "that is --time-scale here"},
        {"--total", "100 % is the time of the threads; --width=PX sets the width of the picture"},
        {"--negate", "aflame diff compares two inputs; swap them"},
        {"--subtitle", "--title=TEXT takes all of it"},
        {"--notes", "--title=TEXT takes one"},
        {"--colors", "the colour shows whose code a frame is; --theme=dark changes the background"},
        {"--bgcolors", "--theme=dark changes the background"},
        {"--hash", "colours are the same in every run; --theme=light or dark chooses them"},
        {"--random", "colours are the same in every run; --theme=light or dark chooses them"},
        {"--cp", "colours are the same in every run; --theme=light or dark chooses them"},
        {"--fonttype", "pictures contain their font; --system-fonts uses those of the system"},
        {"--fontsize", "--scale enlarges a PNG; SVG and PDF can be zoomed"},
        {"--encoding", "pictures are in UTF-8"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(theirs, names[i].theirs) == 0) {
            return names[i].ours;
        }
    }
    return NULL;
}

static void refuse_option(const af_verb *verb, const char *typed)
{
    const gboolean full = typed[1] == '-';
    g_autofree char *name = g_strndup(typed, full ? strcspn(typed, "=") : 2);
    const char *nearest = full ? af_option_nearest(verb->bit, 0, name + 2) : NULL;
    if (full && af_option_lookup(AF_ALL_VERBS, name + 2, strlen(name + 2)) != NULL) {
        g_autofree char *verbs = list_verbs(name + 2, strlen(name + 2));
        af_message_print(NULL, "%s has no option %s; it belongs to %s", verb->name, name, verbs);
    } else if (find_ours(name) != NULL) {
        af_message_print(NULL, "unknown option %s: %s", name, find_ours(name));
    } else if (nearest != NULL) {
        af_message_print(NULL, "unknown option %s; did you mean --%s?", name, nearest);
    } else {
        af_message_print(NULL, "unknown option %s; \"aflame %s --help\" lists the options", name,
                         verb->name);
    }
}

/* Both return how many words the option uses; 0 = it is wrong, which is printed. */

static int read_value(af_settings *s, const af_option *option, const char *attached,
                      const char *next)
{
    if (attached == NULL && next == NULL) {
        af_message_print(NULL, "--%s needs a value: --%s=%s", option->name, option->name,
                         option->value);
        return 0;
    }
    if (!is_first(s, option)) {
        return 0;
    }
    add_typed(s, option, attached != NULL ? attached : next, FALSE);
    return attached != NULL ? 1 : 2;
}

/* "--inverted", "--theme=dark", "--theme dark", "--no-inverted". */
static int read_name(af_settings *s, const char *word, const char *next)
{
    const size_t length = strcspn(word + 2, "=");
    const char *attached = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
    const af_option *option = af_option_lookup(s->verb->bit, word + 2, length);
    if (option == NULL && g_str_has_prefix(word, "--no-") && attached == NULL) {
        option = af_option_lookup(s->verb->bit, word + 5, length - 3);
        if (option != NULL && option->value == NULL && (option->allowed & AF_IN_FILE) != 0) {
            add_typed(s, option, NULL, TRUE);
            return 1;
        }
        option = NULL;
    }
    if (option == NULL) {
        refuse_option(s->verb, word);
        return 0;
    }
    if (option->value != NULL) {
        return read_value(s, option, attached, next);
    }
    if (attached != NULL) {
        af_message_print(NULL, "--%s takes no value", option->name);
        return 0;
    }
    add_typed(s, option, NULL, FALSE);
    return 1;
}

/* "-qv", "-t main", "-tmain". */
static int read_letters(af_settings *s, const char *word, const char *next)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const af_option *option = af_option_by_letter(s->verb->bit, *letter);
        if (option == NULL) {
            const char wrong[] = {'-', *letter, '\0'};
            refuse_option(s->verb, wrong);
            return 0;
        }
        if (option->value != NULL) {
            return read_value(s, option, letter[1] != '\0' ? letter + 1 : NULL, next);
        }
        add_typed(s, option, NULL, FALSE);
    }
    return 1;
}

static gboolean read_typed(af_settings *s, int argc, char **argv)
{
    gboolean only_operands = FALSE;
    for (int i = 1; i < argc;) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        int n = 1;
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            g_ptr_array_add(s->operands, argv[i]);
        } else if (strcmp(word, "--") == 0) {
            only_operands = TRUE;
        } else {
            n = word[1] == '-' ? read_name(s, word, next) : read_letters(s, word, next);
        }
        if (n == 0) {
            return FALSE;
        }
        i += n;
    }
    return TRUE;
}

/* "startup" of "preset startup"; NULL for other groups. */
static const char *find_preset_name(const char *group)
{
    static const char word[] = "preset ";
    return g_str_has_prefix(group, word) ? group + strlen(word) + strspn(group + strlen(word), " ")
                                         : NULL;
}

static gboolean is_top(const char *group)
{
    return group[0] == '\0' || strcmp(group, "options") == 0;
}

/* The priority of a group; -1 = it does not apply to this run. */
static int64_t find_priority(const af_settings *s, const char *group)
{
    const char *name = find_preset_name(group);
    if (is_top(group)) {
        return TOP;
    }
    if (name == NULL) {
        return strcmp(group, s->verb->name) == 0 ? (int64_t)OF_VERB : -1;
    }
    int64_t priority = -1;
    for (guint i = 0; i < s->list->len; i++) {
        const af_setting *it = &g_array_index(s->list, af_setting, i);
        if (it->priority == TYPED && strcmp(it->option->name, "preset") == 0 &&
            strcmp(it->value, name) == 0) {
            priority = PRESETS + i;
        }
    }
    return priority;
}

static gboolean check_group(const af_settings *s, const char *group, unsigned line)
{
    const char *preset = find_preset_name(group);
    if (is_top(group) || preset != NULL || af_verb_lookup(group) != NULL) {
        return TRUE;
    }
    const char *nearest = strcmp(group, "preset") == 0 ? "preset NAME" : af_verb_nearest(group);
    af_config_report(s->config, line, "unknown group%s%s%s",
                     nearest != NULL ? "; did you mean [" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "]?" : "; groups are verbs, [options] and [preset NAME]");
    return FALSE;
}

static gboolean check_key(const af_settings *s, const af_config_line *line)
{
    const af_option *own = af_option_lookup(s->verb->bit, line->key, strlen(line->key));
    const af_option *any =
        own != NULL ? own : af_option_lookup(AF_ALL_VERBS, line->key, strlen(line->key));
    if (any == NULL) {
        const char *nearest = af_option_nearest(AF_ALL_VERBS, AF_IN_FILE, line->key);
        af_config_report(s->config, line->line, "unknown option%s%s%s",
                         nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                         nearest != NULL ? "?" : "");
    } else if ((any->allowed & AF_IN_FILE) == 0) {
        af_config_report(s->config, line->line, "%s is allowed on the command line only",
                         line->key);
    } else if (own == NULL && strcmp(line->group, s->verb->name) == 0) {
        af_config_report(s->config, line->line, "%s has no option %s", s->verb->name, line->key);
    } else {
        return TRUE;
    }
    return FALSE;
}

static gboolean check_flag(const af_settings *s, const af_config_line *line,
                           const af_option *option)
{
    if (option->value != NULL || strcmp(line->value, "true") == 0 ||
        strcmp(line->value, "false") == 0) {
        return TRUE;
    }
    af_config_report(s->config, line->line, "%s must be true or false", line->key);
    return FALSE;
}

/* The file may be untrusted, so it must not name arbitrary files. */
static gboolean check_mapping(const af_settings *s, const af_config_line *line)
{
    gboolean inside = line->value[0] != '\0' && !g_path_is_absolute(line->value);
    g_auto(GStrv) parts = g_strsplit(line->value, "/", -1);
    for (unsigned i = 0; parts[i] != NULL; i++) {
        inside = inside && strcmp(parts[i], "..") != 0;
    }
    const char *path = af_config_path(s->config, line->value);
    const gboolean regular = g_file_test(path, G_FILE_TEST_IS_REGULAR);
    if (!inside) {
        af_config_report(s->config, line->line, "mapping takes a file in the folder of %s or below",
                         AF_CONFIG_NAME);
    } else if (!regular) {
        af_config_report(s->config, line->line, "mapping names a file that does not exist");
    }
    return inside && regular;
}

static gboolean add_line(af_settings *s, const af_config_line *line)
{
    const af_option *option = af_option_lookup(s->verb->bit, line->key, strlen(line->key));
    const int64_t priority = find_priority(s, line->group);
    if (!check_key(s, line)) {
        return FALSE;
    }
    if (option == NULL || priority < 0) {
        return TRUE; /* for another verb, or a preset that was not requested */
    }
    const gboolean is_mapping = strcmp(option->name, "mapping") == 0;
    if (!check_flag(s, line, option) || (is_mapping && !check_mapping(s, line))) {
        return FALSE;
    }
    const af_setting it = {
        .option = option,
        .value = line->value,
        .path = is_mapping ? af_config_path(s->config, line->value) : NULL,
        .origin = g_strdup_printf("%s:%u", s->config->path, line->line),
        .group = line->group,
        .priority = (unsigned)priority,
        .off = option->value == NULL && strcmp(line->value, "false") == 0,
    };
    g_array_append_val(s->list, it);
    return TRUE;
}

static gboolean read_file(af_settings *s)
{
    const GArray *groups = s->config->groups, *lines = s->config->lines;
    for (guint i = 0; i < groups->len; i++) {
        const af_config_group *group = &g_array_index(groups, af_config_group, i);
        if (!check_group(s, group->name, group->line)) {
            return FALSE;
        }
    }
    for (guint i = 0; i < lines->len; i++) {
        if (!add_line(s, &g_array_index(lines, af_config_line, i))) {
            return FALSE;
        }
    }
    return TRUE;
}

static GPtrArray *list_presets(const af_config *config)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; config != NULL && i < config->groups->len; i++) {
        const char *name = find_preset_name(g_array_index(config->groups, af_config_group, i).name);
        if (name != NULL) {
            g_ptr_array_add(names, (char *)name);
        }
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static void refuse_preset(const af_settings *s, const char *preset, const char *const *names)
{
    const char *nearest = af_word_nearest(preset, names);
    if (af_settings_find(s, "no-config") != NULL) {
        af_message_print(NULL, "--preset %s needs the file that --no-config skips", preset);
    } else if (s->config == NULL) {
        af_message_print(NULL, "--preset %s: no file %s in this directory or above", preset,
                         AF_CONFIG_NAME);
    } else {
        af_message_print(NULL, "--preset %s: %s has no group [preset %s]%s%s%s", preset,
                         s->config->path, preset, nearest != NULL ? "; did you mean " : "",
                         nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
    }
}

static gboolean check_presets(const af_settings *s)
{
    g_autoptr(GPtrArray) names = list_presets(s->config);
    const char *const *words = (const char *const *)(void *)names->pdata;
    gboolean ok = TRUE;
    for (guint i = 0; i < s->list->len && ok; i++) {
        const af_setting *it = &g_array_index(s->list, af_setting, i);
        if (strcmp(it->option->name, "preset") == 0 && !g_strv_contains(words, it->value)) {
            refuse_preset(s, it->value, words);
            ok = FALSE;
        }
    }
    return ok;
}

/* Whether setting `i` has an effect: no later one replaces it. */
static gboolean counts(const GArray *list, guint i)
{
    const af_setting *it = &g_array_index(list, af_setting, i);
    gboolean replaced = it->off;
    for (guint k = i + 1; k < list->len && !replaced; k++) {
        const af_setting *later = &g_array_index(list, af_setting, k);
        replaced = later->option == it->option &&
                   (later->off || it->option->repeat == AF_LAST ||
                    (it->option->repeat == AF_REPEATED && later->priority > it->priority));
    }
    return !replaced;
}

static int compare_priorities(gconstpointer a, gconstpointer b)
{
    const af_setting *one = a, *other = b;
    return (one->priority > other->priority) - (one->priority < other->priority);
}

static void clear_setting(gpointer it)
{
    g_free(((af_setting *)it)->origin);
}

af_settings *af_settings_read(const af_verb *verb, int argc, char **argv)
{
    af_settings *s = g_new0(af_settings, 1);
    s->verb = verb;
    s->list = g_array_new(FALSE, FALSE, sizeof(af_setting));
    g_array_set_clear_func(s->list, clear_setting);
    s->operands = g_ptr_array_new();
    gboolean ok = read_typed(s, argc, argv);
    if (ok && af_settings_find(s, "help") == NULL) {
        ok = (af_settings_find(s, "no-config") != NULL || af_config_find(&s->config)) &&
             check_presets(s) && (s->config == NULL || read_file(s));
    }
    if (!ok) {
        af_settings_free(s);
        return NULL;
    }
    g_ptr_array_add(s->operands, NULL);
    g_array_sort(s->list, compare_priorities); /* stable */
    for (guint i = 0; i < s->list->len;) {
        if (counts(s->list, i)) {
            i++;
        } else {
            g_array_remove_index(s->list, i);
        }
    }
    return s;
}

void af_settings_free(af_settings *s)
{
    if (s != NULL) {
        g_array_unref(s->list);
        g_ptr_array_unref(s->operands);
        af_config_free(s->config);
        g_free(s);
    }
}

char *af_settings_print(const af_settings *s)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "[%s]\n", s->verb->name);
    for (guint i = 0; i < s->list->len; i++) {
        const af_setting *it = &g_array_index(s->list, af_setting, i);
        if ((it->option->allowed & AF_IN_FILE) == 0) {
            continue;
        }
        const char *preset = it->group != NULL ? find_preset_name(it->group) : NULL;
        g_string_append_printf(text, "# %s%s%s\n", it->origin != NULL ? it->origin : "command line",
                               preset != NULL ? ", preset " : "", preset != NULL ? preset : "");
        g_autofree char *value = af_message_escape(it->option->value != NULL ? it->value : "true");
        g_string_append_printf(text, "%s = %s\n", it->option->name, value);
    }
    return g_string_free(text, FALSE);
}

char *af_settings_describe_file(const af_settings *s)
{
    if (s->config == NULL) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    g_string_printf(text, "options of %s:", s->config->path);
    const gsize begin = text->len;
    for (guint i = 0; i < s->list->len; i++) {
        const af_setting *it = &g_array_index(s->list, af_setting, i);
        if (it->priority != TYPED) {
            g_autofree char *word = af_setting_write(it, it->value);
            g_string_append_printf(text, " %s", word);
        }
    }
    return g_string_free(text, text->len == begin);
}
