#include "read/unpack.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <aflame/error.h>
#include "base/memory_error.h"

/* Doubly compressed files occur by mistake. A file that decompresses to itself endlessly exists
 * too. */
#define MOST_LAYERS 8u

/* Bytes read or decompressed between two checks of the cancellable. */
#define STEP ((size_t)64 * 1024)

/* The output of a layer of gzip, or of the input. */
typedef struct {
    z_stream z;    /* unused for the input */
    uint8_t *held; /* STEP bytes, unless `bytes` are borrowed */
    const uint8_t *bytes;
    size_t at, end; /* bytes that the layer above has not taken yet */
    gboolean over;  /* no more bytes will follow */
    gboolean cut;
} layer;

struct af_unpack {
    int fd;
    const af_inputfile *file; /* NULL: read() instead of pread() */
    af_spool *copy;
    GCancellable *cancel;
    guint64 total;
    gsize done; /* atomic */
    layer layers[MOST_LAYERS + 1];
    unsigned top;
    gboolean begun, ended;
    gboolean any; /* the top layer has produced bytes */
};

static af_unpack *make(int fd, GCancellable *cancel)
{
    af_unpack *u = g_new0(af_unpack, 1);
    u->fd = fd;
    u->cancel = cancel;
    return u;
}

af_unpack *af_unpack_new_fd(int fd, af_spool *copy, GCancellable *cancel)
{
    af_unpack *u = make(fd, cancel);
    u->copy = copy;
    u->layers[0].held = g_malloc(STEP);
    u->layers[0].bytes = u->layers[0].held;
    return u;
}

af_unpack *af_unpack_new_file(const af_inputfile *file, GCancellable *cancel)
{
    af_unpack *u = af_unpack_new_fd(file->fd, NULL, cancel);
    u->file = file;
    u->total = file->length;
    return u;
}

af_unpack *af_unpack_new_bytes(const uint8_t *bytes, size_t length, GCancellable *cancel)
{
    af_unpack *u = make(-1, cancel);
    u->total = length;
    u->layers[0].bytes = bytes;
    u->layers[0].end = length;
    u->layers[0].over = TRUE;
    return u;
}

void af_unpack_free(af_unpack *u)
{
    if (u == NULL) {
        return;
    }
    for (unsigned k = 0; k <= u->top; k++) {
        if (k > 0) {
            inflateEnd(&u->layers[k].z);
        }
        g_free(u->layers[k].held);
    }
    g_free(u);
}

static gboolean is_cancelled(const af_unpack *u, GError **error)
{
    if (u->cancel == NULL || !g_cancellable_is_cancelled(u->cancel)) {
        return FALSE;
    }
    g_set_error_literal(error, AF_ERROR, AF_ERROR_CANCELLED, "stopped");
    return TRUE;
}

/* ---- the input ---- */

/* Waits until the descriptor is readable, or it is time to stop. */
static void wait_for_input(const af_unpack *u)
{
    GPollFD fds[2] = {{.fd = u->fd, .events = G_IO_IN | G_IO_HUP | G_IO_ERR}};
    if (u->cancel != NULL && g_cancellable_make_pollfd(u->cancel, &fds[1])) {
        g_poll(fds, 2, -1);
        g_cancellable_release_fd(u->cancel);
    } else {
        g_poll(fds, 1, u->cancel != NULL ? 100 : -1);
    }
}

/* Returns 0 at the end of a file that did not change. */
static gssize read_file(af_unpack *u, uint8_t *to, size_t capacity, GError **error)
{
    const uint64_t done = af_unpack_done(u);
    const size_t n = (size_t)MIN(capacity, u->file->length - done);
    if (is_cancelled(u, error) || (n == 0 && !af_inputfile_check(u->file, error)) ||
        !af_inputfile_read(u->file, to, n, done, error)) {
        return -1;
    }
    g_atomic_pointer_add(&u->done, (gssize)n);
    return (gssize)n;
}

