#include <string.h>

#include "base/utf8.h"
#include "suite.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

#define BYTES(literal) literal, sizeof(literal) - 1

TEST(invalid_bytes_are_replaced)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *clean;
    } cases[] = {
        {BYTES("a\nb"), "a\xe2\x90\x8a"
                        "b"},
        {BYTES("a\xc0\x80"
               "b"),
         "a\xe2\x90\x80"
         "b"},
        {BYTES("a\0b"), "a" BAD "b"},
        {BYTES("\t\r\x1b\x7f"), BAD BAD BAD BAD},
        {BYTES("\xc2\x85"), BAD},                                /* C1: one character */
        {BYTES("\xc1\x81"), BAD BAD},                            /* overlong: byte by byte */
        {BYTES("\xe0\x80\x80"), BAD BAD BAD},                    /* overlong */
        {BYTES("\xed\xa0\xbd\xed\xb8\x80"), "\xf0\x9f\x98\x80"}, /* CESU-8 pair */
        {BYTES("\xed\xa0\xbd"), BAD BAD BAD},                    /* lone high surrogate */
        {BYTES("\xed\xb8\x80\xed\xa0\xbd"), BAD BAD BAD BAD BAD BAD},
        {BYTES("\xf4\x90\x80\x80"), BAD BAD BAD BAD}, /* above U+10FFFF */
        {BYTES("\xe2\x82"), BAD BAD},                 /* truncated */
        {BYTES("\xe2\x82z"), BAD BAD "z"},
        {BYTES("\x80\xff"), BAD BAD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autoptr(GString) clean = g_string_new("<");
        ck_assert(!af_utf8_is_clean(cases[i].bytes, cases[i].length));
        ck_assert(af_utf8_append_clean(clean, cases[i].bytes, cases[i].length));
        ck_assert_str_eq(clean->str + 1, cases[i].clean);
        ck_assert(g_utf8_validate(clean->str, (gssize)clean->len, NULL));
        ck_assert(af_utf8_is_clean(clean->str, clean->len));
    }
}

TEST(valid_text_is_unchanged)
{
    static const char *const cases[] = {
        "",
        "plain",
        "  blanks ",
        "\xca\x8a",
        "\xe2\x80\xae",
        "\xe2\x80\xa8",
        "\xef\xbb\xbf",
        "\xef\xbf\xbe",
        "\xf0\x9f\x98\x80",
        "\xf4\x8f\xbf\xbf",
        "</script>]]>&\"'",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autoptr(GString) clean = g_string_new(NULL);
        ck_assert(af_utf8_is_clean(cases[i], strlen(cases[i])));
        ck_assert(!af_utf8_append_clean(clean, cases[i], strlen(cases[i])));
        ck_assert_str_eq(clean->str, cases[i]);
    }
}

/* Every pair of bytes gives valid UTF-8, and is_clean() agrees with the replacement. */
TEST(any_pair_of_bytes_becomes_valid)
{
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            const char bytes[] = {(char)a, (char)b};
            g_autoptr(GString) clean = g_string_new(NULL);
            const gboolean replaced = af_utf8_append_clean(clean, bytes, 2);
            ck_assert_int_eq(replaced, !af_utf8_is_clean(bytes, 2));
            ck_assert(g_utf8_validate(clean->str, (gssize)clean->len, NULL));
        }
    }
}
