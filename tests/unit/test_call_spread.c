#include <string.h>

#include "calls/call_histogram.h"
#include "suite.h"

static char *show(GArray *rows)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < rows->len; i++) {
        const af_spread_row *row = &g_array_index(rows, af_spread_row, i);
        g_string_append_printf(text, "%lu-%lu:%lu ", (unsigned long)row->from_ns,
                               (unsigned long)row->to_ns, (unsigned long)row->calls);
    }
    g_array_unref(rows);
    return g_string_free(text, FALSE);
}

static void check_rows(GArray *rows, const char *expected)
{
    g_autofree char *text = show(rows);
    ck_assert_str_eq(text, expected);
}

TEST(steps_include_their_lower_bound)
{
    static const uint64_t ns[] = {0, 1, 2, 4, 5, 9, 10, 19, 20};
    af_spread spread = {{0}};
    for (size_t i = 0; i < G_N_ELEMENTS(ns); i++) {
        af_spread_add(&spread, ns[i]);
    }
    check_rows(af_spread_rows(&spread), "0-1:1 1-2:1 2-5:2 5-10:2 10-20:2 20-50:1 ");
}

TEST(wide_ranges_have_rows_per_decade)
{
    af_spread spread = {{0}};
    af_spread_add(&spread, 30);
    af_spread_add(&spread, 999999);
    af_spread_add(&spread, 1000000);
    check_rows(af_spread_rows(&spread),
               "10-100:1 100-1000:0 1000-10000:0 10000-100000:0 100000-1000000:1 "
               "1000000-10000000:1 ");
}

TEST(all_64_bit_numbers_fit)
{
    af_spread spread = {{0}};
    af_spread_add(&spread, UINT64_MAX);
    af_spread_add(&spread, 0);
    GArray *rows = af_spread_rows(&spread);
    const af_spread_row *last = &g_array_index(rows, af_spread_row, rows->len - 1);
    ck_assert_uint_eq(last->calls, 1);
    ck_assert_uint_eq(last->to_ns, UINT64_MAX);
    g_array_unref(rows);
    const uint64_t ends[] = {0, UINT64_MAX};
    rows = af_spread_even_rows(ends, 2);
    ck_assert_uint_le(rows->len, 12);
    ck_assert_uint_eq(g_array_index(rows, af_spread_row, 0).calls, 1);
    ck_assert_uint_eq(g_array_index(rows, af_spread_row, rows->len - 1).calls, 1);
    g_array_unref(rows);
}

TEST(narrow_ranges_have_equal_rows)
{
    static const uint64_t ns[] = {10100000, 10300000, 10350000, 11900000, 12000000};
    af_spread spread = {{0}};
    check_rows(af_spread_rows(&spread), "");
    for (size_t i = 0; i < 4; i++) {
        af_spread_add(&spread, ns[i]);
    }
    ck_assert(!af_spread_is_narrow(&spread)); /* too few */
    af_spread_add(&spread, ns[4]);
    ck_assert(af_spread_is_narrow(&spread));
    check_rows(af_spread_even_rows(ns, 5),
               "10000000-10200000:1 10200000-10400000:2 10400000-10600000:0 10600000-10800000:0 "
               "10800000-11000000:0 11000000-11200000:0 11200000-11400000:0 11400000-11600000:0 "
               "11600000-11800000:0 11800000-12000000:1 12000000-12200000:1 ");
    check_rows(af_spread_even_rows(ns, 0), "");
}
