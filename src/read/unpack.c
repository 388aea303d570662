#include "read/unpack.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <aflame/error.h>
#include "base/cancel.h"
#include "base/memory_error.h"

/* Doubly compressed files occur by mistake. A file that decompresses to itself endlessly exists
 * too. */
#define MOST_LAYERS 8u

/* Bytes read or decompressed between two checks of the cancellable. */
#define STEP ((size_t)64 * 1024)

/* The same for bytes of a file. */
#define FILE_STEP ((size_t)2 * 1024 * 1024)

/* The output of a layer of gzip or zstd, or of the input. */
typedef struct {
    z_stream z;         /* of gzip */
    ZSTD_DStream *zstd; /* of zstd; NULL for other layers */
    uint8_t *held;      /* STEP bytes, unless `bytes` are borrowed */
    const uint8_t *bytes;
    size_t at, end; /* bytes that the layer above has not taken yet */
    gboolean over;  /* no more bytes will follow */
    gboolean cut;
} layer;

struct af_unpack {
    af_unpack_input in;
    af_cancel *cancel;
    guint64 total;
    gsize done; /* atomic */
    layer layers[MOST_LAYERS + 1];
    unsigned top;
    gboolean begun, ended;
    gboolean any; /* the top layer has produced bytes */
};

af_unpack *af_unpack_new(const af_unpack_input *input, af_cancel *cancel)
{
    af_unpack *u = g_new0(af_unpack, 1);
    layer *first = &u->layers[0];
    u->in = *input;
    u->cancel = cancel;
    u->begun = input->plain;
    u->total = input->archive != NULL ? af_archive_chosen_size(input->archive)
               : input->bytes != NULL ? input->length
               : input->file != NULL  ? input->file->length
                                      : 0;
    first->over = input->bytes != NULL;
    first->held = first->over ? NULL : g_malloc(STEP);
    first->bytes = first->over ? input->bytes : first->held;
    first->end = input->length;
    return u;
}

void af_unpack_free(af_unpack *u)
{
    if (u == NULL) {
        return;
    }
    for (unsigned k = 0; k <= u->top; k++) {
        if (u->layers[k].zstd != NULL) {
            ZSTD_freeDStream(u->layers[k].zstd);
        } else if (k > 0) {
            inflateEnd(&u->layers[k].z);
        }
        g_free(u->layers[k].held);
    }
    g_free(u);
}

static gssize read_some(af_unpack *u, uint8_t *to, size_t capacity, GError **error)
{
    if (u->in.archive != NULL) {
        const gssize n = af_cancel_check(u->cancel, error)
                             ? -1
                             : af_archive_take(u->in.archive, to, capacity, error);
        g_atomic_pointer_add(&u->done, MAX(n, 0));
        u->layers[0].cut |= n == 0 && af_archive_is_truncated(u->in.archive);
        return n;
    }
    if (u->in.file != NULL) {
        /* Returns 0 at the end of a file that did not change. */
        const uint64_t done = af_unpack_done(u);
        const size_t n = (size_t)MIN(MIN(capacity, FILE_STEP), u->in.file->length - done);
        if (af_cancel_check(u->cancel, error) ||
            (n == 0 && !af_inputfile_check(u->in.file, error)) ||
            !af_inputfile_read(u->in.file, to, n, done, error)) {
            return -1;
        }
        g_atomic_pointer_add(&u->done, (gssize)n);
        return (gssize)n;
    }
    for (;;) {
        if (u->cancel != NULL) {
            af_cancel_wait(u->cancel, u->in.fd);
            if (af_cancel_check(u->cancel, error)) {
                return -1;
            }
        }
        const gssize n = read(u->in.fd, to, capacity);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            af_cancel_wait(u->cancel, u->in.fd);
            continue;
        }
        if (n < 0) {
            g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "cannot read: %s", g_strerror(errno));
            return -1;
        }
        g_atomic_pointer_add(&u->done, n);
        /* A second reading may never come, so a copy that would be too long is given up. */
        if (u->in.copy != NULL && !af_spool_add(u->in.copy, to, (size_t)n, NULL)) {
            af_spool_drop(u->in.copy, u->in.copy->length);
            u->in.copy = NULL;
            g_atomic_int_set(u->in.lost, TRUE);
        }
        return n;
    }
}

