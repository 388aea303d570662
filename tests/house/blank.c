/* Replaces comments and literals by blanks, which leaves the names and signs of a source. */
#include "house.h"

#include <string.h>

static gsize skip_line(const char *text, gsize at)
{
    while (text[at] != '\0' && text[at] != '\n') {
        at++;
    }
    return at;
}

static gsize skip_comment(const char *text, gsize at)
{
    const char *end = strstr(text + at + 2, "*/");
    return end != NULL ? (gsize)(end + 2 - text) : strlen(text);
}

/* The position after the closing quote of the literal that starts at `at`. Only templates span
 * lines. */
static gsize skip_quoted(const char *text, gsize at)
{
    const char quote = text[at++];
    while (text[at] != '\0' && text[at] != quote && (quote == '`' || text[at] != '\n')) {
        at += text[at] == '\\' && text[at + 1] != '\0' ? 2 : 1;
    }
    return text[at] == quote ? at + 1 : at;
}

/* A slash starts a regular expression unless a value precedes it. */
static gboolean begins_regex(const char *text, gsize at)
{
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n')) {
        at--;
    }
    return at == 0 || strchr("(,=:[!&|?{};+", text[at - 1]) != NULL ||
           (at >= 6 && strncmp(text + at - 6, "return", 6) == 0);
}

static gsize skip_regex(const char *text, gsize at)
{
    gboolean in_class = FALSE;
    for (at++; text[at] != '\0' && text[at] != '\n'; at++) {
        if (text[at] == '\\' && text[at + 1] != '\0') {
            at++;
        } else if (text[at] == '/' && !in_class) {
            return at + 1;
        } else if (text[at] == '[' || text[at] == ']') {
            in_class = text[at] == '[';
        }
    }
    return at;
}

/* The end of the comment or literal that starts at `at`; `at` if there is none. */
static gsize skip_literal(const char *text, gsize at, source_language language)
{
    if (language == SOURCE_SHELL) {
        const gboolean word = at == 0 || strchr(" \t\n;", text[at - 1]) != NULL;
        return text[at] == '#' && word ? skip_line(text, at) : at;
    }
    if (text[at] == '/' && text[at + 1] == '*') {
        return skip_comment(text, at);
    }
    if (text[at] == '/' && text[at + 1] == '/') {
        return skip_line(text, at);
    }
    if (text[at] == '"' || text[at] == '\'' || (text[at] == '`' && language == SOURCE_JS)) {
        return skip_quoted(text, at);
    }
    if (text[at] == '/' && language == SOURCE_JS && begins_regex(text, at)) {
        return skip_regex(text, at);
    }
    return at;
}

char *blank_literals(const char *text, source_language language)
{
    char *code = g_strdup(text);
    if (language == SOURCE_OTHER) {
        return code;
    }
    for (gsize at = 0; text[at] != '\0';) {
        const gsize end = skip_literal(text, at, language);
        for (gsize i = at; i < end; i++) {
            code[i] = text[i] == '\n' ? '\n' : ' ';
        }
        at = end > at ? end : at + 1;
    }
    return code;
}
