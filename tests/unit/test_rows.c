/* The rows of growing call trees: their memory, their durations, and sorting. */
#include <string.h>

#include "base/capacity.h"
#include "build/rows.h"
#include "suite.h"

Suite *af_suite_rows(void);

/* Adds rows, each `nth` with a second call; with its part of the index, a row takes at most 64 bytes at
 * every number of rows from `first` to `last`. */
static void expect_64_bytes(uint32_t nth, uint32_t first, uint32_t last)
{
    af_rows rows;
    af_rows_init(&rows);
    uint32_t row = af_rows_add_root(&rows);
    double most = 0;
    for (uint32_t i = 0; i < last; i++) {
        const uint32_t child = af_rows_enter(&rows, row, AF_NO_ROW, i);
        ck_assert_uint_ne(child, AF_NO_ROW);
        af_rows_close(&rows, &rows.rows[child], i, 2 * (uint64_t)i);
        if (i % nth == 0) {
            af_rows_close(&rows, &rows.rows[child], 3 * (uint64_t)i, i);
        }
        row = i % 3 == 0 ? child : row;
        const double bytes = (double)rows.n * sizeof *rows.rows +
                             (double)rows.n_slots * sizeof *rows.slots +
                             (double)rows.longest.n * sizeof(af_row_longest);
        if (rows.n > first) {
            most = MAX(most, bytes / rows.n);
        }
    }
    ck_assert_msg(most <= 64, "%.2f bytes", most);
    ck_assert_uint_eq(rows.longest.n, last / nth + 1);
    ck_assert_uint_eq(rows.wide.n, 0);
    af_rows_clear(&rows);
}

START_TEST(a_row_takes_at_most_64_bytes)
{
    ck_assert_uint_eq(sizeof(af_row_longest), 8);
    expect_64_bytes(2, 4096, 300000);
}
END_TEST

/* Many rows: then the index grows in small steps. */
START_TEST(a_row_of_several_calls_takes_at_most_64_bytes)
{
    const uint32_t many = AF_CAPACITY(900000, 4096);
    expect_64_bytes(1, many, 2 * many);
}
END_TEST

static void expect_range(const af_rows *rows, uint32_t row, uint64_t min, uint64_t max)
{
    const af_extremes range = af_rows_range(rows, row);
    ck_assert_uint_eq(range.min[AF_WALL], min);
    ck_assert_uint_eq(range.max[AF_WALL], max);
    ck_assert_uint_eq(range.min[AF_CPU], min == UINT64_MAX ? min : min * 3);
    ck_assert_uint_eq(range.max[AF_CPU], max * 3);
}

static void close_row(af_rows *rows, uint32_t row, uint64_t wall)
{
    af_rows_close(rows, &rows->rows[row], wall, wall * 3);
}

START_TEST(durations_of_none_one_and_more_calls)
{
    af_rows rows, others;
    af_rows_init(&rows);
    const uint32_t root = af_rows_add_root(&rows);
    const uint32_t row = af_rows_find_child(&rows, root, 7);
    expect_range(&rows, row, UINT64_MAX, 0);
    close_row(&rows, row, 0);
    expect_range(&rows, row, 0, 0);
    close_row(&rows, row, 5);
    expect_range(&rows, row, 0, 5);
    close_row(&rows, row, 3);
    expect_range(&rows, row, 0, 5);
    /* the rows of a chunk: none, one, several */
    af_rows_init(&others);
    const uint32_t of = af_rows_find_child(&others, af_rows_add_root(&others), 1);
    const uint32_t to = af_rows_find_child(&rows, root, 8);
    for (uint64_t wall = 20; wall <= 23; wall++) {
        af_rows_widen(&rows, to, &others, of);
        if (wall == 20) {
            expect_range(&rows, to, UINT64_MAX, 0);
        } else {
            expect_range(&rows, to, 21, wall);
        }
        close_row(&others, of, wall + 1);
        expect_range(&others, of, 21, wall + 1);
    }
    af_rows_clear(&rows);
    af_rows_clear(&others);
}
END_TEST

/* Long durations do not fit into a row. */
START_TEST(durations_of_any_length)
{
    static const uint64_t walls[] = {AF_NO_LENGTH_YET - 1, AF_NO_LENGTH_YET,
                                     AF_NO_LENGTH_YET + UINT64_C(77777), UINT64_MAX - 1,
                                     UINT64_MAX};
    af_rows rows;
    af_rows_init(&rows);
    const uint32_t root = af_rows_add_root(&rows);
    for (uint32_t i = 0; i < G_N_ELEMENTS(walls); i++) {
        const uint32_t row = af_rows_find_child(&rows, root, i);
        af_rows_close(&rows, &rows.rows[row], walls[i], 1);
        af_extremes range = af_rows_range(&rows, row);
        ck_assert_uint_eq(range.min[AF_WALL], walls[i]);
        ck_assert_uint_eq(range.max[AF_WALL], walls[i]);
        af_rows_close(&rows, &rows.rows[row], 5, 1);
        range = af_rows_range(&rows, row);
        ck_assert_uint_eq(range.min[AF_WALL], 5);
        ck_assert_uint_eq(range.max[AF_WALL], walls[i]);
    }
    af_rows_clear(&rows);
}
END_TEST

