#include "read/mend.h"

#include <string.h>

#include "base/bytes.h"

gboolean af_mend_fits(const uint8_t *bytes, size_t length)
{
    if (length < 18 || memcmp(bytes, "SLOW", 4) != 0) {
        return FALSE;
    }
    const unsigned version = af_load_u16(bytes + 4), offset = af_load_u16(bytes + 6);
    if (version < 1 || version > 3 || (offset != 16 && offset != 18 && offset != 32) ||
        length < offset || (version == 3 && af_load_u16(bytes + 16) != 14)) {
        return FALSE;
    }
    return (length - offset) % (version == 1 ? 9 : version == 2 ? 10 : 14) == 0;
}

/* Counting the first byte of the three is cheap and nearly always settles it: counters of one byte
 * each, so that many of them fit in a register. */
size_t af_mend_count_suspects(const uint8_t *bytes, size_t length)
{
    enum { LANES = 64, ROUNDS = 255 };
    const uint8_t byte = 0xEF;
    size_t n = 0;
    while (length >= LANES) {
        uint8_t found[LANES] = {0};
        const size_t rounds = MIN(length / LANES, ROUNDS);
        for (size_t round = 0; round < rounds; round++, bytes += LANES) {
            for (unsigned lane = 0; lane < LANES; lane++) {
                found[lane] += bytes[lane] == byte;
            }
        }
        length -= rounds * LANES;
        for (unsigned lane = 0; lane < LANES; lane++) {
            n += found[lane];
        }
    }
    for (size_t i = 0; i < length; i++) {
        n += bytes[i] == byte;
    }
    return n;
}

gboolean af_mend_is_suspect(size_t suspects, size_t length)
{
    return suspects * 3 * 20 > length;
}

gboolean af_mend_is_lossy(const uint8_t *bytes, size_t length)
{
    if (!af_mend_is_suspect(af_mend_count_suspects(bytes, length), length)) {
        return FALSE;
    }
    size_t n = 0;
    for (size_t i = 0; i + 2 < length; i++) {
        n += bytes[i] == 0xEF && bytes[i + 1] == 0xBF && bytes[i + 2] == 0xBD;
    }
    return n * 3 * 20 > length;
}

GByteArray *af_mend_crlf(const uint8_t *bytes, size_t length)
{
    GByteArray *mended = g_byte_array_sized_new((guint)MIN(length, G_MAXUINT));
    gboolean lone = FALSE;
    size_t begin = 0;
    for (size_t i = 0; i < length; i++) {
        const gboolean after_cr = i > 0 && bytes[i - 1] == '\r';
        if (bytes[i] == '\n' && after_cr) {
            g_byte_array_append(mended, bytes + begin, (guint)(i - 1 - begin));
            begin = i;
        } else if (bytes[i] == '\n') {
            lone = TRUE;
        }
    }
    g_byte_array_append(mended, bytes + begin, (guint)(length - begin));
    if (mended->len == length || !af_mend_fits(mended->data, mended->len) ||
        (lone && af_mend_fits(bytes, length))) {
        g_byte_array_unref(mended);
        return NULL;
    }
    return mended;
}

/* The byte of Windows-1252 that stands for a character, -1 if none does. The five bytes that the
 * code leaves open stand for themselves. */
static int byte_of(gunichar c)
{
    static const guint16 upper[32] = {
        0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    if (c <= 0xFF) {
        return (int)c;
    }
    for (int i = 0; i < 32; i++) {
        if (upper[i] == c) {
            return 0x80 + i;
        }
    }
    return -1;
}

GByteArray *af_mend_1252(const uint8_t *bytes, size_t length)
{
    if (af_mend_fits(bytes, length)) {
        return NULL;
    }
    GByteArray *mended = g_byte_array_new();
    const char *at = (const char *)bytes, *end = at + length;
    while (at < end) {
        const gunichar c = g_utf8_get_char_validated(at, end - at);
        /* GLib refuses NUL where a length is given */
        const int byte = *at == '\0' ? 0 : c >= (gunichar)-2 ? -1 : byte_of(c);
        if (byte < 0) {
            g_byte_array_unref(mended);
            return NULL;
        }
        const uint8_t one = (uint8_t)byte;
        g_byte_array_append(mended, &one, 1);
        at += *at == '\0' ? 1 : g_utf8_skip[*(const guchar *)at];
    }
    if (mended->len == length || !af_mend_fits(mended->data, mended->len)) {
        g_byte_array_unref(mended);
        return NULL;
    }
    return mended;
}
