#include "cli/settings_parts.h"

#include <string.h>

gboolean af_option_takes_value(const GOptionEntry *entry)
{
    return entry->arg != G_OPTION_ARG_NONE && (entry->flags & G_OPTION_FLAG_NO_ARG) == 0;
}

/* Steps that choose or limit are one answer to one question, whoever gives it; the others are added
 * to what was said before. */
static gboolean is_answer(const char *name)
{
    static const char *const answers[] = {"thread", "max-depth", "shorter-than", "sort", NULL};
    return g_strv_contains(answers, name);
}

af_option af_option_describe(const GOptionEntry *entry)
{
    const gboolean called = entry->arg == G_OPTION_ARG_CALLBACK;
    return (af_option){.name = entry->long_name,
                       .valued = af_option_takes_value(entry),
                       .list = called || entry->arg == G_OPTION_ARG_FILENAME_ARRAY ||
                               entry->arg == G_OPTION_ARG_STRING_ARRAY,
                       .called = called,
                       .step = called && !is_answer(entry->long_name)};
}

const GOptionEntry *af_settings_find(const af_settings *s, const char *name, size_t length)
{
    for (const GOptionEntry *const *table = s->tables; *table != NULL; table++) {
        for (const GOptionEntry *e = *table; e->long_name != NULL; e++) {
            if (strlen(e->long_name) == length && length > 0 &&
                strncmp(e->long_name, name, length) == 0) {
                return e;
            }
        }
    }
    return NULL;
}

static const GOptionEntry *find_short(const af_settings *s, char letter)
{
    for (const GOptionEntry *const *table = s->tables; *table != NULL; table++) {
        for (const GOptionEntry *e = *table; e->long_name != NULL; e++) {
            if (e->short_name == letter && letter != '\0') {
                return e;
            }
        }
    }
    return NULL;
}

/* ---- what is typed ---- */

static void add_typed(af_settings *s, const GOptionEntry *entry, const char *value)
{
    const af_setting typed = {
        .option = af_option_describe(entry), .value = value, .level = AF_TYPED};
    if (strcmp(entry->long_name, "preset") == 0 && value != NULL) {
        g_ptr_array_add(s->presets, (char *)value);
    }
    g_array_append_val(s->settings, typed);
}

/* "-qv", "-t main", "-tmain". Returns how many words it is; *glued is where the value begins in the
 * last of these ways. */
static int read_letters(af_settings *s, const char *word, const char *next, const char **glued)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const GOptionEntry *entry = find_short(s, *letter);
        if (entry == NULL) {
            return 1; /* the parser says so */
        }
        if (af_option_takes_value(entry)) {
            *glued = letter[1] != '\0' ? letter + 1 : NULL;
            add_typed(s, entry, *glued != NULL ? *glued : next);
            return *glued != NULL ? 1 : 2;
        }
        add_typed(s, entry, NULL);
    }
    return 1;
}

/* "--inverted", "--theme=dark", "--theme dark", "--no-inverted", which is kept from the parser. */
static int read_word(af_settings *s, const char *word, const char *next, gboolean *kept)
{
    const size_t length = strcspn(word + 2, "=");
    const GOptionEntry *entry = af_settings_find(s, word + 2, length);
    if (entry == NULL && g_str_has_prefix(word, "--no-") && word[2 + length] == '\0') {
        const GOptionEntry *off = af_settings_find(s, word + 5, length - 3);
        if (off != NULL && !af_option_takes_value(off) && af_settings_knows(off->long_name)) {
            g_ptr_array_add(s->taken_back, (char *)off->long_name);
            *kept = FALSE;
        }
    }
    if (entry == NULL || !af_option_takes_value(entry)) {
        if (entry != NULL) {
            add_typed(s, entry, NULL);
        }
        return 1;
    }
    add_typed(s, entry, word[2 + length] == '=' ? word + 2 + length + 1 : next);
    return word[2 + length] == '=' ? 1 : 2;
}

/* Notes the options; the words go to argv, behind those of the file. */
static void read_typed(af_settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc;) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL, *glued = NULL;
        int n = 1;
        gboolean kept = TRUE;
        if (strcmp(word, "--") == 0) {
            n = argc - i;
        } else if (g_str_has_prefix(word, "--")) {
            n = read_word(s, word, next, &kept);
        } else if (word[0] == '-' && word[1] != '\0') {
            n = read_letters(s, word, next, &glued);
        }
        if (glued != NULL) { /* the parser wants two words */
            g_ptr_array_add(s->argv, g_strndup(word, (gsize)(glued - word)));
            g_ptr_array_add(s->argv, g_strdup(glued));
            i++;
            continue;
        }
        for (; n > 0 && i < argc; n--, i++) {
            if (kept) {
                g_ptr_array_add(s->argv, g_strdup(argv[i]));
            }
        }
    }
}

