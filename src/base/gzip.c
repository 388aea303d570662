#include "base/gzip.h"
#include "base/out.h"

#include <stdint.h>
#include <zlib.h>

struct af_gzip {
    af_write_func write;
    void *user;
    z_stream stream;
    Bytef packed[64 * 1024];
};

/* zlib writes a gzip header instead of its own for a window of 15 bits plus 16. */
#define GZIP_WINDOW (15 + 16)

af_gzip *af_gzip_new(af_write_func write, void *user, af_gzip_effort effort)
{
    af_gzip *gzip = g_try_new0(af_gzip, 1);
    if (gzip == NULL) {
        return NULL;
    }
    gzip->write = write;
    gzip->user = user;
    const int level = effort == AF_GZIP_SMALL ? Z_BEST_COMPRESSION : Z_DEFAULT_COMPRESSION;
    if (deflateInit2(&gzip->stream, level, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        g_free(gzip);
        return NULL;
    }
    return gzip;
}

void af_gzip_free(af_gzip *gzip)
{
    if (gzip != NULL) {
        deflateEnd(&gzip->stream);
        g_free(gzip);
    }
}

/* Compresses the pending input until zlib has no more output. */
static gboolean pump(af_gzip *gzip, int flush, GError **error)
{
    do {
        gzip->stream.next_out = gzip->packed;
        gzip->stream.avail_out = sizeof gzip->packed;
        deflate(&gzip->stream, flush);
        const size_t n = sizeof gzip->packed - gzip->stream.avail_out;
        if (n > 0 && !af_out_pass(gzip->write, gzip->user, gzip->packed, n, error)) {
            return FALSE;
        }
    } while (gzip->stream.avail_out == 0);
    return TRUE;
}

bool af_gzip_write(void *user, const void *bytes, size_t length, GError **error)
{
    af_gzip *gzip = user;
    const Bytef *at = bytes;
    while (length > 0) {
        const uInt piece = (uInt)MIN(length, (size_t)1 << 30);
        gzip->stream.next_in = (Bytef *)(uintptr_t)at;
        gzip->stream.avail_in = piece;
        if (!pump(gzip, Z_NO_FLUSH, error)) {
            return FALSE;
        }
        at += piece;
        length -= piece;
    }
    return TRUE;
}

gboolean af_gzip_finish(af_gzip *gzip, GError **error)
{
    return pump(gzip, Z_FINISH, error);
}
