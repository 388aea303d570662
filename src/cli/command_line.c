#include "cli/command_line.h"

#include <string.h>
#include "cli/message.h"

/* In the form $'...': its escapes are plain letters, which messages leave alone. */
static char *quote_bytes(const char *word)
{
    GString *quoted = g_string_new("$'");
    for (; *word != '\0'; word++) {
        if (*word == '\'' || *word == '\\') {
            g_string_append_printf(quoted, "\\%c", *word);
        } else if (g_ascii_isprint(*word)) {
            g_string_append_c(quoted, *word);
        } else {
            g_string_append_printf(quoted, "\\%03o", (unsigned)(guchar)*word);
        }
    }
    g_string_append_c(quoted, '\'');
    return g_string_free(quoted, FALSE);
}

char *af_command_line_quote(const char *word)
{
    static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-+,:@%=";
    if (word[0] != '\0' && word[0] != '-' && strspn(word, plain) == strlen(word)) {
        return g_strdup(word);
    }
    g_autofree char *rooted =
        word[0] == '-' && word[1] != '\0' ? g_strconcat("./", word, NULL) : NULL;
    const char *name = rooted != NULL ? rooted : word;
    g_autofree char *shown = af_message_escape(name);
    return strcmp(shown, name) == 0 ? g_shell_quote(name) : quote_bytes(name);
}

char *af_command_line_write(const af_options *o, const char *const *inputs, const af_target *target)
{
    static const char *const silent[] = {"output", "quiet",    "verbose",   "jobs",
                                         "alt",    "markdown", "no-config", NULL};
    g_autofree char *name = g_path_get_basename(target->path);
    g_autofree char *to = af_command_line_quote(name);
    GString *command = g_string_new("aflame ");
    g_string_append(command, o->verb->name);
    for (; *inputs != NULL; inputs++) {
        g_autofree char *input = af_command_line_quote(*inputs);
        g_string_append_printf(command, " %s", input);
    }
    for (guint i = 0; i < o->settings->list->len; i++) {
        const af_setting *it = &g_array_index(o->settings->list, af_setting, i);
        if (it->origin != NULL || g_strv_contains(silent, it->option->name) ||
            (it->value != NULL && o->redact)) {
            continue;
        }
        const gboolean is_file =
            it->value != NULL && it->value[0] == '/' && it->value[strlen(it->value) - 1] != '/';
        g_autofree char *base = is_file ? g_path_get_basename(it->value) : g_strdup(it->value);
        g_autofree char *value = base == NULL ? NULL : af_command_line_quote(base);
        g_autofree char *word = af_setting_write(it, value);
        g_string_append_printf(command, " %s", word);
    }
    if (strcmp(target->path, "-") != 0) {
        g_string_append_printf(command, " -o %s", to);
    }
    return g_string_free(command, FALSE);
}
