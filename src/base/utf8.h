/* Names from a file as clean UTF-8.
 *
 * Android writes names unescaped and in modified UTF-8, and they may contain any bytes. Each
 * character that cannot be shown is replaced, so that a name keeps its length and shape:
 *   - line feed -> U+240A; C0 80 (modified UTF-8 for NUL) -> U+2400;
 *   - other control characters (C0, DEL, C1) -> U+FFFD each;
 *   - bytes that are not UTF-8 (overlong, lone surrogate, above U+10FFFF, cut) -> U+FFFD each;
 *   - two surrogates in three bytes each (CESU-8) -> the character that they encode;
 *   - everything else is unchanged, including bidi controls, U+FEFF and noncharacters. */
#pragma once

#include <glib.h>

/* Writes the clean form of `length` bytes to `to`, without a zero byte, and returns its length, at
 * most three bytes for each input byte. `to` may be NULL to compute only the length. */
size_t af_utf8_clean(char *to, const char *bytes, size_t length);

/* Appends the clean form of `length` bytes. Returns whether anything was replaced. */
gboolean af_utf8_append_clean(GString *to, const char *bytes, size_t length);

/* The number of leading bytes that are printable ASCII. */
size_t af_utf8_span_ascii(const char *bytes, size_t length);

/* Whether the bytes are already clean. */
gboolean af_utf8_is_clean(const char *bytes, size_t length);

/* The length of the character at `at` if it is a bidi control, which is invisible and reorders the
 * text around it (U+061C, U+200E, U+200F, U+202A to 202E, U+2066 to 2069). Otherwise 0. */
static inline size_t af_utf8_bidi_control(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    if (b[0] == 0xD8 && b[1] == 0x9C) {
        return 2;
    }
    if (b[0] != 0xE2) {
        return 0;
    }
    const gboolean found =
        (b[1] == 0x80 && (b[2] == 0x8E || b[2] == 0x8F || (b[2] >= 0xAA && b[2] <= 0xAE))) ||
        (b[1] == 0x81 && b[2] >= 0xA6 && b[2] <= 0xA9);
    return found ? 3 : 0;
}
