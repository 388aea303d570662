/* LEB128: any bytes either yield a number or leave the position unchanged; written numbers are read
 * back. */
#include "base/bytes.h"
#include "feed.h"

static size_t write_unsigned(uint8_t *to, uint64_t value)
{
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) {
        to[n++] = (uint8_t)(value | 0x80);
    }
    to[n++] = (uint8_t)value;
    return n;
}

static size_t write_signed(uint8_t *to, int64_t value)
{
    size_t n = 0;
    /* only sign bits remain */
    while (value < -64 || value > 63) {
        to[n++] = (uint8_t)((uint64_t)value | 0x80);
        value >>= 7;
    }
    to[n++] = (uint8_t)((uint64_t)value & 0x7F);
    return n;
}

static void check_written(uint64_t value)
{
    uint8_t bytes[16];
    uint64_t read;
    int64_t read_signed;
    const uint8_t *at = bytes, *end = bytes + write_unsigned(bytes, value);
    FUZZ_CHECK(af_uleb128(&at, end, &read) && read == value && at == end);
    at = bytes;
    FUZZ_CHECK(!af_uleb128(&at, end - 1, &read) && at == bytes);
    end = bytes + write_signed(bytes, (int64_t)value);
    at = bytes;
    FUZZ_CHECK(af_sleb128(&at, end, &read_signed) && read_signed == (int64_t)value && at == end);
    at = bytes;
    FUZZ_CHECK(!af_sleb128(&at, end - 1, &read_signed) && at == bytes);
}

/* The same numbers read one by one, both ways. */
static void check_stream(const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    while (at < end) {
        const uint8_t *one = at, *other = at;
        uint64_t value = 0;
        int64_t number = 0;
        const gboolean ok = af_uleb128(&one, end, &value);
        FUZZ_CHECK(af_sleb128(&other, end, &number) == ok && one == other);
        FUZZ_CHECK(ok ? one > at && one - at <= 10 && (one[-1] & 0x80) == 0 : one == at);
        if (!ok) {
            at++;
            continue;
        }
        const unsigned bits = 7 * (unsigned)(one - at);
        if (bits < 64) {
            const uint64_t sign = (one[-1] & 0x40) != 0 ? ~UINT64_C(0) << bits : 0;
            FUZZ_CHECK((uint64_t)number == (value | sign));
        } else {
            FUZZ_CHECK((uint64_t)number == value);
        }
        at = one;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_feed feed = {bytes, bytes + size};
    check_stream(bytes, size);
    while (feed_left(&feed) > 0) {
        check_written(feed_number(&feed, 8));
    }
    return 0;
}
