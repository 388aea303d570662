#include <string.h>

#include <aflame/error.h>
#include "base/number.h"
#include "suite.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

TEST(times)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1, "1 ns"},
        {999, "999 ns"},
        {12 * US, "12 µs"},
        {12345, "12.3 µs"},
        {120500, "121 µs"},
        {1500 * US, "1.50 ms"},
        {9994 * US, "9.99 ms"},
        {999999, "1.00 ms"},
        {999960 * US, "1.00 s"},
        {320874 * US, "320.9 ms"},
        {15310 * MS, "15.31 s"},
        {599 * S, "599.0 s"},
        {600 * S, "10 min 00 s"},
        {4295 * S, "71 min 35 s"},
        {4294967296 * US, "71 min 35 s"},
        {3599 * S + 999 * MS, "60 min 00 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[AF_NUMBER_SIZE];
        ck_assert_str_eq(af_number_time(text, cases[i].ns), cases[i].text);
    }
}

TEST(times_have_three_or_four_digits)
{
    char text[AF_NUMBER_SIZE];
    /* every decade, and just below: no unit needs five digits */
    for (uint64_t ns = 1000; ns < 600 * S; ns *= 10) {
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

TEST(counts)
{
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_count(text, 0), "0");
    ck_assert_str_eq(af_number_count(text, 999), "999");
    ck_assert_str_eq(af_number_count(text, 1000), "1,000");
    ck_assert_str_eq(af_number_count(text, 31031), "31,031");
    ck_assert_str_eq(af_number_count(text, 1234567), "1,234,567");
    ck_assert_str_eq(af_number_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(shares)
{
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_share(text, 292, 1000), "29.2 %");
    ck_assert_str_eq(af_number_share(text, 1, 1), "100.0 %");
    ck_assert_str_eq(af_number_share(text, 1, 3), "33.3 %");
    ck_assert_str_eq(af_number_share(text, 2, 3), "66.7 %");
    ck_assert_str_eq(af_number_share(text, 1, 100000), "<0.1 %");
    ck_assert_str_eq(af_number_share(text, 0, 5), "0 %");
    ck_assert_str_eq(af_number_share(text, 5, 0), "0 %");
    ck_assert_str_eq(af_number_share(text, UINT64_MAX, UINT64_MAX), "100.0 %");
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

TEST(milliseconds)
{
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_ms(text, 0), "0.000 ms");
    ck_assert_str_eq(af_number_ms(text, 1234567 * US), "1234.567 ms");
    ck_assert_str_eq(af_number_ms(text, 499), "0.000 ms");
    ck_assert_str_eq(af_number_ms(text, 500), "0.001 ms");
    ck_assert_str_eq(af_number_ms(text, 999999), "1.000 ms");
}

TEST(typed_times)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"1.5s", 1500000000},
        {"300ms", 300000000},
        {"20us", 20000},
        {"20\u00b5s", 20000},
        {"20\u03bcs", 20000},
        {"1ns", 1},
        {"2min", 120000000000},
        {"0", 0},
        {"-0", 0},
        {"-300ms", -300000000},
        {"1.50 ms", 1500000},
        {".5us", 500},
        {"1.us", 1000},
        {"0.0", 0},
        {"1.000ns", 1},
        {"0.123456789s", 123456789},
        {"9223372036.854775807s", INT64_MAX},
        {"-9223372036.854775807s", -INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GError *error = NULL;
        int64_t ns = 77;
        ck_assert_msg(af_time_parse(cases[i].text, &ns, &error), "%s", cases[i].text);
        ck_assert_int_eq(ns, cases[i].ns);
    }
}

TEST(times_are_printed_as_typed)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {{0, "0"},           {1, "1ns"},
                 {999, "999ns"},     {20000, "20us"},
                 {1500000, "1.5ms"}, {1234567, "1.234567ms"},
                 {1000000000, "1s"}, {1000000001, "1.000000001s"},
                 {90 * S, "90s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[AF_NUMBER_SIZE];
        int64_t ns;
        ck_assert_str_eq(af_number_typed(text, cases[i].ns), cases[i].text);
        ck_assert(af_time_parse(text, &ns, NULL));
        ck_assert_uint_eq((uint64_t)ns, cases[i].ns);
    }
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_typed(text, UINT64_MAX), "18446744073.709551615s");
}

TEST(invalid_times_are_refused)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"300", "the time \"300\" has no unit; write 300ms, or ns, us, s, min"},
        {"", "\"\" is not a valid time; write it like 1.5s, 300ms, 20us or 1ns"},
        {"-", "is not a valid time"},
        {"ms", "is not a valid time"},
        {".ms", "is not a valid time"},
        {"1.2.3s", "is not a valid time"},
        {"1,5s", "is not a valid time"},
        {"5m", "is not a valid time"},
        {"5MS", "is not a valid time"},
        {"5  ms", "is not a valid time"},
        {"5ms ", "is not a valid time"},
        {"--5ms", "is not a valid time"},
        {"1e3ms", "is not a valid time"},
        {"1.5ns", "finer than a nanosecond"},
        {"0.0001us", "finer than a nanosecond"},
        {"9223372036.854775808s", "too long"},
        {"999999999999999999min", "too long"},
        {"12345678901234567890ns", "is not a valid time"},
        {"9999999999999999999ns", "too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autoptr(GError) error = NULL;
        int64_t ns = 77;
        ck_assert_msg(!af_time_parse(cases[i].text, &ns, &error), "%s", cases[i].text);
        ck_assert(g_error_matches(error, AF_ERROR, AF_ERROR_USAGE));
        ck_assert_msg(strstr(error->message, cases[i].expected) != NULL, "%s", error->message);
        ck_assert_int_eq(ns, 77);
    }
}
