#include "base/idmap.h"
#include "suite.h"

static af_idmap map;

static void set_up(void)
{
    af_idmap_init(&map, 2);
}

static void tear_down(void)
{
    af_idmap_clear(&map);
}

AROUND_EACH(set_up, tear_down)

TEST(numbers_follow_first_use)
{
    static const uint64_t ids[] = {40, 0, 4, UINT64_MAX, UINT64_C(0x7f00deadbeef0010), 44};
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(af_idmap_find(&map, ids[i]), AF_IDMAP_NONE);
        ck_assert_uint_eq(af_idmap_number(&map, ids[i]), i);
    }
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(af_idmap_number(&map, ids[i]), i);
        ck_assert_uint_eq(af_idmap_find(&map, ids[i]), i);
        ck_assert_uint_eq(map.ids[i], ids[i]);
    }
    ck_assert_uint_eq(map.n, 6);
    ck_assert_uint_eq(af_idmap_find(&map, 8), AF_IDMAP_NONE);
}

/* Ids that are not multiples of 1 << shift work like all others. */
TEST(low_bits_matter)
{
    for (uint32_t i = 0; i < 5000; i++) {
        ck_assert_uint_eq(af_idmap_number(&map, i), i);
        ck_assert_uint_eq(af_idmap_look(&map, i + 1), AF_IDMAP_NONE);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        ck_assert_uint_eq(af_idmap_look(&map, i), i);
    }
}

/* Small ids, pointers, and pointers that differ only in high bits. */
static uint64_t make_id(uint32_t i)
{
    switch (i % 3) {
    case 0:
        return (uint64_t)i * 4;
    case 1:
        return UINT64_C(0x7f0000000000) + (uint64_t)i * 16;
    default:
        return (uint64_t)i << 40;
    }
}

TEST(many_ids_are_found_again)
{
    for (uint32_t i = 0; i < 60000; i++) {
        ck_assert_uint_eq(af_idmap_add(&map, make_id(i)), i);
    }
    for (uint32_t i = 0; i < 60000; i++) {
        ck_assert_uint_eq(af_idmap_find(&map, make_id(i)), i);
    }
    ck_assert_uint_eq(map.n, 60000);
    ck_assert(!map.failed);
}
