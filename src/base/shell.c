#include "base/shell.h"

#include <string.h>

char *af_shell_quote(const char *word)
{
    static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-.,:/=@%+";
    return word[0] != '\0' && strspn(word, plain) == strlen(word) ? g_strdup(word)
                                                                  : g_shell_quote(word);
}

gboolean af_shell_is_visible(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT: /* bidi controls among them */
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return FALSE;
    default:
        return TRUE;
    }
}

static gboolean is_visible(const char *word)
{
    if (!g_utf8_validate(word, -1, NULL)) {
        return FALSE;
    }
    while (*word != '\0' && af_shell_is_visible(g_utf8_get_char(word))) {
        word = g_utf8_next_char(word);
    }
    return *word == '\0';
}

char *af_shell_quote_visible(const char *word)
{
    if (is_visible(word)) {
        return af_shell_quote(word);
    }
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

char *af_shell_quote_path(const char *path)
{
    g_autofree char *rooted =
        path[0] == '-' && path[1] != '\0' ? g_strconcat("./", path, NULL) : NULL;
    return af_shell_quote_visible(rooted != NULL ? rooted : path);
}
