#include "cases.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

static unsigned failed;

gboolean cases_expect(const char *lines, const char *given, const char *expected)
{
    const gboolean equal = g_strcmp0(given, expected) == 0;
    if (!equal) {
        failed++;
        fprintf(stderr, "%s => %s\n   instead of %s\n", lines, given, expected);
    }
    return equal;
}

void cases_finish(void)
{
    const unsigned n = failed;
    failed = 0;
    ck_assert_msg(n == 0, "%u cases failed, see above", n);
}

void cases_check(const char *file, void (*check)(char **lines))
{
    g_autofree char *path = g_build_filename(AFLAME_SOURCE "/tests/data", file, NULL);
    g_autofree char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
    g_auto(GStrv) cases = g_strsplit(text, "\n\n", -1);
    for (unsigned i = 0; cases[i] != NULL; i++) {
        g_auto(GStrv) lines = g_strsplit(g_strchomp(cases[i]), "\n", -1);
        char **first = lines;
        while (*first != NULL && **first == '#') {
            first++;
        }
        if (*first != NULL) {
            check(first);
        }
    }
}

void cases_map(const char *section, char *(*show)(const char *input))
{
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(AFLAME_SOURCE "/tests/data/functions.txt", &text, NULL, NULL));
    g_autofree char *title = g_strdup_printf("\n\n%s\n", section);
    const char *begin = strstr(text, title);
    ck_assert_msg(begin != NULL, "no section %s", section);
    begin += strlen(title);
    const char *end = strstr(begin, "\n\n");
    g_autofree char *rows =
        g_strndup(begin, end != NULL ? (gsize)(end - begin) : strlen(begin) - 1);
    g_auto(GStrv) lines = g_strsplit(rows, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        char *result = strstr(*line, " =>");
        if (**line == '#') {
            continue;
        }
        ck_assert_msg(result != NULL, "%s", *line);
        *result = '\0';
        result += strlen(" =>");
        g_autofree char *input = g_strcompress(*line);
        g_autofree char *expected = g_strcompress(result + strspn(result, " "));
        g_autofree char *shown = show(input);
        g_autofree char *row = g_strconcat(section, ": ", *line, NULL);
        cases_expect(row, g_strchug(shown), expected);
    }
}
