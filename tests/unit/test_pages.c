/* Blocks of memory that grow and are released in parts. */
#include <string.h>

#include "base/pages.h"
#include "suite.h"

static void expect_bytes(const uint8_t *bytes, size_t from, size_t to, uint8_t expected)
{
    for (size_t i = from; i < to; i += 509) {
        ck_assert_uint_eq(bytes[i], expected);
    }
    ck_assert_uint_eq(bytes[to - 1], expected);
}

TEST(a_larger_block_keeps_its_bytes)
{
    const size_t small = 5000, large = AF_LARGE_PAGE * 2 + 100, larger = AF_LARGE_PAGE * 5;
    uint8_t *pages = af_pages_grow(NULL, 0, small);
    expect_bytes(pages, 0, small, 0);
    memset(pages, 1, small);
    pages = af_pages_grow(pages, small, large);
    expect_bytes(pages, 0, small, 1);
    expect_bytes(pages, small, large, 0);
    memset(pages + small, 2, large - small);
    pages = af_pages_grow_touched(pages, large, larger);
    expect_bytes(pages, 0, small, 1);
    expect_bytes(pages, small, large, 2);
    expect_bytes(pages, large, larger, 0);
    expect_bytes(pages, small, large, 2);
    expect_bytes(pages, large, larger, 0);
    af_pages_free(pages, larger);
}

#ifndef AF_SMALL_BLOCKS /* with it, malloc() chooses the address */

/* Two at a time, so that one of them does not lie where large pages begin by chance. */
TEST(large_blocks_begin_with_a_large_page)
{
    const size_t sizes[] = {AF_LARGE_PAGE, AF_LARGE_PAGE + 4096, 3 * AF_LARGE_PAGE};
    void *blocks[G_N_ELEMENTS(sizes)], *between[G_N_ELEMENTS(sizes)];
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        between[i] = af_pages_alloc(4096);
        blocks[i] = af_pages_alloc(sizes[i]);
        ck_assert_uint_eq((uintptr_t)blocks[i] % AF_LARGE_PAGE, 0);
        memset(blocks[i], 1, sizes[i]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        af_pages_free(between[i], 4096);
        af_pages_free(blocks[i], sizes[i]);
    }
    af_pages_free(NULL, 0);
}

#endif

TEST(impossible_sizes_are_refused)
{
    uint8_t *pages = af_pages_alloc(100);
    pages[99] = 7;
    ck_assert_ptr_null(af_pages_alloc(SIZE_MAX));
    ck_assert_ptr_null(af_pages_grow(pages, 100, SIZE_MAX));
    ck_assert_ptr_null(af_pages_grow(pages, 100, SIZE_MAX / 2));
    ck_assert_ptr_null(af_pages_grow_touched(pages, 100, SIZE_MAX / 2));
    ck_assert_uint_eq(pages[99], 7);
    af_pages_free(pages, 100);
}

/* Only whole large pages are released: the zeros show which. */
TEST(dropped_bytes_are_released)
{
    const size_t page = AF_LARGE_PAGE, size = 6 * page;
    uint8_t *block = af_pages_alloc(size + page);
    uint8_t *pages = block + (page - (uintptr_t)block % page) % page;
    memset(pages, 1, size);
    af_pages_drop(pages, 0, page + 1000);
    expect_bytes(pages, 0, page, 0);
    expect_bytes(pages, page, size, 1);
    memset(pages, 2, page);
    af_pages_drop(pages, page + 1000, 3 * page + 7);
    expect_bytes(pages, 0, page, 2);
    expect_bytes(pages, page, 3 * page, 0);
    expect_bytes(pages, 3 * page, size, 1);
    af_pages_drop(pages, 3 * page + 7, 3 * page + 8);
    expect_bytes(pages, 3 * page, size, 1);
    af_pages_drop(NULL, 0, size);
    af_pages_free(block, size + page);
}

/* The pages are mapped, and no byte changes. */
TEST(expected_bytes_stay)
{
    uint8_t *pages = af_pages_alloc(AF_LARGE_PAGE / 2);
    memset(pages, 3, 1000);
    af_pages_expect(pages + 10, AF_LARGE_PAGE / 2 - 10);
    af_pages_expect(pages + 10, 1);
    expect_bytes(pages, 0, 1000, 3);
    expect_bytes(pages, 1000, AF_LARGE_PAGE / 2, 0);
    af_pages_free(pages, AF_LARGE_PAGE / 2);
}
