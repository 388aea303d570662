#include <string.h>
#include <aflame/error.h>

#include "cases.h"
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

/* "PATTERN ~ LABEL" */
static char *show_match(const char *input)
{
    g_auto(GStrv) parts = g_strsplit(input, " ~ ", 2);
    return g_strdup(matches(parts[0], parts[1]) ? "yes" : "no");
}

static char *show_error(const char *input)
{
    g_autoptr(GError) error = NULL;
    ck_assert_msg(af_pattern_new(input, &error) == NULL, "%s", input);
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    return g_strdup(error->message);
}

TEST(patterns)
{
    cases_map("patterns", show_match);
    cases_map("invalid patterns", show_error);
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
TEST(errors_of_regular_expressions_are_short)
{
    static const char *const texts[] = {"/(/", "/a: (/"};
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *message = show_error(texts[i]);
        g_autofree char *begin =
            g_strconcat(texts[i], " is not a valid regular expression: ", NULL);
        ck_assert(g_str_has_prefix(message, begin));
        ck_assert_uint_lt(strlen(message), strlen(begin) + 60);
    }
}
