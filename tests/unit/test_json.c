#include "base/json.h"
#include "suite.h"

static char *quote(const char *text, size_t length)
{
    GByteArray *bytes = g_byte_array_new();
    af_out *out = g_new(af_out, 1);
    af_out_open(out, af_out_to_array, bytes);
    af_json_text(out, text, length);
    ck_assert(af_out_close(out, NULL));
    g_free(out);
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(bytes, FALSE);
}

static void check_quoted(const char *text, size_t length, const char *expected)
{
    g_autofree char *quoted = quote(text, length);
    ck_assert_str_eq(quoted, expected);
}

TEST(escapes_characters_not_allowed_in_strings)
{
    check_quoted("", 0, "\"\"");
    check_quoted("a.B$c", 5, "\"a.B$c\"");
    check_quoted("\"\\/", 3, "\"\\\"\\\\/\"");
    check_quoted("a\nb\x1f\x7f", 5, "\"a\\u000ab\\u001f\\u007f\"");
    check_quoted("x\0y", 3, "\"x\\u0000y\"");
    check_quoted("é€😀", 9, "\"é€😀\"");
    check_quoted("more than this", 4, "\"more\"");
}