gboolean af_settings_is_typed(const af_settings *s, const char *name)
{
    for (guint i = 0; i < s->settings->len; i++) {
        const af_setting *it = &g_array_index(s->settings, af_setting, i);
        if (it->level == AF_TYPED && strcmp(it->option.name, name) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* ---- which of them count ---- */

static gboolean is_off(const af_setting *it)
{
    return it->level != AF_TYPED && !it->option.valued && strcmp(it->value, "false") == 0;
}

/* Whether setting `i` has any effect. */
static gboolean counts(const af_settings *s, guint i)
{
    const af_setting *it = &g_array_index(s->settings, af_setting, i);
    if (is_off(it)) {
        return FALSE;
    }
    for (guint k = 0; it->level != AF_TYPED && k < s->taken_back->len; k++) {
        if (strcmp(s->taken_back->pdata[k], it->option.name) == 0) {
            return FALSE;
        }
    }
    for (guint k = i + 1; k < s->settings->len; k++) {
        const af_setting *later = &g_array_index(s->settings, af_setting, k);
        const gboolean beats =
            strcmp(later->option.name, it->option.name) == 0 &&
            (is_off(later) || (!it->option.step && (later->level > it->level || !it->option.list)));
        if (beats) {
            return FALSE;
        }
    }
    return TRUE;
}

static char *write_word(const af_settings *s, const af_setting *it)
{
    if (!it->option.valued) {
        return g_strdup_printf("--%s", it->option.name);
    }
    const gboolean mapping = strcmp(it->option.name, "mapping") == 0;
    return g_strdup_printf("--%s=%s%s", it->option.name, mapping ? s->config->folder : "",
                           it->value);
}

/* The words of the file go in front of those that were typed. */
static void join_argv(af_settings *s)
{
    gint at = 1;
    for (guint i = 0; i < s->settings->len; i++) {
        const af_setting *it = &g_array_index(s->settings, af_setting, i);
        if (it->level != AF_TYPED && counts(s, i)) {
            g_ptr_array_insert(s->argv, at++, write_word(s, it));
        }
    }
    g_ptr_array_add(s->argv, NULL);
}

/* ---- for others ---- */

static void clear_setting(gpointer it)
{
    g_free(((af_setting *)it)->origin);
}

af_settings *af_settings_read(const af_verb *verb, const GOptionEntry *const *tables, int argc,
                              char **argv)
{
    af_settings *s = g_new0(af_settings, 1);
    s->verb = verb;
    s->tables = tables;
    s->presets = g_ptr_array_new();
    s->settings = g_array_new(FALSE, FALSE, sizeof(af_setting));
    g_array_set_clear_func(s->settings, clear_setting);
    s->taken_back = g_ptr_array_new();
    s->argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(s->argv, g_strdup(argv[0]));
    read_typed(s, argc, argv);
    const gboolean ok = (af_settings_is_typed(s, "no-config") || af_settings_is_typed(s, "help") ||
                         af_config_find(&s->config)) &&
                        af_settings_check_presets(s) &&
                        (s->config == NULL || af_settings_read_file(s));
    if (!ok) {
        af_settings_free(s);
        return NULL;
    }
    join_argv(s);
    s->tables = NULL;
    return s;
}

void af_settings_free(af_settings *s)
{
    if (s != NULL) {
        g_ptr_array_unref(s->presets);
        g_array_unref(s->settings);
        g_ptr_array_unref(s->taken_back);
        g_ptr_array_unref(s->argv);
        af_config_free(s->config);
        g_free(s);
    }
}

char **af_settings_argv(const af_settings *s, int *argc)
{
    *argc = (int)s->argv->len - 1;
    return (char **)s->argv->pdata;
}

const char *af_settings_origin(const af_settings *s, const char *name)
{
    const char *origin = NULL;
    for (guint i = 0; i < s->settings->len; i++) {
        const af_setting *it = &g_array_index(s->settings, af_setting, i);
        if (counts(s, i) && strcmp(it->option.name, name + strspn(name, "-")) == 0) {
            origin = it->origin;
        }
    }
    return origin;
}

const char *af_settings_step(const af_settings *s, unsigned number, char **word)
{
    for (guint i = 0; i < s->settings->len; i++) {
        const af_setting *it = &g_array_index(s->settings, af_setting, i);
        if (it->level != AF_TYPED && it->option.called && counts(s, i) && number-- == 0) {
            *word = write_word(s, it);
            return it->origin;
        }
    }
    return NULL;
}

char *af_settings_print(const af_settings *s)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "[%s]\n", s->verb->name);
    for (guint i = 0; i < s->settings->len; i++) {
        const af_setting *it = &g_array_index(s->settings, af_setting, i);
        if (!counts(s, i) || !af_settings_knows(it->option.name)) {
            continue;
        }
        const char *preset = it->group != NULL ? af_settings_preset(it->group) : NULL;
        g_string_append_printf(text, "# %s%s%s\n", it->origin != NULL ? it->origin : "command line",
                               preset != NULL ? ", preset " : "", preset != NULL ? preset : "");
        char *value = af_message_escape(it->option.valued ? it->value : "true");
        g_string_append_printf(text, "%s = %s\n", it->option.name, value);
        g_free(value);
    }
    return g_string_free(text, FALSE);
}

char *af_settings_report(const af_settings *s)
{
    GString *text = g_string_new("options of the file:");
    const gsize begin = text->len;
    for (guint i = 0; i < s->settings->len; i++) {
        const af_setting *it = &g_array_index(s->settings, af_setting, i);
        if (it->level != AF_TYPED && counts(s, i)) {
            char *word = write_word(s, it);
            g_string_append_printf(text, " %s", word);
            g_free(word);
        }
    }
    return g_string_free(text, text->len == begin);
}