/* The columns have 32 bits; what exceeds them is in a table by row, which follows the rows. */
START_TEST(numbers_of_any_size)
{
    af_rows rows;
    af_rows_init(&rows);
    const uint32_t root = af_rows_add_root(&rows);
    const uint32_t few = af_rows_find_child(&rows, root, 1);
    const uint32_t many = af_rows_find_child(&rows, root, 2);
    af_rows_add_calls(&rows, few, 3);
    af_rows_add_unwinds(&rows, few, 2);
    af_rows_add_calls(&rows, many, UINT64_C(0x7FFFFFFFF));
    af_rows_add_calls(&rows, many, 2);
    af_rows_add_unwinds(&rows, many, UINT64_C(0xFFFFFFFF));
    af_rows_add_unwinds(&rows, many, UINT64_C(0x300000000));
    rows.rows[few].calls = 0; /* 2^32 single calls later */
    af_rows_carry_calls(&rows, few);
    uint32_t numbers[] = {0, 2, 1};
    ck_assert(af_rows_sort(&rows, numbers));
    ck_assert_uint_eq(af_rows_calls(&rows, 2), UINT64_C(0x100000000));
    ck_assert_uint_eq(af_rows_unwinds(&rows, 2), 2);
    ck_assert_uint_eq(af_rows_calls(&rows, 1), UINT64_C(0x800000001));
    ck_assert_uint_eq(af_rows_unwinds(&rows, 1), UINT64_C(0x3FFFFFFFF));
    ck_assert_uint_eq(af_rows_calls(&rows, root), 0);
    af_rows_clear(&rows);
}
END_TEST

/* Rows are released in parts, in order; those after them stay. */
START_TEST(released_rows_take_no_memory)
{
    enum { N = 200000, PART = 50000 };
    af_rows rows;
    af_rows_init(&rows);
    af_rows_add_root(&rows);
    for (uint32_t i = 1; i < N; i++) {
        const uint32_t row = af_rows_find_child(&rows, 0, i);
        ck_assert_uint_eq(row, i);
        close_row(&rows, row, i);
        close_row(&rows, row, 2 * i);
        af_rows_add_unwinds(&rows, row, i);
        af_rows_add_runnable(&rows, row, i);
    }
    for (uint32_t done = PART; done < N; done += PART) {
        af_rows_drop(&rows, done - PART, done);
        for (uint32_t row = done; row < N; row += 997) {
            expect_range(&rows, row, row, 2 * row);
            ck_assert_uint_eq(af_rows_unwinds(&rows, row), row);
            ck_assert_uint_eq(af_rows_runnable(&rows, row), row);
        }
    }
    ck_assert_uint_eq(rows.rows[PART / 2].method, 0); /* the first may share its page */
    ck_assert_uint_eq(rows.rows[N - 1].method, N - 1);
    af_rows_clear(&rows);
}
END_TEST

/* The items are in the order of the rows. */
static void expect_order(const af_rows *rows)
{
    uint32_t next = 1;
    for (uint32_t row = 0; row < rows->n; row++) {
        if (rows->rows[row].longest != 0) {
            ck_assert_uint_eq(rows->rows[row].longest, next++);
        }
    }
    ck_assert_uint_gt(next, 1);
    ck_assert_uint_eq(next, rows->longest.n);
}

/* One row in five has long calls from the call `i` % 3 on. */
static uint64_t duration_of(uint32_t i, uint32_t call)
{
    return 10 * (uint64_t)i + call + (i % 5 == 0 && call >= i % 3 ? UINT32_MAX : 0);
}

/* Rows that are finished in another order than they were added, some never, some once. */
START_TEST(sorting_keeps_durations)
{
    enum { N = 5000 };
    af_rows rows;
    af_rows_init(&rows);
    uint32_t *numbers = g_new(uint32_t, N);
    af_rows_add_root(&rows);
    for (uint32_t i = 1; i < N; i++) {
        ck_assert_uint_eq(af_rows_find_child(&rows, i / 2, i), i);
    }
    for (uint32_t k = 1; k < N; k++) {
        const uint32_t i = (uint32_t)((uint64_t)k * 2741 % N); /* all, as 2741 is prime */
        for (uint32_t calls = 0; calls < i % 4; calls++) {
            close_row(&rows, i, duration_of(i, calls));
        }
    }
    for (uint32_t i = 0; i < N; i++) {
        numbers[i] = (i + 1234) % N;
    }
    ck_assert(af_rows_sort(&rows, numbers));
    for (uint32_t i = 1; i < N; i++) {
        const uint32_t row = (i + 1234) % N;
        ck_assert_uint_eq(rows.rows[row].method, i);
        if (i % 4 == 0) {
            expect_range(&rows, row, UINT64_MAX, 0);
        } else {
            expect_range(&rows, row, duration_of(i, 0), duration_of(i, i % 4 - 1));
        }
    }
    expect_order(&rows);
    g_free(numbers);
    af_rows_clear(&rows);
}
END_TEST

Suite *af_suite_rows(void)
{
    Suite *suite = suite_create("rows");
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, durations_of_any_length);
    tcase_add_test(tests, a_row_takes_at_most_64_bytes);
    tcase_add_test(tests, a_row_of_several_calls_takes_at_most_64_bytes);
    tcase_add_test(tests, durations_of_none_one_and_more_calls);
    tcase_add_test(tests, sorting_keeps_durations);
    tcase_add_test(tests, numbers_of_any_size);
    tcase_add_test(tests, released_rows_take_no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
