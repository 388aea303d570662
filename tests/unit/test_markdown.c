#include "base/markdown.h"
#include "suite.h"

TEST(names_are_code_also_in_tables)
{
    g_autoptr(GString) text = g_string_new(NULL);
    af_markdown_append_code(text, "a|b`c\n<init>");
    ck_assert_str_eq(text->str, "`a\\|b c <init>`");
}

TEST(commands_stay_as_they_are)
{
    g_autoptr(GString) text = g_string_new(NULL);
    af_markdown_append_command(text, "aflame info a.trace");
    ck_assert_str_eq(text->str, "`aflame info a.trace`");
    g_string_truncate(text, 0);
    af_markdown_append_command(text, "aflame report '=``a `b`'");
    ck_assert_str_eq(text->str, "``` aflame report '=``a `b`' ```");
}

TEST(text_has_no_markup)
{
    g_autoptr(GString) text = g_string_new(NULL);
    af_markdown_append_text(text, "[x](y) *_<b>~\t\xE2\x80\xAE!");
    ck_assert_str_eq(text->str, "\\[x\\](y) \\*\\_\\<b\\>\\~ \xEF\xBF\xBD!");
}
