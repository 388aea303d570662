#include <string.h>

#include "base/pull.h"
#include "suite.h"

TEST(relaxed_quotes)
{
    const char *text = "{'a\\'}' : \"it's\", b: {'}': c, \"d\": ['}\\''] }, e: 'f' }";
    af_pull p = {text, text + strlen(text), TRUE};
    static const char *const rows[][2] = {
        {"a\\'}", "it's"}, {"b", "{'}': c, \"d\": ['}\\''] }"}, {"e", "f"}};
    af_pull_value key, value;
    af_pull_enter(&p);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_OK);
        ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_OK);
        ck_assert(af_span_is(key.text, rows[i][0]) && af_span_is(value.text, rows[i][1]));
    }
    ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_END);
    p = (af_pull){text, text + strlen(text), FALSE};
    af_pull_enter(&p);
    ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_STRANGE);
}

static af_span slice(const char *text)
{
    return (af_span){text, strlen(text)};
}

static af_pull pull(const char *text)
{
    return (af_pull){text, text + strlen(text), FALSE};
}

TEST(times_are_exact)
{
    static const struct {
        const char *text;
        int64_t us;
        int ns;
    } rows[] = {
        {"0", 0, 0},
        {"1234567890.123", 1234567890, 123},
        {"1.0005", 1, 1}, /* rounded on the fourth digit */
        {"1.0004999", 1, 0},
        {"0.9999", 1, 0},
        {"1.5e6", 1500000, 0},
        {"25E-1", 2, 500},
        {"1.", 1, 0},
        {".5", 0, 500},
        {"+7", 7, 0},
        {"-2.25", -2, -250},
        {"13344473600000000.125", 13344473600000000, 125}, /* since 1601 */
        {"1700000000000000.004", 1700000000000000, 4},     /* since 1970 */
        {"1700000000000000.0045", 1700000000000000, 5},    /* 20 digits are significant */
        {"1700000000000000.00449", 1700000000000000, 4},
        {"1999999999999999.9995", 2000000000000000, 0},
        {"13344473600000000", 13344473600000000, 0},
        {"18446744073709552e0", 18446744073709552, 0}, /* its ns exceed 64 bits */
        {"0e99999999", 0, 0},
        {"1e-400", 0, 0},
        {"000000000000000000001.25", 1, 250},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        int64_t us = 77;
        int ns = 77;
        ck_assert_msg(af_pull_us(slice(rows[i].text), &us, &ns), "%s", rows[i].text);
        ck_assert_msg(us == rows[i].us && ns == rows[i].ns, "%s: %" G_GINT64_FORMAT " us %d ns",
                      rows[i].text, us, ns);
    }
    static const char *const none[] = {"",    "-",   ".",  "e5",    "1e",     "1e+", "0x10",
                                       "1,5", "NaN", "1 ", "1e308", "-1e400", "--1", "1.2.3"};
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
        int64_t us;
        int ns;
        ck_assert_msg(!af_pull_us(slice(none[i]), &us, &ns), "%s", none[i]);
    }
}

TEST(whole_numbers_and_thousandths)
{
    int64_t n;
    ck_assert(af_pull_whole(slice("4294967296"), &n) && n == 4294967296);
    ck_assert(af_pull_whole(slice("-1"), &n) && n == -1);
    ck_assert(af_pull_whole(slice("12.9"), &n) && n == 12);
    ck_assert(af_pull_whole(slice("1e3"), &n) && n == 1000);
    ck_assert(!af_pull_whole(slice("1e30"), &n));
    ck_assert(!af_pull_whole(slice("main"), &n));
    ck_assert(af_pull_thousandths(slice("59.94"), &n) && n == 59940);
    ck_assert(af_pull_thousandths(slice("-0.0015"), &n) && n == -2);
    ck_assert(af_pull_thousandths(slice("1e300"), &n) && n == INT64_MAX);
    ck_assert(!af_pull_thousandths(slice("much"), &n));
    ck_assert(af_pull_scaled(slice("1.0000000014"), 9, &n) && n == 1000000001);
    ck_assert(af_pull_scaled(slice("-2.5e-3"), 3, &n) && n == -3);
    ck_assert(af_pull_scaled(slice("9007199254740993"), 0, &n) && n == 9007199254740993);
    ck_assert(!af_pull_scaled(slice("1e10"), 9, &n));
    ck_assert(!af_pull_scaled(slice(""), 0, &n));
}

