#include "packed.h"

#include <string.h>
#include <zlib.h>

#include "recording.h"

/* The fields that the head of an entry and the list of entries share. Later paths have later
 * dates. */
static void put_entry(GByteArray *to, const GByteArray *content, const char *path, guint number)
{
    const guint64 crc = crc32(0, content->data, content->len);
    bytes_le(to, 20, 2);          /* version */
    bytes_le(to, 0, 2);           /* flags */
    bytes_le(to, 0, 2);           /* stored */
    bytes_le(to, number << 5, 2); /* minutes */
    bytes_le(to, 0x5A21, 2);      /* 2025-01-01 */
    bytes_le(to, crc, 4);
    bytes_le(to, content->len, 4);
    bytes_le(to, content->len, 4);
    bytes_le(to, strlen(path), 2);
    bytes_le(to, 0, 2); /* no extra field */
}

GByteArray *packed_zip(const GByteArray *content, char *const *paths, guint n_paths)
{
    GByteArray *zip = g_byte_array_new(), *list = g_byte_array_new();
    for (guint i = 0; i < n_paths; i++) {
        const guint at = zip->len;
        bytes_le(zip, 0x04034B50, 4);
        put_entry(zip, content, paths[i], i);
        g_byte_array_append(zip, (const guint8 *)paths[i], (guint)strlen(paths[i]));
        g_byte_array_append(zip, content->data, content->len);
        bytes_le(list, 0x02014B50, 4);
        bytes_le(list, 20, 2);
        put_entry(list, content, paths[i], i);
        bytes_le(list, 0, 4); /* no comment; disk 0 */
        bytes_le(list, 0, 2); /* attributes */
        bytes_le(list, 0, 4);
        bytes_le(list, at, 4);
        g_byte_array_append(list, (const guint8 *)paths[i], (guint)strlen(paths[i]));
    }
    const guint at = zip->len;
    g_byte_array_append(zip, list->data, list->len);
    bytes_le(zip, 0x06054B50, 4);
    bytes_le(zip, 0, 4); /* disk 0 */
    bytes_le(zip, n_paths, 2);
    bytes_le(zip, n_paths, 2);
    bytes_le(zip, list->len, 4);
    bytes_le(zip, at, 4);
    bytes_le(zip, 0, 2);
    g_byte_array_unref(list);
    return zip;
}

GByteArray *packed_zstd(const GByteArray *content)
{
    enum { MOST_BLOCK = 128 * 1024, RAW = 0 };
    GByteArray *frame = g_byte_array_new();
    bytes_le(frame, 0xFD2FB528, 4);
    bytes_le(frame, 0xA0, 1); /* one segment, four bytes of length */
    bytes_le(frame, content->len, 4);
    guint at = 0;
    do {
        const guint n = MIN(content->len - at, (guint)MOST_BLOCK);
        bytes_le(frame, n << 3 | RAW << 1 | (at + n == content->len), 3);
        g_byte_array_append(frame, content->data + at, n);
        at += n;
    } while (at < content->len);
    return frame;
}
