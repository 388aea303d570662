#include "base/markdown.h"

#include <string.h>

#include "base/utf8.h"

/* Appends U+FFFD for a bidi control. Returns its last byte, or NULL if there is none. */
static const char *append_control(GString *to, const char *at)
{
    const size_t control = af_utf8_bidi_control(at);
    g_string_append(to, control > 0 ? "\357\277\275" : "");
    return control > 0 ? at + control - 1 : NULL;
}

void af_markdown_append_code(GString *to, const char *name)
{
    g_string_append(to, "`");
    for (const char *end; *name != '\0'; name++) {
        if ((end = append_control(to, name)) != NULL) {
            name = end;
        } else if (*name == '|') {
            g_string_append(to, "\\|");
        } else if (*name == '`' || (guchar)*name < 0x20) {
            g_string_append_c(to, ' ');
        } else {
            g_string_append_c(to, *name);
        }
    }
    g_string_append(to, "`");
}

void af_markdown_append_command(GString *to, const char *command)
{
    size_t longest = 0;
    for (const char *at = command; (at = strchr(at, '`')) != NULL;) {
        const size_t length = strspn(at, "`");
        longest = MAX(longest, length);
        at += length;
    }
    g_autofree char *quotes = g_strnfill(longest + 1, '`');
    const char *space = longest > 0 ? " " : ""; /* a back quote may begin or end the command */
    g_string_append_printf(to, "%s%s%s%s%s", quotes, space, command, space, quotes);
}

void af_markdown_append_text(GString *to, const char *text)
{
    for (const char *end; *text != '\0'; text++) { /* $ and <init> are text */
        if ((end = append_control(to, text)) != NULL) {
            text = end;
            continue;
        }
        if (strchr("\\`*_<>|$#[]~", *text) != NULL) {
            g_string_append_c(to, '\\');
        }
        g_string_append_c(to, (guchar)*text < 0x20 ? ' ' : *text);
    }
}
