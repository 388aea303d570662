#include <string.h>
#include <aflame/error.h>

#include "model/pattern.h"
#include "suite.h"

static gboolean matches(const char *text, const char *label)
{
    GError *error = NULL;
    g_autoptr(af_pattern) pattern = af_pattern_new(text, &error);
    ck_assert_msg(pattern != NULL, "%s", error != NULL ? error->message : text);
    return af_pattern_matches(pattern, label);
}

#define YES(text, label) ck_assert_msg(matches(text, label), "%s does not match %s", text, label)
#define NO(text, label)  ck_assert_msg(!matches(text, label), "%s matches %s", text, label)

TEST(text_is_found_anywhere)
{
    YES("onBind", "com.me.Adapter.onBind");
    YES("ONBIND", "com.me.Adapter.onBindView");
    YES("adapter.on", "com.me.Adapter.onBind");
    YES("a", "a");
    NO("onBind", "com.me.Adapter.onBin");
    NO("on.ind", "com.me.Adapter.onBind");
    YES("$1.<init>(", "com.me.Main$1.<init>(int)");
    YES("xxy", "xxxxy");
    YES("größe", "de.GRÖSSE.Größe");
    YES("ÉTÉ", "un.été");
    NO("été", "un.ete");
}

TEST(regular_expressions)
{
    YES("/^com\\.me\\..*bind$/i", "com.me.Adapter.onBind");
    NO("/^com\\.me\\..*bind$/", "com.me.Adapter.onBind");
    YES("/[Bb]ind/", "com.me.Adapter.onBind");
    YES("/a/b/", "a/b");
    YES("/i/", "bind");
    YES("/(?i)BIND/", "com.me.Adapter.onBind");
    YES("/^.$/", "é");
}

TEST(exact_names)
{
    YES("=com.me.Main.run", "com.me.Main.run");
    NO("=com.me.Main.run", "com.me.Main.runs");
    NO("=com.me.Main.run", "com.me.Main.Run");
    YES("=a*b", "a*b");
    NO("=a*b", "axb");
    YES("=/x/", "/x/");
    YES("==", "=");
}

TEST(globs)
{
    YES("com.me.**", "com.me.Main.run");
    NO("com.me.**", "com.me");
    NO("com.me.**", "com.meadow.Main.run");
    YES("com.me.*.run", "com.me.Main.run");
    NO("com.me.*", "com.me.Main.run");
    NO("com.*.run", "com.me.Main.run");
    YES("com.**.run", "com.me.Main.run");
    YES("**Adapter*.on*", "com.me.MyAdapterView.onBind");
    NO("**adapter*.on*", "com.me.MyAdapterView.onBind");
    NO("Adapter*", "com.me.Adapter");
    YES("*", "run");
    NO("*", "a.b");
    YES("**", "a.b");
    YES("***", "a.b");
    YES("a**", "a");
    YES("a*", "a");
    YES("**a*b**c", "aabacbac");
    YES("*a*b", "aaab");
    YES("x.*y*.z", "x.yay.z");
    NO("x.*y*.z", "x.yay.q.z");
    YES("**.*y.z", "a.b.cy.z");
    YES("com.**größe*", "com.x.größer");
}

TEST(shortened_names)
{
    static const char *const label = "com.example.recipes.RecipeAdapter.onBindViewHolder(int)";
    static const char *const fitting[] = {
        "com…RecipeAdapter.onBindViewHolder(int)",
        "Recip….onBindViewHolder(…)",
        "=com…RecipeAdapter.onBindViewHolder(int)",
        "com.example.recipes.RecipeAd…",
        "…onBindView…",
        "COM…recipeadapter",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(fitting); i++) {
        YES(fitting[i], label);
    }
    NO("RecipeAdapter…com.example", label);
    NO("com…ViewHolder…ViewHolder", label);
    NO("!com…onBind", label);
    /* the name of folded frames begins with an ellipsis */
    YES("… 9", "… 9 framework frames");
    NO("… 9", "x 9 framework frames");
    NO("…", label);
    YES("…", "… 9 framework frames");
}

TEST(negated)
{
    NO("!onBind", "com.me.Adapter.onBind");
    YES("!onBind", "com.me.Adapter.onCreate");
    NO("!com.me.**", "com.me.Main.run");
    YES("!/^com/", "java.lang.Object.wait");
    YES("!=com", "com.me");
    NO("!=com", "com");
    NO("!!", "wow!");
}

TEST(no_label_takes_too_long)
{
    g_autofree char *label = g_strnfill(70000, 'a');
    NO("/(a+)+b/", label);
    NO("**a*b", label);
    NO("**a**a**a**a*a*a*b", label);
    YES("**a**a**a**a*a*a*a", label);
    NO("aaaaaaaaaaaaaaaaaaaaaaaab", label);
}

TEST(remembers_the_text_as_typed)
{
    af_pattern *pattern = af_pattern_new("!=x.Y", NULL);
    ck_assert_str_eq(af_pattern_text(pattern), "!=x.Y");
    ck_assert_str_eq(af_pattern_word(pattern), "x.Y");
    af_pattern_free(pattern);
    pattern = af_pattern_new("/x/", NULL);
    ck_assert_ptr_null(af_pattern_word(pattern));
    af_pattern_free(pattern);
    af_pattern_free(NULL);
}

/* The text after the colon comes from PCRE, but it is short and does not mention our limit. */
static void check_refused(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    ck_assert_msg(af_pattern_new(text, &error) == NULL, "%s", text);
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    if (g_str_has_suffix(expected, ": ")) {
        ck_assert(g_str_has_prefix(error->message, expected));
        ck_assert_uint_lt(strlen(error->message), strlen(expected) + 60);
    } else {
        ck_assert_str_eq(error->message, expected);
    }
}

TEST(errors_are_readable)
{
    check_refused("", "the pattern \"\" is empty");
    check_refused("!", "the pattern \"!\" is empty");
    check_refused("=", "the pattern \"=\" is empty");
    check_refused("!=", "the pattern \"!=\" is empty");
    check_refused("//", "the regular expression \"//\" is empty");
    check_refused("//i", "the regular expression \"//i\" is empty");
    check_refused("/x", "\"/x\" begins as a regular expression but does not end with / or /i");
    check_refused("/", "\"/\" begins as a regular expression but does not end with / or /i");
    check_refused("/x/g", "\"/x/g\" begins as a regular expression but does not end with / or /i");
    check_refused("/(/", "/(/ is not a valid regular expression: ");
    check_refused("/a: (/", "/a: (/ is not a valid regular expression: ");
    check_refused("\xff", "the pattern is not UTF-8");
}
