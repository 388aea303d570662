#include "report/tables/columns.h"
#include "suite.h"

/* Longest first: each name as the width shrinks. */
TEST(names_lose_their_least_useful_parts)
{
    static const struct {
        const char *name;
        unsigned most;
        const char *result;
    } cases[] = {
        {"a.b.C.run", 9, "a.b.C.run"},
        {"android.graphics.BitmapFactory.decode", 37, "android.graphics.BitmapFactory.decode"},
        {"android.graphics.BitmapFactory.decode", 36, "android…BitmapFactory.decode"},
        {"android.graphics.BitmapFactory.decode", 27, "…BitmapFactory.decode"},
        {"android.graphics.BitmapFactory.decode", 21, "…BitmapFactory.decode"},
        {"android.graphics.BitmapFactory.decode", 20, "BitmapFactor….decode"},
        {"android.graphics.BitmapFactory.decode", 12, "Bitm….decode"},
        {"android.graphics.BitmapFactory.decode", 10, "…decode"},
        {"android.graphics.BitmapFactory.decodeStreamNow", 12, "decode…amNow"},
        {"android.graphics.BitmapFactory.decode(Rect, Options)", 48,
         "android…BitmapFactory.decode(Rect, Options)"},
        {"android.graphics.BitmapFactory.decode(Rect, Options)", 31,
         "android…BitmapFactory.decode(…)"},
        {"com/example/app/screens/Main.kt", 30, "com/example/app…Main.kt"},
        {"com/example/app/screens/Main.kt", 9, "…Main.kt"},
        {"CompositorTileWorker1/11772", 20, "Compositor…er1/11772"},
        {"a thread with a name of its own", 12, "a thre…s own"},
        {"OneWordThatIsTooLong", 9, "OneW…Long"},
        {"pkg.Class.method", 5, "pk…od"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *result = af_columns_shorten(cases[i].name, cases[i].most);
        ck_assert_msg(g_str_equal(result, cases[i].result), "%s at %u: %s", cases[i].name,
                      cases[i].most, result);
    }
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
