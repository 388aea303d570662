/* The rows of growing call trees: their memory, their durations, and sorting. */
#include <string.h>

#include "base/capacity.h"
#include "build/rows.h"
#include "suite.h"

/* With its part of the index, a row takes at most 100 bytes at every number of rows from `first` to
 * `last`. */
static void expect_100_bytes(uint32_t first, uint32_t last)
{
    af_rows rows;
    af_rows_init(&rows);
    uint32_t row = af_rows_add_root(&rows);
    double most = 0;
    for (uint32_t i = 0; i < last; i++) {
        const uint32_t child = af_rows_enter(&rows, row, AF_NO_ROW, i);
        ck_assert_uint_ne(child, AF_NO_ROW);
        row = i % 3 == 0 ? child : row;
        const double bytes =
            (double)rows.n * sizeof *rows.rows + (double)rows.n_slots * sizeof *rows.slots;
        if (rows.n > first) {
            most = MAX(most, bytes / rows.n);
        }
    }
    ck_assert_msg(most <= 100, "%.2f bytes", most);
    af_rows_clear(&rows);
}

TEST(a_row_takes_at_most_100_bytes)
{
    expect_100_bytes(4096, 300000);
}

/* Many rows: then the index grows in small steps. */
TEST(a_row_of_many_takes_at_most_100_bytes)
{
    const uint32_t many = AF_CAPACITY(900000, 4096);
    expect_100_bytes(many, 2 * many);
}

static void expect_range(const af_rows *rows, uint32_t row, uint64_t min, uint64_t max)
{
    const af_row *found = &rows->rows[row];
    ck_assert_uint_eq(found->min[AF_WALL], min);
    ck_assert_uint_eq(found->max[AF_WALL], max);
    ck_assert_uint_eq(found->min[AF_CPU], min == UINT64_MAX ? min : min * 3);
    ck_assert_uint_eq(found->max[AF_CPU], max * 3);
}

static void close_row(af_rows *rows, uint32_t row, uint64_t wall)
{
    af_rows_close(&rows->rows[row], wall, wall * 3);
}

TEST(durations_of_none_one_and_more_calls)
{
    static const uint64_t later[] = {5, 3, UINT64_MAX / 3};
    af_rows rows;
    af_rows_init(&rows);
    const uint32_t row = af_rows_find_child(&rows, af_rows_add_root(&rows), 7);
    expect_range(&rows, row, UINT64_MAX, 0);
    close_row(&rows, row, 4);
    expect_range(&rows, row, 4, 4);
    for (uint32_t i = 0; i < G_N_ELEMENTS(later); i++) {
        close_row(&rows, row, later[i]);
        expect_range(&rows, row, i == 0 ? 4 : 3, MAX(5, later[i]));
    }
    af_rows_clear(&rows);
}

/* Rows are released in parts, in order; those after them stay. */
TEST(released_rows_take_no_memory)
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
    }
    for (uint32_t done = PART; done < N; done += PART) {
        af_rows_drop(&rows, done - PART, done);
        for (uint32_t row = done; row < N; row += 997) {
            expect_range(&rows, row, row, 2 * row);
        }
    }
    ck_assert_uint_eq(rows.rows[PART / 2].method, 0); /* the first may share its page */
    ck_assert_uint_eq(rows.rows[N - 1].method, N - 1);
    af_rows_clear(&rows);
}

/* One row in five has long calls from the call `i` % 3 on. */
static uint64_t duration_of(uint32_t i, uint32_t call)
{
    return 10 * (uint64_t)i + call + (i % 5 == 0 && call >= i % 3 ? UINT32_MAX : 0);
}

/* Rows that are finished in another order than they were added, some never, some once. */
TEST(sorting_keeps_durations)
{
    enum { N = 5000 };
    af_rows rows;
    af_rows_init(&rows);
    g_autofree uint32_t *numbers = g_new(uint32_t, N);
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
    af_rows_sort(&rows, numbers);
    for (uint32_t i = 1; i < N; i++) {
        const uint32_t row = (i + 1234) % N;
        ck_assert_uint_eq(rows.rows[row].method, i);
        if (i % 4 == 0) {
            expect_range(&rows, row, UINT64_MAX, 0);
        } else {
            expect_range(&rows, row, duration_of(i, 0), duration_of(i, i % 4 - 1));
        }
    }
    af_rows_clear(&rows);
}
