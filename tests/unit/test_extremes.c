/* The table of shortest and longest calls: only marked numbers have an item. */
#include "model/extremes.h"
#include "suite.h"

Suite *af_suite_extremes(void);

static gboolean is_marked(uint32_t number)
{
    return number % 3 == 0 || (number > 130 && number < 200);
}

static uint64_t item_ns(const af_extremes_table *table, uint32_t i, unsigned clock,
                        gboolean longest)
{
    return af_extremes_table_item_ns(table, af_extremes_table_find(table, i), clock, longest);
}

START_TEST(marked_numbers_have_items)
{
    enum { N = 1000 };
    af_extremes_table *table = af_extremes_table_new(N);
    uint32_t marked = 0;
    ck_assert_ptr_nonnull(table);
    for (uint32_t i = N; i-- > 0;) {
        if (is_marked(i)) {
            af_extremes_table_mark(table, i);
            marked++;
        }
    }
    ck_assert_uint_ge(af_extremes_table_count(table), marked * sizeof(af_short_extremes));
    ck_assert_uint_eq(table->n_items, marked);
    ck_assert(af_extremes_table_allocate(table, NULL));
    table->scale[AF_WALL] = 1000;
    table->scale[AF_CPU] = 1;
    for (uint32_t i = N; i-- > 0;) {
        ck_assert_int_eq(af_extremes_table_has(table, i), is_marked(i));
        if (is_marked(i)) {
            *af_extremes_table_at(table, i) = (af_short_extremes){{i, 2 * i}, {3 * i, 4 * i}};
        }
    }
    for (uint32_t i = 0; i < N; i++) {
        if (is_marked(i)) {
            ck_assert_uint_eq(item_ns(table, i, AF_WALL, FALSE), 1000 * i);
            ck_assert_uint_eq(item_ns(table, i, AF_CPU, FALSE), 2 * i);
            ck_assert_uint_eq(item_ns(table, i, AF_WALL, TRUE), 3000 * i);
            ck_assert_uint_eq(item_ns(table, i, AF_CPU, TRUE), 4 * i);
        }
    }
    af_extremes_table_ref(table);
    af_extremes_table_unref(table);
    ck_assert(af_extremes_table_has(table, 3));
    af_extremes_table_unref(table);
}
END_TEST

START_TEST(without_a_table_nothing_has_items)
{
    ck_assert_ptr_null(af_extremes_table_find(NULL, 5));
    af_extremes_table_unref(NULL);
}
END_TEST

Suite *af_suite_extremes(void)
{
    Suite *suite = suite_create("extremes");
    TCase *tests = tcase_create("extremes");
    tcase_add_test(tests, marked_numbers_have_items);
    tcase_add_test(tests, without_a_table_nothing_has_items);
    suite_add_tcase(suite, tests);
    return suite;
}
