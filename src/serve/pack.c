#include "serve/pack.h"

#include <errno.h>
#include <libdeflate.h>
#include <unistd.h>
#include <zstd.h>
#include "serve/blobs.h"

/* Of both zstd and gzip. Higher levels take twice the time and save a few percent. */
#define LEVEL 1

typedef struct {
    int fd;
    off_t at;
    char *bytes;
    size_t capacity;
} piece;

/* The next bytes of a file; 0 = the end, -1 with an error. */
static ssize_t read_piece(piece *from, GError **error)
{
    ssize_t n;
    do {
        n = pread(from->fd, from->bytes, from->capacity, from->at);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        af_blobs_fail(error, "cannot read an upload");
    }
    from->at += MAX(n, 0);
    return n;
}

static gboolean pack_piece(ZSTD_CCtx *context, int to, const piece *in, size_t n, piece *out,
                           GError **error)
{
    const ZSTD_EndDirective mode = n == 0 ? ZSTD_e_end : ZSTD_e_continue;
    ZSTD_inBuffer input = {in->bytes, n, 0};
    size_t left;
    do {
        ZSTD_outBuffer output = {out->bytes, out->capacity, 0};
        left = ZSTD_compressStream2(context, &output, &input, mode);
        if (ZSTD_isError(left) ||
            !af_blobs_write(to, out->bytes, output.pos, "cannot store an upload", error)) {
            return FALSE;
        }
    } while (mode == ZSTD_e_end ? left > 0 : input.pos < input.size);
    return TRUE;
}

gboolean af_pack(int from, int to, GError **error)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    piece in = {.fd = from, .capacity = ZSTD_CStreamInSize()};
    piece out = {.capacity = ZSTD_CStreamOutSize()};
    in.bytes = g_malloc(in.capacity);
    out.bytes = g_malloc(out.capacity);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    ssize_t n = 1;
    gboolean ok = TRUE;
    while (ok && n > 0) {
        n = read_piece(&in, error);
        ok = n >= 0 && pack_piece(context, to, &in, (size_t)n, &out, error);
    }
    if (!ok && error != NULL && *error == NULL) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN, "cannot compress an upload");
    }
    g_free(in.bytes);
    g_free(out.bytes);
    ZSTD_freeCCtx(context);
    return ok;
}

static gboolean unpack(int from, int to, GError **error)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    piece in = {.fd = from, .capacity = ZSTD_DStreamInSize()};
    const size_t capacity = ZSTD_DStreamOutSize();
    g_autofree char *out = g_malloc(capacity);
    in.bytes = g_malloc(in.capacity);
    ssize_t n;
    gboolean ok = TRUE;
    while (ok && (n = read_piece(&in, error)) != 0) {
        ZSTD_inBuffer input = {in.bytes, (size_t)MAX(n, 0), 0};
        ok = n > 0;
        while (ok && input.pos < input.size) {
            ZSTD_outBuffer output = {out, capacity, 0};
            ok = !ZSTD_isError(ZSTD_decompressStream(context, &output, &input)) &&
                 af_blobs_write(to, out, output.pos, "cannot unpack an upload", error);
        }
    }
    if (!ok && error != NULL && *error == NULL) {
        g_set_error_literal(error, AF_STORE_ERROR, AF_STORE_BROKEN, "a stored upload is damaged");
    }
    g_free(in.bytes);
    ZSTD_freeDCtx(context);
    return ok;
}

int af_pack_open(af_store *store, const char *id, GError **error)
{
    const int packed = store->class->open(store, id, AF_BLOB_PACKED, error);
    int fd = packed < 0 ? -1 : store->class->begin(store, error);
    if (fd >= 0 && (!unpack(packed, fd, error) || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    af_blobs_close(packed);
    return fd;
}

GBytes *af_pack_body(GBytes *body)
{
    gsize length;
    const void *bytes = g_bytes_get_data(body, &length);
    struct libdeflate_compressor *packer = libdeflate_alloc_compressor(LEVEL);
    char *packed = g_malloc(MAX(length, (gsize)1));
    const gsize size =
        packer == NULL ? 0 : libdeflate_gzip_compress(packer, bytes, length, packed, length);
    libdeflate_free_compressor(packer);
    if (size == 0) {
        g_free(packed);
        return NULL; /* it would not be smaller */
    }
    return g_bytes_new_take(g_realloc(packed, size), size);
}
