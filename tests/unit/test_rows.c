/* The memory of the rows of growing call trees. */
#include "build/rows.h"
#include "suite.h"

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
