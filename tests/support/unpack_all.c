/* unpack_all FILE...
 *
 * Prints the bytes of files and everything in them that can be unpacked: zlib and raw deflate
 * streams wherever they begin, and base64. So grep finds whatever a file holds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <glib.h>
#include <zlib.h>

/* Shorter texts in base64 are words. */
enum { SHORTEST = 60, MOST = 64 * 1024 * 1024 };

static void unpack(const guchar *bytes, gsize length, unsigned depth);

static void print_bytes(const guchar *bytes, gsize length)
{
    fwrite(bytes, 1, length, stdout);
    putchar('\n');
}

/* Returns how many bytes of the input the stream has; 0 = there is none. */
static gsize inflate_at(const guchar *bytes, gsize length, int window_bits, GByteArray *to)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)MIN(length, G_MAXUINT32)};
    Bytef part[16384];
    int status = inflateInit2(&z, window_bits);
    g_byte_array_set_size(to, 0);
    while (status == Z_OK && to->len < MOST) {
        z.next_out = part;
        z.avail_out = sizeof part;
        status = inflate(&z, Z_NO_FLUSH);
        g_byte_array_append(to, part, (guint)(sizeof part - z.avail_out));
    }
    const gsize used = status == Z_STREAM_END ? (gsize)z.total_in : 0;
    inflateEnd(&z);
    return used;
}

static void unpack_streams(const guchar *bytes, gsize length, unsigned depth)
{
    g_autoptr(GByteArray) plain = g_byte_array_new();
    for (gsize i = 0; i + 6 < length; i++) {
        const gboolean zlib = (bytes[i] & 0x8F) == 8 && (bytes[i] << 8 | bytes[i + 1]) % 31 == 0;
        const gboolean gzip = bytes[i] == 0x1F && bytes[i + 1] == 0x8B;
        if (!zlib && !gzip) {
            continue;
        }
        const gsize used = inflate_at(bytes + i, length - i, gzip ? 31 : 15, plain);
        if (used > 0 && plain->len > 0) {
            unpack(plain->data, plain->len, depth + 1);
            i += used - 1;
        }
    }
}

static void unpack_base64(const guchar *bytes, gsize length, unsigned depth)
{
    for (gsize i = 0; i < length;) {
        gsize n = 0;
        while (i + n < length && (g_ascii_isalnum(bytes[i + n]) || bytes[i + n] == '+' ||
                                  bytes[i + n] == '/' || bytes[i + n] == '=')) {
            n++;
        }
        if (n >= SHORTEST) {
            g_autofree char *text = g_strndup((const char *)bytes + i, n);
            gsize decoded;
            g_autofree guchar *plain = g_base64_decode(text, &decoded);
            unpack(plain, decoded, depth + 1);
        }
        i += n + 1;
    }
}

static void unpack(const guchar *bytes, gsize length, unsigned depth)
{
    print_bytes(bytes, length);
    if (depth < 4) {
        unpack_streams(bytes, length, depth);
        unpack_base64(bytes, length, depth);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *bytes;
        gsize length;
        if (!g_file_get_contents(argv[i], &bytes, &length, NULL)) {
            fprintf(stderr, "unpack_all: cannot read %s\n", argv[i]);
            return EXIT_FAILURE;
        }
        unpack((const guchar *)bytes, length, 0);
        g_free(bytes);
    }
    return EXIT_SUCCESS;
}
