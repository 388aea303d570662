/* Simulates damage to trace files in transit: truncated, edited, copied as text, compressed. */
#include "packed.h"
#include "recording.h"

#include <string.h>
#include <zlib.h>

/* The code points of the bytes 0x80 to 0x9f in Windows-1252; the five undefined bytes map to
 * themselves. */
static const gunichar windows_1252[32] = {
    0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8d,   0x017d, 0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178,
};

static gsize find_offset(const recording *r, const output *o, const char *text)
{
    const gboolean in_data = g_str_has_prefix(text, "data+");
    const gint64 number = g_ascii_strtoll(in_data ? text + 5 : text, NULL, 0);
    const gint64 base = in_data ? (gint64)o->data_at : number < 0 ? (gint64)o->bytes->len : 0;
    const gint64 offset = base + number;
    if (offset < 0 || offset > (gint64)o->bytes->len) {
        recording_fail(r, "the offset %s is outside the file", text);
    }
    return (gsize)offset;
}

GByteArray *recording_bytes(const recording *r, const script_word *words, guint n)
{
    GByteArray *bytes = g_byte_array_new();
    for (guint i = 0; i < n; i++) {
        const char *text = words[i].text->str;
        if (words[i].quoted) {
            bytes_string(bytes, words[i].text);
            continue;
        }
        if (g_str_has_suffix(text, ":f64")) {
            bytes_double(bytes, g_ascii_strtod(text, NULL));
            continue;
        }
        char *end = NULL;
        const guint64 value = g_ascii_strtoull(text, &end, 0);
        if (*end == ':') {
            bytes_le(bytes, value, (unsigned)g_ascii_strtoull(end + 1, NULL, 10));
            continue;
        }
        if (strlen(text) % 2 != 0) {
            recording_fail(r, "hex digits come in pairs: %s", text);
        }
        for (const char *at = text; *at != '\0'; at += 2) {
            const int high = g_ascii_xdigit_value(at[0]), low = g_ascii_xdigit_value(at[1]);
            if (high < 0 || low < 0) {
                recording_fail(r, "not hex digits: %s", text);
            }
            const guint8 byte = (guint8)(high * 16 + low);
            g_byte_array_append(bytes, &byte, 1);
        }
    }
    return bytes;
}

static void replace(output *o, gsize at, gsize length, const GByteArray *with)
{
    GByteArray *now = g_byte_array_new();
    g_byte_array_append(now, o->bytes->data, (guint)at);
    g_byte_array_append(now, with->data, with->len);
    g_byte_array_append(now, o->bytes->data + at + length, (guint)(o->bytes->len - at - length));
    g_byte_array_unref(o->bytes);
    o->bytes = now;
}

static void truncate_file(const recording *r, output *o, const char *offset)
{
    g_byte_array_set_size(o->bytes, (guint)find_offset(r, o, offset));
}

static void write_crlf(output *o)
{
    GByteArray *now = g_byte_array_new();
    for (guint i = 0; i < o->bytes->len; i++) {
        if (o->bytes->data[i] == '\n') {
            g_byte_array_append(now, (const guint8 *)"\r", 1);
        }
        g_byte_array_append(now, o->bytes->data + i, 1);
    }
    g_byte_array_unref(o->bytes);
    o->bytes = now;
}

/* Changes bytes from 0x80 on in the binary part as a text tool would. */
static void write_as_text(output *o, gboolean lossy)
{
    GByteArray *now = g_byte_array_new();
    g_byte_array_append(now, o->bytes->data, (guint)o->data_at);
    for (gsize i = o->data_at; i < o->bytes->len; i++) {
        const guint8 byte = o->bytes->data[i];
        char utf8[6] = {(char)byte};
        int length = 1;
        if (byte >= 0x80) {
            const gunichar point = lossy ? 0xfffd : byte < 0xa0 ? windows_1252[byte - 0x80] : byte;
            length = g_unichar_to_utf8(point, utf8);
        }
        g_byte_array_append(now, (const guint8 *)utf8, (guint)length);
    }
    g_byte_array_unref(o->bytes);
    o->bytes = now;
}

/* The file as `members` gzip members. Stored, not compressed: the bytes do not depend on the zlib
 * version. */
static void pack(const recording *r, output *o, guint members)
{
    GByteArray *now = g_byte_array_new();
    const gsize length = o->bytes->len;
    for (guint i = 0; i < members; i++) {
        const gsize from = length * i / members, to = length * (i + 1) / members;
        z_stream z = {.next_in = o->bytes->data + from, .avail_in = (uInt)(to - from)};
        if (deflateInit2(&z, 0, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            recording_fail(r, "zlib fails");
        }
        const gsize capacity = deflateBound(&z, (uLong)(to - from)) + 64;
        const guint begin = now->len;
        g_byte_array_set_size(now, begin + (guint)capacity);
        z.next_out = now->data + begin;
        z.avail_out = (uInt)capacity;
        if (deflate(&z, Z_FINISH) != Z_STREAM_END) {
            recording_fail(r, "zlib fails");
        }
        g_byte_array_set_size(now, begin + (guint)z.total_out);
        deflateEnd(&z);
    }
    g_byte_array_unref(o->bytes);
    o->bytes = now;
}

static void pack_zip(output *o, const script_word *paths, guint n)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(list, paths[i].text->str);
    }
    GByteArray *zip = packed_zip(o->bytes, (char *const *)list->pdata, list->len);
    g_byte_array_unref(o->bytes);
    o->bytes = zip;
}

static void damage_one(const recording *r, output *o, const script_word *words, guint n)
{
    const char *kind = words[0].text->str;
    const char *where = n > 1 ? words[1].text->str : "0";
    if (strcmp(kind, "truncate") == 0 && n == 2) {
        truncate_file(r, o, where);
    } else if (strcmp(kind, "crlf") == 0) {
        write_crlf(o);
    } else if (strcmp(kind, "windows-1252") == 0) {
        write_as_text(o, FALSE);
    } else if (strcmp(kind, "lossy") == 0) {
        write_as_text(o, TRUE);
    } else if (strcmp(kind, "set") == 0 && n > 2) {
        g_autoptr(GByteArray) bytes = recording_bytes(r, words + 2, n - 2);
        replace(o, find_offset(r, o, where), bytes->len, bytes);
    } else if (strcmp(kind, "insert") == 0 && n > 2) {
        g_autoptr(GByteArray) bytes = recording_bytes(r, words + 2, n - 2);
        replace(o, find_offset(r, o, where), 0, bytes);
    } else if (strcmp(kind, "delete") == 0 && n == 3) {
        g_autoptr(GByteArray) nothing = g_byte_array_new();
        replace(o, find_offset(r, o, where), (gsize)g_ascii_strtoull(words[2].text->str, NULL, 0),
                nothing);
    } else if (strcmp(kind, "gzip") == 0) {
        pack(r, o, n > 1 ? (guint)g_ascii_strtoull(where, NULL, 0) : 1);
    } else if (strcmp(kind, "zip") == 0 && n > 1) {
        pack_zip(o, words + 1, n - 1);
    } else if (strcmp(kind, "zstd") == 0) {
        GByteArray *frame = packed_zstd(o->bytes);
        g_byte_array_unref(o->bytes);
        o->bytes = frame;
    } else {
        recording_fail(r, "unknown damage: %s", kind);
    }
}

void recording_damage(recording *r, const script_word *words, guint n_words)
{
    for (guint i = 0; i < r->outputs->len; i++) {
        damage_one(r, &g_array_index(r->outputs, output, i), words, n_words);
    }
}