static gssize produce(af_unpack *u, unsigned k, uint8_t *to, size_t capacity, GError **error);

/* Makes bytes of a layer available, unless it has ended. */
static gboolean fill(af_unpack *u, unsigned k, GError **error)
{
    layer *l = &u->layers[k];
    if (l->at < l->end || l->over) {
        return TRUE;
    }
    l->at = l->end = 0;
    const gssize n = produce(u, k, l->held, STEP, error);
    if (n > 0) {
        l->end = (size_t)n;
    }
    return n >= 0;
}

/* Makes as many bytes of a layer available as a magic number has, if that many are left. They may
 * arrive separately. */
static gboolean fill_magic(af_unpack *u, unsigned k, GError **error)
{
    layer *l = &u->layers[k];
    if (!fill(u, k, error)) {
        return FALSE;
    }
    while (l->end - l->at < AF_ZSTD_MAGIC && l->held != NULL && !l->over) {
        memmove(l->held, l->bytes + l->at, l->end - l->at);
        l->end -= l->at;
        l->at = 0;
        const gssize n = produce(u, k, l->held + l->end, STEP - l->end, error);
        if (n < 0) {
            return FALSE;
        }
        l->end += (size_t)n;
    }
    return TRUE;
}

static gboolean starts_gzip(const layer *l)
{
    return af_is_gzip(l->bytes + l->at, l->end - l->at);
}

static gboolean starts_zstd(const layer *l)
{
    return af_is_zstd(l->bytes + l->at, l->end - l->at);
}

/* At the end of a member: another one may follow, or padding, which is ignored. */
static gboolean begin_member(af_unpack *u, unsigned k, GError **error)
{
    layer *l = &u->layers[k];
    if (!fill_magic(u, k - 1, error)) {
        return FALSE;
    }
    l->over = l->zstd != NULL ? !starts_zstd(&u->layers[k - 1])
                              : !starts_gzip(&u->layers[k - 1]) || inflateReset(&l->z) != Z_OK;
    return TRUE;
}

typedef enum { GOES_ON, MEMBER_ENDED, STUCK, DAMAGED } progress;

/* Decompresses a piece of a layer; sets *used and *got to the bytes taken and produced. */
static progress inflate_piece(layer *l, const layer *below, uint8_t *to, size_t capacity,
                              size_t *used, size_t *got)
{
    const size_t in = MIN(below->end - below->at, STEP);
    l->z.next_in = (Bytef *)below->bytes + below->at;
    l->z.avail_in = (uInt)in;
    l->z.next_out = to;
    l->z.avail_out = (uInt)capacity;
    const int status = inflate(&l->z, Z_NO_FLUSH);
    *used = in - l->z.avail_in;
    *got = capacity - l->z.avail_out;
    return status == Z_STREAM_END  ? MEMBER_ENDED
           : status == Z_OK        ? GOES_ON
           : status == Z_BUF_ERROR ? STUCK
                                   : DAMAGED;
}

static progress unpack_zstd_piece(const layer *l, const layer *below, ZSTD_outBuffer out,
                                  size_t *used, size_t *got)
{
    ZSTD_inBuffer in = {below->bytes + below->at, MIN(below->end - below->at, STEP), 0};
    const size_t left = ZSTD_decompressStream(l->zstd, &out, &in);
    *used = in.pos;
    *got = out.pos;
    return ZSTD_isError(left)            ? DAMAGED
           : left == 0                   ? MEMBER_ENDED
           : in.pos == 0 && out.pos == 0 ? STUCK
                                         : GOES_ON;
}

