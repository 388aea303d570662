#include <string.h>

#include "cases.h"
#include "read/demangle.h"
#include "suite.h"

static void expect(const char *name, const char *result)
{
    g_autofree char *is = af_demangle(name, strlen(name));
    ck_assert_str_eq(is, result);
}

static char *show_name(const char *input)
{
    return af_demangle(input, strlen(input));
}

TEST(symbols_get_their_source_names)
{
    cases_map("symbols", show_name);
}

/* Each level of pairs doubles the previous one: 2^60 names in a few hundred bytes. */
TEST(exploding_names_are_unchanged)
{
    g_autoptr(GString) name = g_string_new("_Z1f");
    g_string_append(name, "St4pairIiiE");
    for (unsigned i = 0; i < 60; i++) {
        char last[8];
        g_snprintf(last, sizeof last, "S%s_",
                   i == 0    ? ""
                   : i <= 10 ? (char[]){(char)('0' + i - 1), 0}
                             : (char[]){(char)('A' + (i - 11) % 26), 0});
        g_string_append_printf(name, "S_I%s%sE", last, last);
    }
    g_autofree char *is = af_demangle(name->str, name->len);
    ck_assert_uint_le(strlen(is), 20000);
    g_autofree char *deep = g_strnfill(100000, 'P');
    g_autofree char *pointers = g_strconcat("_Z1f", deep, "i", NULL);
    expect(pointers, pointers);
}

/* A number as later parts of the name refer to earlier ones. */
static void append_position(GString *name, size_t position)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char text[8];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    for (size_t rest = position - 1; at == sizeof text - 1 || rest > 0; rest /= 62) {
        text[--at] = digits[rest % 62];
    }
    g_string_append_printf(name, "B%s_", text + at);
}

/* Sixty levels of pairs over two of LEAF, like the C++ names above. */
static char *pairs_of_pairs(const char *leaf)
{
    GString *name = g_string_new("_RINvC1a1f");
    size_t pair = name->len - strlen("_R");
    g_string_append_printf(name, "T%s%sE", leaf, leaf);
    for (unsigned i = 0; i < 60; i++) {
        const size_t next = name->len - strlen("_R");
        g_string_append_c(name, 'T');
        append_position(name, pair);
        append_position(name, pair);
        g_string_append_c(name, 'E');
        pair = next;
    }
    g_string_append_c(name, 'E');
    return g_string_free(name, FALSE);
}

static char *repeated(const char *before, char letter, size_t n, const char *after)
{
    g_autofree char *middle = g_strnfill(n, letter);
    char *all = g_strconcat(before, middle, after, NULL);
    return all;
}

TEST(exploding_rust_names_are_unchanged)
{
    char *names[] = {
        pairs_of_pairs("u"),
        /* abandoned in the middle of letters that are held in memory */
        pairs_of_pairs("NtC1au57nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn_nga1b"),
        repeated("_RINvC1a1f", 'R', 1000000, "uE"),
        repeated("_R", 'N', 1000000, "vC1a1b"),
        repeated("_RINvC1a1f", 'T', 1000000, "E"),
        repeated("_RNvC1a100000", 'b', 100000, ""),
        g_strdup("_RINvC1a1fFGzzzzzzzz_EuE"), /* for<'a, 'b, ...> */
        g_strdup("_RINvC1a1fB8_E"),           /* refers to itself */
        g_strdup("_RINvC1a1fTB7_B7_EE"),
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        expect(names[i], names[i]);
        g_free(names[i]);
    }
    /* the longest that fits */
    g_autofree char *longest = repeated("_RNvC1a16381_", 'b', 16381, "");
    g_autofree char *result = repeated("a::", 'b', 16381, "");
    expect(longest, result);
}
