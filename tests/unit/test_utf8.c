#include <string.h>

#include "base/utf8.h"
#include "cases.h"
#include "suite.h"

static char *show_clean(const char *bytes)
{
    const size_t length = strlen(bytes);
    g_autoptr(GString) begun = g_string_new("<");
    const gboolean changed = af_utf8_append_clean(begun, bytes, length);
    ck_assert(changed == !af_utf8_is_clean(bytes, length));
    ck_assert(changed == (strcmp(begun->str + 1, bytes) != 0));
    ck_assert(g_utf8_validate(begun->str, (gssize)begun->len, NULL));
    ck_assert(af_utf8_is_clean(begun->str, begun->len));
    return g_strdup(changed ? begun->str + 1 : "unchanged");
}

TEST(invalid_bytes_are_replaced)
{
    cases_map("bytes as text", show_clean);
    g_autoptr(GString) clean = g_string_new(NULL);
    ck_assert(af_utf8_append_clean(clean, "a\0b", 3));
    ck_assert_str_eq(clean->str, "a\xef\xbf\xbd"
                                 "b");
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
