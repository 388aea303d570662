#include "base/bytes.h"
#include "suite.h"

TEST(little_endian)
{
    const uint8_t bytes[] = {0x01, 0x82, 0x03, 0x84, 0x05, 0x86, 0x07, 0x88};
    ck_assert_uint_eq(af_load_u16(bytes), 0x8201);
    ck_assert_uint_eq(af_load_u24(bytes), 0x038201);
    ck_assert_uint_eq(af_load_u32(bytes), 0x84038201);
    ck_assert_uint_eq(af_load_u64(bytes), UINT64_C(0x8807860584038201));
    ck_assert_uint_eq(af_load_u16(bytes + 1), 0x0382);
}

typedef struct {
    const char *bytes;
    size_t length;
    uint64_t value;
    size_t used; /* 0 = refused */
} number;

#define BYTES(literal) literal, sizeof(literal) - 1

TEST(unsigned_leb)
{
    static const number cases[] = {
        {BYTES("\x00"), 0, 1},
        {BYTES("\x7f"), 127, 1},
        {BYTES("\x80\x01"), 128, 2},
        {BYTES("\xe5\x8e\x26\xff"), 624485, 3},
        {BYTES("\x80\x80\x00"), 0, 3}, /* longer than necessary */
        {BYTES("\xff\xff\xff\xff\x0f"), UINT32_MAX, 5},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), UINT64_MAX, 10},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), UINT64_MAX, 10},
        {BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), 0, 0}, /* 11 bytes */
        {BYTES("\x80"), 0, 0},
        {BYTES(""), 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *begin = (const uint8_t *)cases[i].bytes, *at = begin;
        uint64_t value = 0;
        ck_assert_int_eq(af_uleb128(&at, begin + cases[i].length, &value), cases[i].used > 0);
        ck_assert_uint_eq((size_t)(at - begin), cases[i].used);
        ck_assert_uint_eq(value, cases[i].value);
    }
}

TEST(signed_leb)
{
    static const struct {
        const char *bytes;
        size_t length;
        int64_t value;
        size_t used;
    } cases[] = {
        {BYTES("\x00"), 0, 1},
        {BYTES("\x3f"), 63, 1},
        {BYTES("\x40"), -64, 1},
        {BYTES("\x7f"), -1, 1},
        {BYTES("\xc0\x00"), 64, 2},
        {BYTES("\x80\x7f"), -128, 2},
        {BYTES("\xc0\xbb\x78"), -123456, 3},
        {BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f"), INT64_MIN, 10},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00"), INT64_MAX, 10},
        {BYTES("\xff\xff"), 0, 0},
        {BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00"), 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *begin = (const uint8_t *)cases[i].bytes, *at = begin;
        int64_t value = 0;
        ck_assert_int_eq(af_sleb128(&at, begin + cases[i].length, &value), cases[i].used > 0);
        ck_assert_uint_eq((size_t)(at - begin), cases[i].used);
        ck_assert_int_eq(value, cases[i].value);
    }
}
