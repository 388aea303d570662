/* The stacks that aflame adds to callgrind files, as comments. */
#include <string.h>

#include <aflame/open.h>

#include "suite.h"
#include "text_profile.h"

/* Two callers share c, which calls d. The format does not tell for which of them c called d. */
static const char head[] = "# callgrind format\nversion: 1\ncreator: aflame\npositions: line\n"
                           "events: Ir\n\n"
                           "fn=(1) [thread main]\n0 0\n"
                           "cfn=(2) a\ncalls=1 0\n0 30\ncfn=(3) b\ncalls=1 0\n0 30\n\n"
                           "fn=(2)\n0 10\ncfn=(4) c\ncalls=1 0\n0 20\n\n"
                           "fn=(3)\n0 10\ncfn=(4)\ncalls=1 0\n0 20\n\n"
                           "fn=(4)\n0 30\ncfn=(5) d\ncalls=1 0\n0 10\n\n"
                           "fn=(5)\n0 10\n\n"
                           "# stacks, for aflame: depth, function, self times\n";

static void expect(const char *stacks, const char *expected)
{
    g_autofree char *text = g_strconcat(head, stacks, NULL);
    g_autoptr(af_profile) profile = af_profile_open_bytes(text, strlen(text), NULL, NULL);
    ck_assert_ptr_nonnull(profile);
    g_autofree char *found = text_profile_stacks(profile);
    ck_assert_str_eq(found, expected);
}

TEST(stacks_tell_the_callers_apart)
{
    expect("#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 20\n#=end\n",
           "main;a 10 | main;a;c 10 | main;a;c;d 10 | main;b 10 | main;b;c 20");
}

/* Then each caller of c gets half of it and of what it called. */
TEST(damaged_stacks_are_ignored)
{
    static const char *const rows[] = {
        "",
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 20\n",        /* no end */
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 21\n#=end\n", /* c has 30 */
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 19\n#=end\n",
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 77 20\n#=end\n", /* no function 77 */
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=3 4 20\n#=end\n", /* its caller is missing */
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 x 20\n#=end\n",
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=x\n#=end\n",
        "#=0 1\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 x\n#=end\n",
        "#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 20\n#=end\n",        /* no thread */
        "#=0 2\n#=1 2 10\n#=2 4 10\n#=3 5 10\n#=1 3 10\n#=2 4 20\n#=end\n", /* a is none */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        expect(rows[i], "main;a 10 | main;a;c 15 | main;a;c;d 5 | main;b 10 | main;b;c 15 | "
                        "main;b;c;d 5");
    }
}
