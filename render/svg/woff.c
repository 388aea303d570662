#include "render/svg/woff.h"

#include <libdeflate.h>
#include <string.h>

/* Sizes of the headers and of the entries for tables; LEVEL of the compression: fonts are small. */
enum { FONT_HEAD = 12, FONT_ENTRY = 16, WOFF_HEAD = 44, WOFF_ENTRY = 20, LEVEL = 12 };

static guint32 load(const guint8 *at)
{
    return (guint32)at[0] << 24 | (guint32)at[1] << 16 | (guint32)at[2] << 8 | at[3];
}

static void store(guint8 *at, guint32 number)
{
    const guint8 bytes[4] = {(guint8)(number >> 24), (guint8)(number >> 16), (guint8)(number >> 8),
                             (guint8)number};
    memcpy(at, bytes, sizeof bytes);
}

static void pad(GByteArray *to)
{
    static const guint8 zeros[3];
    g_byte_array_append(to, zeros, -to->len & 3u);
}

/* Appends a table, compressed if that makes it smaller, and writes its entry. */
static void append_table(GByteArray *woff, struct libdeflate_compressor *compressor,
                         const guint8 *font, guint i)
{
    const guint8 *from = font + FONT_HEAD + (size_t)FONT_ENTRY * i;
    const guint8 *table = font + load(from + 8);
    const guint32 length = load(from + 12);
    const guint start = woff->len;
    g_byte_array_set_size(woff, start + length);
    const size_t packed = length > 1 ? libdeflate_zlib_compress(compressor, table, length,
                                                                woff->data + start, length - 1)
                                     : 0;
    if (packed > 0) {
        g_byte_array_set_size(woff, start + (guint)packed);
    } else {
        memcpy(woff->data + start, table, length);
    }
    guint8 *entry = woff->data + WOFF_HEAD + (size_t)WOFF_ENTRY * i;
    memcpy(entry, from, 4); /* tag */
    store(entry + 4, start);
    store(entry + 8, woff->len - start);
    store(entry + 12, length);
    memcpy(entry + 16, from + 4, 4); /* checksum */
    pad(woff);
}

/* The length of the unpacked font; 0 if its tables are not in the file. */
static guint32 measure(const guint8 *font, size_t length, guint n)
{
    guint32 all = FONT_HEAD + FONT_ENTRY * n;
    if (length > G_MAXINT32 || length < all) {
        return 0;
    }
    for (guint i = 0; i < n; i++) {
        const guint8 *entry = font + FONT_HEAD + (size_t)FONT_ENTRY * i;
        const guint32 offset = load(entry + 8), size = load(entry + 12);
        if (offset > length || size > length - offset || all > G_MAXINT32 - size - 3) {
            return 0;
        }
        all += (size + 3) & ~3u;
    }
    return all;
}

GByteArray *af_woff_new(const guint8 *font, size_t length)
{
    const guint n = length < FONT_HEAD ? 0 : (guint)font[4] << 8 | font[5];
    const guint32 all = n > 0 ? measure(font, length, n) : 0;
    struct libdeflate_compressor *compressor = all > 0 ? libdeflate_alloc_compressor(LEVEL) : NULL;
    if (!compressor) {
        return NULL;
    }
    GByteArray *woff = g_byte_array_new();
    g_byte_array_set_size(woff, WOFF_HEAD + WOFF_ENTRY * n);
    memset(woff->data, 0, woff->len);
    for (guint i = 0; i < n; i++) {
        append_table(woff, compressor, font, i);
    }
    libdeflate_free_compressor(compressor);
    memcpy(woff->data, "wOFF", 4);
    memcpy(woff->data + 4, font, 4); /* kind of outlines */
    store(woff->data + 8, woff->len);
    memcpy(woff->data + 12, font + 4, 2); /* number of tables */
    store(woff->data + 16, all);
    woff->data[21] = 1; /* version 1.0 of the font */
    return woff;
}
