#include "read/android/text_repair.h"

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

/* Counting only the first of the three bytes is cheap and almost always decides. */
size_t af_mend_count_suspects(const uint8_t *bytes, size_t length)
{
    const uint8_t *at = bytes, *const end = bytes + length;
    size_t n = 0;
    while ((at = memchr(at, 0xEF, (size_t)(end - at))) != NULL) {
        at++;
        n++;
    }
    return n;
}

gboolean af_mend_is_suspect(size_t suspects, size_t length)
{
    return suspects * 3 * 20 > length;
}

void af_mend_count_add(af_mend_count *count, const uint8_t *bytes, size_t length)
{
    static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD};
    const uint8_t *at = bytes, *end = bytes + length;
    count->length += length;
    while (at < end) {
        if (count->matched == 0) {
            at = memchr(at, replacement[0], (size_t)(end - at));
            if (at == NULL) {
                return;
            }
        }
        if (*at == replacement[count->matched]) {
            at++;
            if (++count->matched == sizeof replacement) {
                count->replaced++;
                count->matched = 0;
            }
        } else {
            count->matched = 0; /* check this byte again: it may be a first one */
        }
    }
}

gboolean af_mend_is_lossy(const uint8_t *bytes, size_t length)
{
    if (!af_mend_is_suspect(af_mend_count_suspects(bytes, length), length)) {
        return FALSE;
    }
    af_mend_count count = {0};
    af_mend_count_add(&count, bytes, length);
    return af_mend_count_is_lossy(&count);
}

static gboolean drop_returns(const uint8_t *bytes, size_t length, af_spool *mended, gboolean *lone,
                             GError **error)
{
    const uint8_t *begin = bytes, *end = bytes + length;
    const uint8_t *at = bytes;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        if (at > bytes && at[-1] == '\r') {
            if (!af_spool_add(mended, begin, (size_t)(at - 1 - begin), error)) {
                return FALSE;
            }
            begin = at;
        } else {
            *lone = TRUE;
        }
        at++;
    }
    return af_spool_add(mended, begin, (size_t)(end - begin), error);
}

gboolean af_mend_crlf(const uint8_t *bytes, size_t length, af_spool **mended, GError **error)
{
    g_autoptr(af_spool) dropped = af_spool_new(NULL);
    gboolean lone = FALSE;
    *mended = NULL;
    if (!drop_returns(bytes, length, dropped, &lone, error)) {
        return FALSE;
    }
    if (dropped->length < length && af_mend_fits(dropped->bytes, dropped->length) &&
        !(lone && af_mend_fits(bytes, length))) {
        *mended = g_steal_pointer(&dropped);
    }
    return TRUE;
}

/* Returns the byte of Windows-1252 for a character, -1 if there is none. The five bytes that the
 * code leaves undefined represent themselves. */
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

/* Bytes; GLib derives the number of bytes from the first one. */
#define LONGEST_CHARACTER ((size_t)6)

/* Returns the byte for the character at `at`; -1 if it has none, -2 if it is truncated. */
static int take_1252(const uint8_t **at, const uint8_t *end)
{
    const char *character = (const char *)*at;
    if (**at < 0x80) {
        return *(*at)++;
    }
    const size_t left = MIN((size_t)(end - *at), LONGEST_CHARACTER);
    const gunichar c = g_utf8_get_char_validated(character, (gssize)left);
    if (c >= (gunichar)-2) {
        /* GLib also reports a character before a NUL as truncated */
        return c == (gunichar)-2 && memchr(character, '\0', left) == NULL ? -2 : -1;
    }
    const int byte = byte_of(c);
    *at += byte < 0 ? 0 : g_utf8_skip[**at];
    return byte;
}

const uint8_t *af_mend_skip_ascii(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 8 && (af_load_u64(at) & UINT64_C(0x8080808080808080)) == 0) {
        at += 8;
    }
    while (at < end && *at < 0x80) {
        at++;
    }
    return at;
}

gboolean af_mend_is_binary(const uint8_t **at, const uint8_t *end, gboolean more)
{
    while ((*at = af_mend_skip_ascii(*at, end)) < end) {
        const int byte = take_1252(at, end);
        if (byte < 0) {
            return byte == -1 || !more;
        }
    }
    return FALSE;
}

gboolean af_mend_1252(const uint8_t *bytes, size_t length, af_spool **mended, GError **error)
{
    const uint8_t *at = bytes, *const end = bytes + length;
    *mended = NULL;
    if (af_mend_fits(bytes, length) || af_mend_is_binary(&at, end, FALSE)) {
        return TRUE;
    }
    g_autoptr(af_spool) turned = af_spool_new(NULL);
    for (at = bytes; at < end;) {
        uint8_t some[4096];
        size_t n = 0;
        while (at < end && n < sizeof some) {
            some[n++] = (uint8_t)take_1252(&at, end);
        }
        if (!af_spool_add(turned, some, n, error)) {
            return FALSE;
        }
    }
    if (turned->length < length && af_mend_fits(turned->bytes, turned->length)) {
        *mended = g_steal_pointer(&turned);
    }
    return TRUE;
}