static gssize read_some(af_unpack *u, uint8_t *to, size_t capacity, GError **error)
{
    if (u->file != NULL) {
        return read_file(u, to, capacity, error);
    }
    for (;;) {
        if (u->cancel != NULL) {
            wait_for_input(u);
            if (is_cancelled(u, error)) {
                return -1;
            }
        }
        const gssize n = read(u->fd, to, capacity);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            wait_for_input(u);
            continue;
        }
        if (n < 0) {
            g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "cannot read: %s", g_strerror(errno));
            return -1;
        }
        g_atomic_pointer_add(&u->done, n);
        return u->copy == NULL || af_spool_add(u->copy, to, (size_t)n, error) ? n : -1;
    }
}

/* ---- layers ---- */

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

/* Makes two bytes of a layer available if it has two left. They may arrive separately. */
static gboolean fill_two(af_unpack *u, unsigned k, GError **error)
{
    layer *l = &u->layers[k];
    if (!fill(u, k, error)) {
        return FALSE;
    }
    while (l->end - l->at == 1 && !l->over) {
        l->held[0] = l->bytes[l->at];
        l->at = 0;
        l->end = 1;
        const gssize n = produce(u, k, l->held + 1, STEP - 1, error);
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

/* At the end of a member: another one may follow, or padding, which is ignored. */
static gboolean begin_member(af_unpack *u, unsigned k, GError **error)
{
    layer *l = &u->layers[k];
    if (!fill_two(u, k - 1, error)) {
        return FALSE;
    }
    l->over = !starts_gzip(&u->layers[k - 1]) || inflateReset(&l->z) != Z_OK;
    return TRUE;
}

/* Decompresses from the layer below. Produces nothing only at the end. */
static gssize unpack_some(af_unpack *u, unsigned k, uint8_t *to, size_t capacity, GError **error)
{
    layer *l = &u->layers[k], *below = &u->layers[k - 1];
    capacity = MIN(capacity, STEP);
    size_t got = 0;
    while (got == 0 && !l->over) {
        if (is_cancelled(u, error) || !fill(u, k - 1, error)) {
            return -1;
        }
        l->z.next_in = (Bytef *)below->bytes + below->at;
        l->z.avail_in = (uInt)MIN(below->end - below->at, STEP);
        l->z.next_out = to;
        l->z.avail_out = (uInt)capacity;
        const size_t in = l->z.avail_in;
        const int status = inflate(&l->z, Z_NO_FLUSH);
        below->at += in - l->z.avail_in;
        got = capacity - l->z.avail_out;
        if (k == 1 && u->fd < 0) {
            g_atomic_pointer_set(&u->done, below->at);
        }
        const gboolean starved = below->at == below->end && below->over;
        if (status == Z_STREAM_END) {
            if (!begin_member(u, k, error)) {
                return -1;
            }
        } else if ((status != Z_OK && (status != Z_BUF_ERROR || starved)) ||
                   (starved && l->z.avail_out > 0)) {
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

/* Adds as many layers as the input has. */
static gboolean begin(af_unpack *u, GError **error)
{
    for (;;) {
        if (!fill_two(u, u->top, error)) {
            return FALSE;
        }
        if (!starts_gzip(&u->layers[u->top])) {
            return TRUE;
        }
        if (u->top == MOST_LAYERS) {
            g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                        "compressed with gzip more than %u times", MOST_LAYERS);
            return FALSE;
        }
        layer *next = &u->layers[u->top + 1];
        *next = (layer){0};
        if (inflateInit2(&next->z, 15 + 16) != Z_OK) {
            return af_memory_error_set(error);
        }
        next->held = g_malloc(STEP);
        next->bytes = next->held;
        u->top++;
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
    if (!u->any && af_unpack_is_cut(u)) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                            "damaged gzip data: no part of it can be decompressed");
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

gboolean af_unpack_is_cut(const af_unpack *u)
{
    gboolean cut = FALSE;
    for (unsigned k = 1; k <= u->top; k++) {
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
