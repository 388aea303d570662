#include "cli/command_line.h"

#include <string.h>
#include "api/command.h"

char *af_command_line_write(const af_options *o, const char *const *inputs, const af_target *target)
{
    static const char *const silent[] = {"output", "quiet",    "verbose",   "jobs",
                                         "alt",    "markdown", "no-config", NULL};
    static const char *const paths[] = {"FILE", "DIR", "TRACE", NULL};
    g_autofree char *name = g_path_get_basename(target->path);
    g_autofree char *to = af_shell_quote_path(name);
    GString *command = g_string_new("aflame ");
    g_string_append(command, o->verb->name);
    for (; *inputs != NULL; inputs++) {
        g_autofree char *input = af_shell_quote_path(*inputs);
        g_string_append_printf(command, " %s", input);
    }
    for (guint i = 0; i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        if (it->origin != NULL || g_strv_contains(silent, it->option->name) ||
            (it->value != NULL && o->redact)) {
            continue;
        }
        const gboolean is_path =
            it->value != NULL && it->value[0] == '/' && g_strv_contains(paths, it->option->value);
        g_autofree char *base = is_path ? g_path_get_basename(it->value) : g_strdup(it->value);
        g_autofree char *value = base == NULL ? NULL : af_shell_quote_visible(base);
        g_autofree char *word = af_setting_write(it, value);
        g_string_append_printf(command, " %s", word);
    }
    if (strcmp(target->path, "-") != 0) {
        g_string_append_printf(command, " -o %s", to);
    }
    return g_string_free(command, FALSE);
}
