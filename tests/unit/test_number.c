#include <stdlib.h>
#include <string.h>

#include <aflame/error.h>
#include "base/number.h"
#include "cases.h"
#include "suite.h"

typedef char *number_function(char text[AF_NUMBER_SIZE], uint64_t number);

static char *show_number(const char *input, number_function *function)
{
    char text[AF_NUMBER_SIZE];
    return g_strdup(function(text, strtoull(input, NULL, 10)));
}

static char *show_time(const char *input)
{
    return show_number(input, af_number_time);
}

static char *show_count(const char *input)
{
    return show_number(input, af_number_count);
}

static char *show_ms(const char *input)
{
    return show_number(input, af_number_ms);
}

static char *show_typed(const char *input)
{
    return show_number(input, af_number_typed);
}

static char *show_share(const char *input)
{
    char text[AF_NUMBER_SIZE], *whole;
    const uint64_t part = strtoull(input, &whole, 10);
    return g_strdup(af_number_share(text, part, strtoull(whole, NULL, 10)));
}

static char *show_parsed(const char *input)
{
    g_autoptr(GError) error = NULL;
    int64_t ns = 77;
    if (af_time_parse(input, &ns, &error)) {
        return g_strdup_printf("%" G_GINT64_FORMAT, ns);
    }
    ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
    ck_assert_int_eq(ns, 77);
    return g_strdup(error->message);
}

TEST(numbers_and_times_in_words)
{
    cases_map("times", show_time);
    cases_map("counts", show_count);
    cases_map("milliseconds", show_ms);
    cases_map("shares", show_share);
    cases_map("times as typed", show_typed);
    cases_map("typed times", show_parsed);
}

TEST(times_have_three_or_four_digits)
{
    char text[AF_NUMBER_SIZE];
    /* every decade, and just below: no unit needs five digits */
    for (uint64_t ns = 1000; ns < UINT64_C(600000000000); ns *= 10) {
        for (uint64_t at = ns - 1; at <= ns + 1; at++) {
            af_number_time(text, at);
            int digits = 0;
            for (const char *c = text; *c != '\0'; c++) {
                digits += g_ascii_isdigit(*c);
            }
            ck_assert_msg(digits <= 4, "%s", text);
        }
    }
    af_number_time(text, UINT64_MAX);
}

TEST(amounts)
{
    static const af_unit cycles = {"cycles", TRUE, 0}, samples = {"samples", TRUE, 3},
                         misses = {"cache-misses", TRUE, 0}, time = {"ns", FALSE, 0}, clocks;
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_amount(text, 0, &cycles), "0 cycles");
    ck_assert_str_eq(af_number_amount(text, 1, &cycles), "1 cycle");
    ck_assert_str_eq(af_number_amount(text, 999499, &cycles), "999,499 cycles");
    ck_assert_str_eq(af_number_amount(text, 999500, &cycles), "1.00 M cycles");
    ck_assert_str_eq(af_number_amount(text, 9949999, &cycles), "9.95 M cycles");
    ck_assert_str_eq(af_number_amount(text, 12345678, &cycles), "12.3 M cycles");
    ck_assert_str_eq(af_number_amount(text, UINT64_C(123456789012), &cycles), "123 G cycles");
    ck_assert_str_eq(af_number_amount(text, UINT64_MAX, &cycles), "18446744 T cycles");
    ck_assert_str_eq(af_number_amount_exact(text, 12345678, &cycles), "12,345,678 cycles");
    ck_assert_str_eq(af_number_amount(text, 1, &misses), "1 cache-miss");
    ck_assert_str_eq(af_number_amount(text, 1000, &samples), "1 sample");
    ck_assert_str_eq(af_number_amount(text, 2750, &samples), "2.75 samples");
    ck_assert_str_eq(af_number_amount_cell(text, 1234005, &samples), "1,234.005");
    ck_assert_str_eq(af_number_amount_typed(text, 1234500, &samples), "1234.5");
    ck_assert_str_eq(af_number_amount(text, 1500000, &time), "1.50 ms");
    ck_assert_str_eq(af_number_amount_exact(text, 1500000, &clocks), "1.500 ms");
}
