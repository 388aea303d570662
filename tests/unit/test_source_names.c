#include "cases.h"
#include "suite.h"
#include "transform/source_names.h"

static char *show_name(const char *input)
{
    static const char *const kinds[] = {
        [AF_MADE_BY_PEOPLE] = "by people",     [AF_MADE_OTHERWISE] = "otherwise",
        [AF_MADE_FORWARDER] = "forwarder",     [AF_MADE_LAMBDA_CLASS] = "lambda class",
        [AF_MADE_LAMBDA_BODY] = "lambda body", [AF_MADE_LAMBDA_FORWARDER] = "lambda forwarder"};
    g_auto(GStrv) words = g_strsplit(input, " ", 2);
    g_autoptr(GString) class_name = g_string_new(words[0]), method = g_string_new(words[1]);
    const af_made_kind kind = af_source_name(class_name, method);
    return g_strdup_printf("%s: %s %s", kinds[kind], class_name->str, method->str);
}

/* "CLASS METHOD [DESCRIPTOR]" */
static char *show_machinery(const char *input)
{
    g_auto(GStrv) words = g_strsplit(input, " ", 3);
    const gboolean named = words[0] != NULL;
    return g_strdup(af_source_is_machinery(named ? words[0] : "", named ? words[1] : "",
                                           named ? words[2] : NULL)
                        ? "yes"
                        : "no");
}

static char *show_arguments(const char *input)
{
    GString *arguments = g_string_new(input);
    af_source_arguments(arguments);
    return g_string_free(arguments, FALSE);
}

TEST(names_of_generated_code)
{
    cases_map("source names", show_name);
    cases_map("coroutine machinery", show_machinery);
    cases_map("synthetic arguments", show_arguments);
}

TEST(very_long_names_stay)
{
    g_autofree char *long_name = g_strnfill(1 << 20, '$');
    g_autofree char *input = g_strdup_printf("a.Foo$$Lambda$1%s run", long_name);
    g_autofree char *shown = show_name(input), *expected = g_strconcat("by people: ", input, NULL);
    ck_assert_str_eq(shown, expected);
}
