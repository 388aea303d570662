#include <stdint.h>

#include "base/array.h"
#include "suite.h"

TEST(growing_preserves_the_elements)
{
    af_array array;
    af_array_init(&array, sizeof(uint32_t));
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t *item = af_array_add(&array, 1);
        ck_assert_ptr_nonnull(item);
        ck_assert_uint_eq(*item, 0);
        *item = i;
    }
    ck_assert_uint_eq(array.n, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(AF_ARRAY_AT(&array, uint32_t, i), i);
        ck_assert_ptr_eq(af_array_at(&array, i), &AF_ARRAY_AT(&array, uint32_t, i));
    }
    af_array_clear(&array);
    ck_assert_uint_eq(array.n, 0);
}

TEST(new_elements_are_zero)
{
    af_array array;
    af_array_init(&array, sizeof(uint32_t));
    ck_assert(af_array_reach(&array, 100));
    ck_assert_uint_eq(array.n, 100);
    ck_assert_uint_eq(AF_ARRAY_AT(&array, uint32_t, 99), 0);
    ck_assert(af_array_reach(&array, 5));
    ck_assert_uint_eq(array.n, 100);
    /* memory that is released and taken again is zero */
    AF_ARRAY_AT(&array, uint32_t, 99) = 7;
    array.n = 50;
    uint32_t *more = af_array_add(&array, 50);
    ck_assert_uint_eq(more[49], 0);
    af_array_clear(&array);
}

TEST(a_refused_request_is_remembered)
{
    af_array array;
    af_array_init(&array, 16);
    ck_assert_ptr_nonnull(af_array_add(&array, 1));
    ck_assert(!af_array_reach(&array, SIZE_MAX / 16));
    ck_assert(array.failed);
    ck_assert_uint_eq(array.n, 1);
    ck_assert_ptr_null(af_array_add(&array, 1));
    af_array_clear(&array);
    ck_assert(!array.failed);
    ck_assert_ptr_null(af_array_add(&array, SIZE_MAX));
    ck_assert_ptr_null(af_array_add(&array, 1));
    af_array_clear(&array);
}
