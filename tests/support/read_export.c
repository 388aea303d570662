/* read_export FORMAT FILE: the rows of a file that `aflame convert` wrote, out of gzip if it is in
 * it. */
#include <string.h>
#include <zlib.h>
#include "export_rows.h"

static const struct {
    const char *format;
    void (*read)(export_rows *rows, const char *bytes, gsize length);
} readers[] = {
    {"callgrind", read_callgrind},
    {"chrome", read_chrome},
    {"firefox", read_firefox},
    {"gecko", read_gecko},
    {"perfetto", read_perfetto},
    {"pprof", read_pprof},
    {"speedscope", read_speedscope},
};

/* With a zero byte behind them. */
static GByteArray *read_bytes(const char *path)
{
    gzFile file = gzopen(path, "rb");
    GByteArray *bytes = g_byte_array_new();
    static guint8 piece[1 << 16];
    int n = 0;
    while (file != NULL && (n = gzread(file, piece, sizeof piece)) > 0) {
        g_byte_array_append(bytes, piece, (guint)n);
    }
    if (file == NULL || n < 0 || gzclose(file) != Z_OK) {
        refuse("%s: cannot read it", path);
    }
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return bytes;
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc == 3 && i < G_N_ELEMENTS(readers); i++) {
        if (strcmp(readers[i].format, argv[1]) == 0) {
            GByteArray *bytes = read_bytes(argv[2]);
            export_rows *rows = rows_new();
            readers[i].read(rows, (const char *)bytes->data, bytes->len - 1);
            rows_print(rows);
            g_byte_array_unref(bytes);
            return 0;
        }
    }
    refuse("read_export FORMAT FILE");
}
