#include <string.h>

#include "base/textmap.h"
#include "suite.h"

enum { TEXTS = 5000 };

TEST(numbers_follow_first_use)
{
    static char texts[TEXTS][16];
    af_textmap map;
    af_textmap_init(&map);
    ck_assert_uint_eq(af_textmap_find(&map, "t0", 2), AF_TEXTMAP_NONE);
    for (uint32_t i = 0; i < TEXTS; i++) {
        g_snprintf(texts[i], sizeof texts[i], "t%u", i);
        ck_assert_uint_eq(af_textmap_find(&map, texts[i], strlen(texts[i])), AF_TEXTMAP_NONE);
        ck_assert_uint_eq(af_textmap_add(&map, texts[i], strlen(texts[i])), i);
    }
    for (uint32_t i = 0; i < TEXTS; i++) {
        char again[16];
        memcpy(again, texts[i], sizeof again);
        ck_assert_uint_eq(af_textmap_find(&map, again, strlen(again)), i);
        ck_assert_uint_eq(af_textmap_add(&map, again, strlen(again)), i);
        ck_assert_ptr_eq(map.entries[i].bytes, texts[i]);
    }
    ck_assert_uint_eq(map.n, TEXTS);
    af_textmap_clear(&map);
    ck_assert_uint_eq(af_textmap_find(&map, "t0", 2), AF_TEXTMAP_NONE);
    af_textmap_clear(&map);
}

TEST(texts_may_be_any_bytes)
{
    af_textmap map;
    af_textmap_init(&map);
    ck_assert_uint_eq(af_textmap_add(&map, "a\0b", 3), 0);
    ck_assert_uint_eq(af_textmap_add(&map, "a\0c", 3), 1);
    ck_assert_uint_eq(af_textmap_add(&map, "a", 1), 2);
    ck_assert_uint_eq(af_textmap_add(&map, "", 0), 3);
    ck_assert_uint_eq(af_textmap_add(&map, NULL, 0), 3);
    ck_assert_uint_eq(af_textmap_add(&map, "a\0b", 3), 0);
    af_textmap_clear(&map);
}