static char *unescape(const char *json)
{
    af_pull p = pull(json);
    af_pull_value value;
    ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_OK);
    ck_assert_int_eq(value.kind, AF_PULL_STRING);
    g_autoptr(GString) buffer = g_string_new(NULL);
    const af_span text = af_pull_text(&value, buffer);
    char *copy = g_strndup(text.bytes, text.length);
    return copy;
}

TEST(strings_are_unescaped)
{
    static const char *const rows[][2] = {
        {"\"plain\"", "plain"},
        {"\"\"", ""},
        {"\"a\\\"b\\\\c\\/d\"", "a\"b\\c/d"},
        {"\"\\b\\f\\n\\r\\t\"", "\b\f\n\r\t"},
        {"\"\\u00e9\\u20AC\"", "\xC3\xA9\xE2\x82\xAC"},
        {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80"},
        {"\"\\ud83d\"", "\xEF\xBF\xBD"}, /* alone */
        {"\"\\ude00x\"", "\xEF\xBF\xBDx"},
        {"\"\\ud83d\\u0041\"", "\xEF\xBF\xBD"
                               "A"},
        {"\"\\ud83d\\\\\"", "\xEF\xBF\xBD\\"},
        {"\"\\u12\"", "\xEF\xBF\xBD"
                      "12"}, /* not four digits */
        {"\"\\q\"", "q"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = unescape(rows[i][0]);
        ck_assert_str_eq(text, rows[i][1]);
    }
}

/* Truncated anywhere, a value is short and nothing else, and the end of the input is respected. */
TEST(truncated_values_are_short)
{
    const char *text = "{\"a\\\\\":[1,{\"b]\":\"}\\\"\"},[]],\"c\":nul} ";
    const size_t length = strlen(text);
    af_pull_value value;
    for (size_t n = 0; n + 1 < length; n++) {
        char *exact = g_memdup2(text, MAX(n, 1)); /* so that reading past the end is noticed */
        af_pull p = {exact, exact + n, FALSE};
        ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_SHORT);
        g_free(exact);
    }
    af_pull p = pull(text);
    ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_OK);
    ck_assert_uint_eq(value.text.length, length - 1);
    p = pull("17"); /* another digit may follow */
    ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_SHORT);
}

TEST(commas_are_optional)
{
    af_pull p = pull(" {,\"a\":1 \"b\":[2 3,,4]\n,}x");
    af_pull_kind kind;
    af_pull_value key, value;
    ck_assert_int_eq(af_pull_look(&p, &kind), AF_PULL_OK);
    ck_assert_int_eq(kind, AF_PULL_OBJECT);
    af_pull_enter(&p);
    ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_OK);
    ck_assert(af_span_is(key.text, "a"));
    ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_OK);
    ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_OK);
    ck_assert(af_span_is(key.text, "b"));
    ck_assert_int_eq(af_pull_look(&p, &kind), AF_PULL_OK);
    ck_assert_int_eq(kind, AF_PULL_ARRAY);
    af_pull_enter(&p);
    for (int i = 2; i <= 4; i++) {
        int64_t n;
        ck_assert_int_eq(af_pull_next_item(&p), AF_PULL_OK);
        ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_OK);
        ck_assert(af_pull_whole(value.text, &n) && n == i);
    }
    ck_assert_int_eq(af_pull_next_item(&p), AF_PULL_END);
    ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_END);
    ck_assert_int_eq(*p.at, 'x');
}

TEST(nesting_takes_no_memory_and_has_a_limit)
{
    const size_t depths[] = {1, AF_PULL_DEEPEST, AF_PULL_DEEPEST + 1, 200000};
    for (size_t i = 0; i < G_N_ELEMENTS(depths); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        for (size_t d = 0; d < depths[i]; d++) {
            g_string_append_c(text, '[');
        }
        for (size_t d = 0; d < depths[i]; d++) {
            g_string_append_c(text, ']');
        }
        af_pull p = {text->str, text->str + text->len, FALSE};
        af_pull_value value;
        ck_assert_int_eq(af_pull_take(&p, &value),
                         depths[i] <= AF_PULL_DEEPEST ? AF_PULL_OK : AF_PULL_STRANGE);
        ck_assert_ptr_eq(p.at, p.end); /* skipped either way */
    }
}

TEST(invalid_json_is_detected)
{
    static const char *const rows[] = {":", "}", "]", ",", "'a'", "\x01"};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        af_pull p = pull(rows[i]);
        af_pull_value value;
        ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_STRANGE);
        ck_assert_ptr_eq(p.at, rows[i]);
    }
    af_pull p = pull("{\"a\" 1}");
    af_pull_value key;
    af_pull_enter(&p);
    ck_assert_int_eq(af_pull_next_key(&p, &key), AF_PULL_STRANGE);
}
