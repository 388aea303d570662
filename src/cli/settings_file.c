#include "cli/settings_parts.h"

#include <string.h>

/* What may stand in the file. Whoever writes the file decides on these and nothing else: nothing
 * here names a place to write to. */
static const char *const keys[] = {
    /* drawing */
    "clock", "data", "full-depth", "inverted", "mark", "min-width", "names", "no-script", "scale",
    "static", "system-fonts", "theme", "title", "view", "width",
    /* names */
    "keep-synthetic", "mapping",
    /* samples */
    "event", "show-art-frames", "unit",
    /* tables */
    "by", "method", "min-percent", "quirks", "sort", "top", "tree",
    /* what is looked at */
    "clean", "collapse-recursion", "compensate", "focus", "fold", "from", "hide", "ignore",
    "invert-callers", "max-depth", "merge-threads", "other-ends", "overlaps", "root",
    "shorter-than", "thread", "time-scale", "to", "within", NULL};

gboolean af_settings_knows(const char *name)
{
    return g_strv_contains(keys, name);
}

const char *af_settings_preset(const char *group)
{
    static const char word[] = "preset ";
    return g_str_has_prefix(group, word) ? group + strlen(word) + strspn(group + strlen(word), " ")
                                         : NULL;
}

/* Where settings of the group stand in the order of the levels; -1 = nowhere in this run. */
static int find_level(const af_settings *s, const char *group)
{
    const char *preset = af_settings_preset(group);
    int level = -1;
    if (group[0] == '\0' || strcmp(group, "options") == 0) {
        level = 0;
    } else if (strcmp(group, s->verb->name) == 0) {
        level = 1;
    }
    for (guint i = 0; preset != NULL && i < s->presets->len; i++) {
        level = strcmp(s->presets->pdata[i], preset) == 0 ? 2 + (int)i : level;
    }
    return level;
}

static gboolean check_group(const af_settings *s, const char *group, unsigned line)
{
    const char *preset = af_settings_preset(group);
    if (preset != NULL && preset[0] == '\0') {
        af_config_report(s->config, line, "a preset has a name: [preset NAME]");
        return FALSE;
    }
    if (group[0] == '\0' || strcmp(group, "options") == 0 || preset != NULL ||
        af_verb_lookup(group) != NULL) {
        return TRUE;
    }
    const char *nearest = strcmp(group, "preset") == 0 ? "preset NAME" : af_verb_nearest(group);
    af_config_report(s->config, line, "there is no group [%s]%s%s%s", group,
                     nearest != NULL ? "; did you mean [" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "]?" : "; groups are verbs, [options] and [preset NAME]");
    return FALSE;
}

static gboolean check_key(const af_settings *s, const af_config_line *line)
{
    if (af_settings_knows(line->key)) {
        const GOptionEntry *entry = af_settings_find(s, line->key, strlen(line->key));
        if (entry == NULL && strcmp(line->group, s->verb->name) == 0) {
            af_config_report(s->config, line->line, "%s has no option %s", s->verb->name,
                             line->key);
            return FALSE;
        }
        return TRUE;
    }
    if (af_settings_find(s, line->key, strlen(line->key)) != NULL) {
        af_config_report(s->config, line->line, "%s can only be said on the command line",
                         line->key);
        return FALSE;
    }
    const char *nearest = af_word_nearest(line->key, keys);
    af_config_report(s->config, line->line, "unknown option %s%s%s%s", line->key,
                     nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "?" : "");
    return FALSE;
}

/* A file of other people's must not be able to name any file there is. */
static gboolean check_mapping(const af_settings *s, const af_config_line *line)
{
    gboolean inside = line->value[0] != '\0' && !g_path_is_absolute(line->value);
    char **parts = g_strsplit(line->value, "/", -1);
    for (unsigned i = 0; parts[i] != NULL; i++) {
        inside = inside && strcmp(parts[i], "..") != 0;
    }
    g_strfreev(parts);
    char *path = g_strconcat(s->config->folder, line->value, NULL);
    const gboolean regular = g_file_test(path, G_FILE_TEST_IS_REGULAR);
    if (!inside) {
        af_config_report(s->config, line->line,
                         "mapping takes a file in the folder of %s or below, not \"%s\"",
                         AF_CONFIG_NAME, line->value);
    } else if (!regular) {
        af_config_report(s->config, line->line, "there is no file %s", path);
    }
    g_free(path);
    return inside && regular;
}

/* Appends the setting of a line that counts in this run. */
static gboolean add_line(af_settings *s, const af_config_line *line, unsigned level)
{
    const GOptionEntry *entry = af_settings_find(s, line->key, strlen(line->key));
    if (entry == NULL) {
        return TRUE; /* of another verb */
    }
    af_setting it = {.option = af_option_describe(entry),
                     .value = line->value,
                     .group = line->group,
                     .level = level};
    if (strcmp(line->key, "mapping") == 0 && !check_mapping(s, line)) {
        return FALSE;
    }
    if (!it.option.valued && strcmp(line->value, "true") != 0 &&
        strcmp(line->value, "false") != 0) {
        af_config_report(s->config, line->line, "%s is true or false, not \"%s\"", line->key,
                         line->value);
        return FALSE;
    }
    it.origin = g_strdup_printf("%s:%u", s->config->path, line->line);
    g_array_append_val(s->settings, it);
    return TRUE;
}

gboolean af_settings_check_presets(const af_settings *s)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; s->config != NULL && i < s->config->groups->len; i++) {
        const char *name =
            af_settings_preset(g_array_index(s->config->groups, af_config_group, i).name);
        if (name != NULL) {
            g_ptr_array_add(names, (char *)name);
        }
    }
    g_ptr_array_add(names, NULL);
    const char *const *words = (const char *const *)(void *)names->pdata;
    gboolean ok = TRUE;
    for (guint i = 0; i < s->presets->len && ok; i++) {
        const char *preset = s->presets->pdata[i];
        ok = g_strv_contains(words, preset);
        if (ok) {
            continue;
        }
        const char *nearest = af_word_nearest(preset, words);
        if (af_settings_is_typed(s, "no-config")) {
            af_message_print(NULL, "--preset %s is of a file that --no-config leaves out", preset);
        } else if (s->config == NULL) {
            af_message_print(NULL, "--preset %s: there is no file %s here or above", preset,
                             AF_CONFIG_NAME);
        } else {
            af_message_print(NULL, "--preset %s: %s has no group [preset %s]%s%s%s", preset,
                             s->config->path, preset, nearest != NULL ? "; did you mean " : "",
                             nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
        }
    }
    g_ptr_array_unref(names);
    return ok;
}

static int compare_levels(gconstpointer a, gconstpointer b)
{
    const af_setting *one = a, *other = b;
    return (one->level > other->level) - (one->level < other->level);
}

gboolean af_settings_read_file(af_settings *s)
{
    const GArray *groups = s->config->groups, *lines = s->config->lines;
    for (guint i = 0; i < groups->len; i++) {
        const af_config_group *group = &g_array_index(groups, af_config_group, i);
        if (!check_group(s, group->name, group->line)) {
            return FALSE;
        }
    }
    for (guint i = 0; i < lines->len; i++) {
        const af_config_line *line = &g_array_index(lines, af_config_line, i);
        const int level = find_level(s, line->group);
        if (!check_key(s, line) || (level >= 0 && !add_line(s, line, (unsigned)level))) {
            return FALSE;
        }
    }
    g_array_sort(s->settings, compare_levels); /* stable */
    return TRUE;
}
