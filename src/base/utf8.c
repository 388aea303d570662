#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* The code point at `p` (at least one byte before `end`) and its length in bytes; length 0 if the
 * bytes are not valid UTF-8. Surrogates in three bytes are returned unchanged. */
static uint32_t decode(const uint8_t *p, const uint8_t *end, size_t *length)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = *p < 0x80 ? 1 : *p < 0xC2 ? 0 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : *p < 0xF5 ? 4 : 0;
    if (n == 0 || (size_t)(end - p) < n) {
        *length = 0;
        return 0;
    }
    uint32_t c = n == 1 ? *p : *p & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            *length = 0;
            return 0;
        }
        c = c << 6 | (p[i] & 0x3F);
    }
    *length = c < smallest[n] || c > 0x10FFFF ? 0 : n;
    return c;
}

/* The displayed form of the character at `p`, and the number of input bytes it uses. */
static uint32_t show(const uint8_t *p, const uint8_t *end, size_t *taken)
{
    if (end - p >= 2 && p[0] == 0xC0 && p[1] == 0x80) {
        *taken = 2;
        return 0x2400;
    }
    size_t n;
    uint32_t c = decode(p, end, &n);
    if (n == 0) {
        *taken = 1;
        return 0xFFFD;
    }
    *taken = n;
    if (c >= 0xD800 && c < 0xE000) {
        size_t m = 0;
        uint32_t low = c < 0xDC00 && end - p > 3 ? decode(p + 3, end, &m) : 0;
        if (m == 3 && low >= 0xDC00 && low < 0xE000) {
            *taken = 6;
            return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        }
        *taken = 1;
        return 0xFFFD;
    }
    if (c == '\n') {
        return 0x240A;
    }
    return c < 0x20 || (c >= 0x7F && c < 0xA0) ? 0xFFFD : c;
}

/* Checks eight bytes at once: no high bit, none below 0x20, none 0x7F. */
static inline gboolean are_printable(uint64_t bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    return ((bytes | ~(bytes + 0x60 * ones) | (bytes + ones)) & 0x80 * ones) == 0;
}

size_t af_utf8_span_ascii(const char *bytes, size_t length)
{
    const uint8_t *p = (const uint8_t *)bytes, *q = p, *end = p + length;
    for (uint64_t eight; end - q >= 8; q += 8) {
        memcpy(&eight, q, 8);
        if (!are_printable(eight)) {
            break;
        }
    }
    while (q < end && *q >= 0x20 && *q < 0x7F) {
        q++;
    }
    return (size_t)(q - p);
}

size_t af_utf8_clean(char *to, const char *bytes, size_t length)
{
    const uint8_t *p = (const uint8_t *)bytes, *end = p + length;
    size_t size = 0;
    while (p < end) {
        size_t taken = af_utf8_span_ascii((const char *)p, (size_t)(end - p));
        if (to != NULL) {
            memcpy(to + size, p, taken);
        }
        size += taken;
        p += taken;
        if (p < end) {
            const uint32_t c = show(p, end, &taken);
            size += (size_t)g_unichar_to_utf8(c, to == NULL ? NULL : to + size);
            p += taken;
        }
    }
    return size;
}

gboolean af_utf8_append_clean(GString *to, const char *bytes, size_t length)
{
    const gsize before = to->len, size = af_utf8_clean(NULL, bytes, length);
    g_string_set_size(to, before + size);
    af_utf8_clean(to->str + before, bytes, length);
    return size != length || memcmp(to->str + before, bytes, length) != 0;
}

gboolean af_utf8_is_clean(const char *bytes, size_t length)
{
    const uint8_t *p = (const uint8_t *)bytes, *end = p + length;
    while ((p += af_utf8_span_ascii((const char *)p, (size_t)(end - p))) < end) {
        size_t taken, n;
        uint32_t shown = show(p, end, &taken);
        if (decode(p, end, &n) != shown || n != taken) {
            return FALSE;
        }
        p += taken;
    }
    return TRUE;
}
