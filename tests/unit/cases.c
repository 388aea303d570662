#include "cases.h"

#include "suite.h"

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
