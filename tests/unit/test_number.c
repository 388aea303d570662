#include <check.h>

#include "base/number.h"

Suite *af_suite_number(void);

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

START_TEST(times)
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
END_TEST

START_TEST(times_have_three_or_four_digits)
{
    char text[AF_NUMBER_SIZE];
    /* every decade, and just below: no unit runs into five digits */
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
END_TEST

START_TEST(counts)
{
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_count(text, 0), "0");
    ck_assert_str_eq(af_number_count(text, 999), "999");
    ck_assert_str_eq(af_number_count(text, 1000), "1,000");
    ck_assert_str_eq(af_number_count(text, 31031), "31,031");
    ck_assert_str_eq(af_number_count(text, 1234567), "1,234,567");
    ck_assert_str_eq(af_number_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
}
END_TEST

START_TEST(shares)
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
END_TEST

START_TEST(milliseconds)
{
    char text[AF_NUMBER_SIZE];
    ck_assert_str_eq(af_number_ms(text, 0), "0.000 ms");
    ck_assert_str_eq(af_number_ms(text, 1234567 * US), "1234.567 ms");
    ck_assert_str_eq(af_number_ms(text, 499), "0.000 ms");
    ck_assert_str_eq(af_number_ms(text, 500), "0.001 ms");
    ck_assert_str_eq(af_number_ms(text, 999999), "1.000 ms");
}
END_TEST

Suite *af_suite_number(void)
{
    Suite *suite = suite_create("number");
    TCase *tests = tcase_create("number");
    tcase_add_test(tests, times);
    tcase_add_test(tests, times_have_three_or_four_digits);
    tcase_add_test(tests, counts);
    tcase_add_test(tests, shares);
    tcase_add_test(tests, milliseconds);
    suite_add_tcase(suite, tests);
    return suite;
}
