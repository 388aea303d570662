#include <stdlib.h>

#include "base/bytes.h"
#include "cases.h"
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

/* Bytes in hex => the number without and with a sign, and how many of the bytes it takes. */
static char *show_leb(const char *input)
{
    uint8_t bytes[16];
    size_t n = 0;
    for (const char *at = input; *at != '\0'; n++) {
        char *end;
        bytes[n] = (uint8_t)strtoul(at, &end, 16);
        at = end;
    }
    const uint8_t *at = bytes, *signed_at = bytes;
    uint64_t value = 0;
    int64_t signed_value = 0;
    const gboolean whole = af_uleb128(&at, bytes + n, &value);
    ck_assert_int_eq(af_sleb128(&signed_at, bytes + n, &signed_value), whole);
    ck_assert_ptr_eq(at, signed_at);
    ck_assert(whole || (at == bytes && value == 0 && signed_value == 0));
    return whole ? g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %d", value,
                                   signed_value, (int)(at - bytes))
                 : g_strdup("refused");
}

TEST(leb128)
{
    cases_map("LEB128", show_leb);
}
