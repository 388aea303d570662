/* Texts that a spreadsheet reads as formulas. */
#pragma once

#include <string.h>

/* Also the wide forms of = + - @, which spreadsheets of East Asian languages accept. */
static inline int af_formula_begins(const char *text)
{
    static const char *const wide[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    for (unsigned i = 0; i < sizeof wide / sizeof *wide; i++) {
        if (strncmp(text, wide[i], 3) == 0) {
            return 1;
        }
    }
    return *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
}
