#include "export_rows.h"

#include <gio/gio.h>
#include <string.h>

static const struct {
    const char *format;
    void (*read)(export_rows *rows, const char *bytes, gsize length);
} readers[] = {
    {"chrome", read_chrome}, {"gecko", read_gecko}, {"perfetto", read_perfetto},
    {"pprof", read_pprof},   {"spall", read_spall},
};

/* Unpacks gzip if necessary and appends a zero byte that does not count. */
static GByteArray *unpack(GByteArray *packed)
{
    GByteArray *bytes = packed;
    if (packed->len > 2 && packed->data[0] == 0x1F && packed->data[1] == 0x8B) {
        GZlibDecompressor *unzip = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
        GInputStream *in = g_memory_input_stream_new_from_data(packed->data, packed->len, NULL);
        GInputStream *plain = g_converter_input_stream_new(in, G_CONVERTER(unzip));
        static guint8 piece[1 << 16];
        gssize n;
        bytes = g_byte_array_new();
        while ((n = g_input_stream_read(plain, piece, sizeof piece, NULL, NULL)) > 0) {
            g_byte_array_append(bytes, piece, (guint)n);
        }
        if (n < 0) {
            refuse("the gzip data is damaged");
        }
        g_object_unref(plain);
        g_object_unref(in);
        g_object_unref(unzip);
        g_byte_array_unref(packed);
    }
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    g_byte_array_set_size(bytes, bytes->len - 1);
    return bytes;
}

void read_export(export_rows *rows, const char *format, GByteArray *written)
{
    GByteArray *bytes = unpack(written);
    for (unsigned i = 0; i < G_N_ELEMENTS(readers); i++) {
        if (strcmp(readers[i].format, format) == 0) {
            readers[i].read(rows, (const char *)bytes->data, bytes->len);
            g_byte_array_unref(bytes);
            return;
        }
    }
    refuse("no reader for the format %s", format);
}
