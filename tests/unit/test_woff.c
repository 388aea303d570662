#include <libdeflate.h>
#include <string.h>

#include "render/face.h"
#include "render/svg/woff.h"
#include "suite.h"

static guint32 load(const guint8 *at)
{
    return (guint32)at[0] << 24 | (guint32)at[1] << 16 | (guint32)at[2] << 8 | at[3];
}

/* Unpacks each table and compares it with that of the font. */
TEST(tables_come_back)
{
    size_t length;
    const guint8 *font = af_face_bytes(AF_FACE_BOLD, &length);
    g_autoptr(GByteArray) woff = af_woff_new(font, length);
    ck_assert_ptr_nonnull(woff);
    ck_assert_mem_eq(woff->data, "wOFF", 4);
    ck_assert_mem_eq(woff->data + 4, font, 4);
    ck_assert_uint_eq(load(woff->data + 8), woff->len);
    ck_assert_uint_lt(woff->len, length * 3 / 4);
    const guint n = (guint)font[4] << 8 | font[5];
    ck_assert_uint_eq((guint)woff->data[12] << 8 | woff->data[13], n);
    guint32 all = 12 + 16 * n;
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    for (guint i = 0; i < n; i++) {
        const guint8 *from = font + 12 + 16 * i, *entry = woff->data + 44 + 20 * i;
        const guint32 start = load(entry + 4), packed = load(entry + 8), size = load(entry + 12);
        ck_assert_mem_eq(entry, from, 4);
        ck_assert_mem_eq(entry + 16, from + 4, 4);
        ck_assert_uint_eq(size, load(from + 12));
        ck_assert_uint_eq(start % 4, 0);
        ck_assert_uint_le(packed, size);
        ck_assert_uint_le(start + packed, woff->len);
        g_autofree guint8 *plain = g_malloc(size);
        if (packed < size) {
            size_t got = 0;
            ck_assert_int_eq(
                libdeflate_zlib_decompress(unpacker, woff->data + start, packed, plain, size, &got),
                LIBDEFLATE_SUCCESS);
            ck_assert_uint_eq(got, size);
        } else {
            memcpy(plain, woff->data + start, size);
        }
        ck_assert_mem_eq(plain, font + load(from + 8), size);
        all += (size + 3) & ~3u;
    }
    ck_assert_uint_eq(load(woff->data + 16), all);
    libdeflate_free_decompressor(unpacker);
}

TEST(damaged_fonts_are_refused)
{
    size_t length;
    const guint8 *font = af_face_bytes(AF_FACE_BOLD, &length);
    ck_assert_ptr_null(af_woff_new(font, 0));
    ck_assert_ptr_null(af_woff_new(font, 11));
    ck_assert_ptr_null(af_woff_new(font, 40));
    ck_assert_ptr_null(af_woff_new(font, length - 8));
    guint8 empty[12] = {0, 1, 0, 0};
    ck_assert_ptr_null(af_woff_new(empty, sizeof empty));
}