/* Decompresses from the layer below. Produces nothing only at the end. */
static gssize unpack_some(af_unpack *u, unsigned k, uint8_t *to, size_t capacity, GError **error)
{
    layer *l = &u->layers[k], *below = &u->layers[k - 1];
    capacity = MIN(capacity, STEP);
    size_t got = 0;
    while (got == 0 && !l->over) {
        if (af_cancel_check(u->cancel, error) || !fill(u, k - 1, error)) {
            return -1;
        }
        size_t used;
        const progress status =
            l->zstd != NULL
                ? unpack_zstd_piece(l, below, (ZSTD_outBuffer){to, capacity, 0}, &used, &got)
                : inflate_piece(l, below, to, capacity, &used, &got);
        below->at += used;
        if (k == 1 && u->in.bytes != NULL) {
            g_atomic_pointer_set(&u->done, below->at);
        }
        const gboolean starved = below->at == below->end && below->over;
        if (status == MEMBER_ENDED) {
            if (!begin_member(u, k, error)) {
                return -1;
            }
        } else if (status == DAMAGED || (status == STUCK && starved) ||
                   (starved && got < capacity)) {
            l->cut = l->over = TRUE;
        }
    }
    return (gssize)got;
}

static gssize produce(af_unpack *u, unsigned k, uint8_t *to, size_t capacity, GError **error)
{
    layer *l = &u->layers[k];
    if (l->over) {
        return 0;
    }
    const gssize n =
        k == 0 ? read_some(u, to, capacity, error) : unpack_some(u, k, to, capacity, error);
    l->over = l->over || n == 0;
    return n;
}

static gboolean add_layer(af_unpack *u, gboolean is_zstd, GError **error)
{
    layer *next = &u->layers[u->top + 1];
    *next = (layer){0};
    next->zstd = is_zstd ? ZSTD_createDStream() : NULL;
    if (is_zstd ? next->zstd == NULL : inflateInit2(&next->z, 15 + 16) != Z_OK) {
        return af_memory_error_set(error);
    }
    next->held = g_malloc(STEP);
    next->bytes = next->held;
    u->top++;
    return TRUE;
}

/* Adds as many layers as the input has. */
static gboolean begin(af_unpack *u, GError **error)
{
    for (;;) {
        if (!fill_magic(u, u->top, error)) {
            return FALSE;
        }
        const gboolean is_zstd = starts_zstd(&u->layers[u->top]);
        if (!is_zstd && !starts_gzip(&u->layers[u->top])) {
            return TRUE;
        }
        if (u->top == MOST_LAYERS) {
            g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                        "compressed with gzip or zstd more than %u times", MOST_LAYERS);
            return FALSE;
        }
        if (!add_layer(u, is_zstd, error)) {
            return FALSE;
        }
    }
}

/* Bytes after the end of the compressed data are read as well, to find damage in a lower layer and
 * to let a process that writes into a pipe finish. */
static gboolean end(af_unpack *u, GError **error)
{
    for (unsigned k = u->top; k-- > 0;) {
        layer *l = &u->layers[k];
        while (!l->over) {
            l->at = l->end;
            if (!fill(u, k, error)) {
                return FALSE;
            }
        }
    }
    u->ended = TRUE;
    if (!u->any && af_unpack_is_truncated(u)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged compressed data: no part of it can be decompressed");
        return FALSE;
    }
    return TRUE;
}

gssize af_unpack_take(af_unpack *u, uint8_t *to, size_t capacity, GError **error)
{
    if (!u->begun && !begin(u, error)) {
        return -1;
    }
    u->begun = TRUE;
    layer *l = &u->layers[u->top];
    size_t got = MIN(l->end - l->at, capacity);
    memcpy(to, l->bytes + l->at, got);
    l->at += got;
    while (got < capacity && !l->over) {
        const gssize n = produce(u, u->top, to + got, capacity - got, error);
        if (n < 0) {
            return -1;
        }
        got += (size_t)n;
    }
    u->any = u->any || got > 0;
    return got == 0 && !u->ended && !end(u, error) ? -1 : (gssize)got;
}

gboolean af_unpack_is_truncated(const af_unpack *u)
{
    gboolean cut = FALSE;
    for (unsigned k = 0; k <= u->top; k++) {
        cut |= u->layers[k].cut;
    }
    return cut;
}

guint64 af_unpack_done(const af_unpack *u)
{
    return (guint64)(gsize)g_atomic_pointer_get((gsize *)&u->done);
}

guint64 af_unpack_total(const af_unpack *u)
{
    return u->total;
}
