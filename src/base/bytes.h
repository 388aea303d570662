/* Little-endian numbers in bytes, and a cursor that never reads past the end. */
#pragma once

#include <stdint.h>
#include <string.h>
#include <glib.h>

static inline uint16_t af_load_u16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return GUINT16_FROM_LE(v);
}

static inline uint32_t af_load_u24(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static inline uint32_t af_load_u32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return GUINT32_FROM_LE(v);
}

static inline uint64_t af_load_u64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return GUINT64_FROM_LE(v);
}

/* ---- LEB128: seven bits per byte, low group first, bit 7 = more bytes follow ---- */

#define AF_ULEB128_MAX 10 /* bytes of the largest number */

/* Writes the number. Returns the end of its bytes. */
static inline uint8_t *af_uleb128_put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        *at++ = (uint8_t)(value | 0x80);
    }
    *at++ = (uint8_t)value;
    return at;
}

/* Reads a number that af_uleb128_put() wrote, and moves *at past it. Not for bytes of an input: it
 * does not check where they end. */
static inline uint64_t af_uleb128_take(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

/* Reads a number of up to eight bytes, for readers of many numbers: without a loop. Eight bytes must
 * be readable at `from`. Returns the length of the number; or 0 if it is longer, with the bits of its
 * first eight bytes. */
static inline unsigned af_uleb128_short(const uint8_t *from, uint64_t *value)
{
    const uint64_t bytes = af_load_u64(from);
    const uint64_t ends = ~bytes & UINT64_C(0x8080808080808080);
    uint64_t v = bytes & (ends ^ (ends - 1)) & UINT64_C(0x7F7F7F7F7F7F7F7F);
    /* joins the groups of seven bits in pairs, fours and eights */
    v = (v & UINT64_C(0x007F007F007F007F)) | (v & UINT64_C(0x7F007F007F007F00)) >> 1;
    v = (v & UINT64_C(0x00003FFF00003FFF)) | (v & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    *value = (v & UINT64_C(0x000000000FFFFFFF)) | (v & UINT64_C(0x0FFFFFFF00000000)) >> 4;
    return ends == 0 ? 0 : (unsigned)__builtin_ctzll(ends) / 8 + 1;
}

/* Reads a number of an input at *at and moves *at past it. Returns FALSE, without moving, if the
 * number has more than AF_ULEB128_MAX bytes or does not end before `end`. Bits above the 64th are
 * dropped. */
gboolean af_uleb128(const uint8_t **at, const uint8_t *end, uint64_t *value);

/* The same for a signed number, whose sign is bit 6 of the last byte. */
gboolean af_sleb128(const uint8_t **at, const uint8_t *end, int64_t *value);
