#include <string.h>

#include "base/pull.h"
#include "cases.h"
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

static char *show_us(const char *input)
{
    int64_t us;
    int ns;
    return af_pull_us(slice(input), &us, &ns)
               ? g_strdup_printf("%" G_GINT64_FORMAT " us %d ns", us, ns)
               : g_strdup("none");
}

/* As a whole number, as thousandths, and times 10 to the power of 9. */
static char *show_numbers(const char *input)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < 3; i++) {
        int64_t n;
        const gboolean fits = i == 0   ? af_pull_whole(slice(input), &n)
                              : i == 1 ? af_pull_thousandths(slice(input), &n)
                                       : af_pull_scaled(slice(input), 9, &n);
        if (fits) {
            g_string_append_printf(text, " %" G_GINT64_FORMAT, n);
        } else {
            g_string_append(text, " none");
        }
    }
    return g_string_free(text, FALSE);
}

static char *show_string(const char *json)
{
    af_pull p = pull(json);
    af_pull_value value;
    ck_assert_int_eq(af_pull_take(&p, &value), AF_PULL_OK);
    ck_assert_int_eq(value.kind, AF_PULL_STRING);
    g_autoptr(GString) buffer = g_string_new(NULL);
    const af_span text = af_pull_text(&value, buffer);
    return g_strndup(text.bytes, text.length);
}

TEST(values_are_decoded)
{
    cases_map("times in JSON", show_us);
    cases_map("numbers in JSON", show_numbers);
    cases_map("strings in JSON", show_string);
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
