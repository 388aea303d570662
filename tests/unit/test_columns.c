#include <stdlib.h>

#include "cases.h"
#include "report/tables/columns.h"
#include "suite.h"

/* "WIDTH TEXT" */
static char *show(const char *input, char *(*shorten)(const char *text, unsigned most))
{
    char *text;
    const unsigned most = (unsigned)strtoul(input, &text, 10);
    char *result = shorten(text + 1, most);
    ck_assert_uint_le(af_columns_width(result), most);
    return result;
}

static char *show_name(const char *input)
{
    return show(input, af_columns_shorten);
}

static char *show_text(const char *input)
{
    return show(input, af_columns_truncate);
}

TEST(names_lose_their_least_useful_parts)
{
    cases_map("names in columns", show_name);
    cases_map("texts in columns", show_text);
}

TEST(names_are_never_too_wide)
{
    static const char *const names[] = {"",
                                        ".",
                                        "...........",
                                        "a.b.c.d.e.f.g.h.i.j",
                                        "漢字.漢字漢字.漢字漢字漢字.漢字(漢字)",
                                        "(((",
                                        "a.b.C.m(x.y.z)",
                                        "/////a/b/c/d/e",
                                        "a.b.C.<init>(…)",
                                        "日本語日本語日本語日本語"};
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        for (unsigned most = 1; most < 40; most++) {
            g_autofree char *result = af_columns_shorten(names[i], most);
            ck_assert_msg(af_columns_width(result) <= most, "%s at %u: %s", names[i], most, result);
            ck_assert(g_utf8_validate(result, -1, NULL));
        }
    }
}
