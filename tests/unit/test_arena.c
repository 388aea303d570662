#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "suite.h"

TEST(blocks_do_not_move_or_overlap)
{
    g_autoptr(af_arena) arena = af_arena_new();
    unsigned char *first[200];
    for (size_t i = 0; i < 200; i++) {
        first[i] = af_arena_alloc(arena, i * 37);
        ck_assert_ptr_nonnull(first[i]);
        ck_assert_uint_eq((uintptr_t)first[i] % 16, 0);
        memset(first[i], (int)i, i * 37);
    }
    for (size_t i = 0; i < 200; i++) {
        for (size_t at = 0; at < i * 37; at++) {
            ck_assert_uint_eq(first[i][at], i);
        }
    }
    ck_assert(!af_arena_failed(arena));
}

TEST(requests_may_exceed_the_block_size)
{
    g_autoptr(af_arena) arena = af_arena_new();
    unsigned char *small = af_arena_alloc(arena, 1);
    unsigned char *large = af_arena_alloc(arena, 9 * 1024 * 1024);
    ck_assert_ptr_nonnull(large);
    small[0] = 1;
    memset(large, 2, 9 * 1024 * 1024);
    ck_assert_uint_eq(small[0], 1);
}

TEST(copies_end_with_a_zero_byte)
{
    g_autoptr(af_arena) arena = af_arena_new();
    const char bytes[] = {'a', '\0', 'b', 'x'};
    const char *copy = af_arena_copy(arena, bytes, 3);
    ck_assert_mem_eq(copy, "a\0b", 4);
    ck_assert_str_eq(af_arena_copy(arena, "", 0), "");
}

TEST(refusals_are_remembered)
{
    g_autoptr(af_arena) arena = af_arena_new();
    af_arena_fail_after(arena, 2);
    ck_assert_ptr_nonnull(af_arena_alloc(arena, 8));
    ck_assert_ptr_nonnull(af_arena_copy(arena, "x", 1));
    ck_assert(!af_arena_failed(arena));
    ck_assert_ptr_null(af_arena_alloc(arena, 8));
    ck_assert_ptr_null(af_arena_copy(arena, "x", 1));
    ck_assert(af_arena_failed(arena));
}

TEST(sizes_near_the_limit_are_refused)
{
    g_autoptr(af_arena) arena = af_arena_new();
    ck_assert_ptr_null(af_arena_alloc(arena, SIZE_MAX));
    ck_assert_ptr_null(af_arena_alloc(arena, SIZE_MAX - 20));
    ck_assert(af_arena_failed(arena));
    af_arena_free(NULL);
}
