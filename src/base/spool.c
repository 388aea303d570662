#include "base/spool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <aflame/error.h>

#include "base/capacity.h"
#include "base/memory_error.h"
#include "base/pages.h"
#include "base/tempfile.h"

/* Reading a trace may use 64 MB next to its call trees; this is the share for the input, and more
 * than recorders write by default (8 MB). */
#define MOST_HELD AF_SPOOL_MOST_HELD

/* The limit for a temporary file. Longer inputs can be given as unpacked files, which need no copy;
 * a gzip bomb must not fill the disk. */
#define MOST_FILED ((size_t)MIN(UINT64_C(2) << 30, SIZE_MAX / 2))

/* On a machine without space for temporary files (a read-only root, a full disk) aflame must still
 * open typical recordings: the largest recording buffer that Android Studio offers is 256 MB. */
#define MOST_HELD_WITHOUT_FILE ((size_t)256 * 1024 * 1024)

/* Pages of a file are dropped from memory in steps of this many bytes. */
#define FORGET ((size_t)4 * 1024 * 1024)

/* The initial capacity, and the capacity left after a larger one is no longer needed. */
#define LITTLE AF_CAPACITY((size_t)1024 * 1024, 1024)

/* A mapping exceeds its file by at least this much, so that it is rarely renewed. */
#define MAP_STEP ((size_t)64 * 1024 * 1024)

struct af_spool_inside {
    af_spool_limits limits;
    size_t gone;     /* bytes dropped in front of `bytes`, in memory or in the file */
    uint8_t *memory; /* NULL = none yet, or in a file */
    size_t capacity;
    int fd; /* -1 = in memory */
    uint8_t *map;
    size_t map_size;
    size_t forgotten; /* bytes of the map, or of `memory`, dropped from memory */
    gboolean no_file; /* creating a file has failed */
    int reason;       /* errno of that failure */
};

const af_spool_limits af_spool_default_limits = {MOST_HELD, MOST_FILED, MOST_HELD_WITHOUT_FILE};

af_spool *af_spool_new(const af_spool_limits *limits)
{
    af_spool *spool = g_new0(af_spool, 1);
    spool->inside = g_new0(struct af_spool_inside, 1);
    spool->inside->limits = limits != NULL ? *limits : af_spool_default_limits;
    spool->inside->fd = -1;
    return spool;
}

static void free_memory(struct af_spool_inside *in)
{
    af_pages_free(in->memory, in->capacity);
    in->forgotten = 0;
    in->memory = NULL;
    in->capacity = 0;
}

static void close_file(struct af_spool_inside *in)
{
    if (in->map != NULL) {
        munmap(in->map, in->map_size);
    }
    if (in->fd >= 0) {
        close(in->fd);
    }
    in->map = NULL;
    in->map_size = 0;
    in->forgotten = 0;
    in->fd = -1;
}

void af_spool_free(af_spool *spool)
{
    if (spool != NULL) {
        free_memory(spool->inside);
        close_file(spool->inside);
        g_free(spool->inside);
        g_free(spool);
    }
}

gboolean af_spool_is_filed(const af_spool *spool)
{
    return spool->inside->fd >= 0;
}

static gboolean refuse(const struct af_spool_inside *in, GError **error)
{
    if (in->no_file) {
        g_set_error(error, AF_ERROR, AF_ERROR_MEMORY,
                    "the input is too long to hold in memory, and it does not fit in %s: %s; "
                    "unpack it to a file first",
                    g_get_tmp_dir(), g_strerror(in->reason));
    } else {
        g_set_error(
            error, AF_ERROR, AF_ERROR_MEMORY,
            "aflame would have to store more than %zu MB of the input; unpack it to a file first",
            in->limits.filed >> 20);
    }
    return FALSE;
}

/* Maps the file up to `length` or beyond; bytes past its end are never accessed. */
static gboolean map_file(struct af_spool_inside *in, size_t length)
{
    if (length <= in->map_size) {
        return TRUE;
    }
    size_t size = length + MAX(MAP_STEP, length / 4);
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, in->fd, 0);
    if (map == MAP_FAILED) {
        size = length;
        map = mmap(NULL, size, PROT_READ, MAP_SHARED, in->fd, 0);
    }
    if (map == MAP_FAILED) {
        return FALSE;
    }
    if (in->map != NULL) {
        munmap(in->map, in->map_size);
    }
    in->map = map;
    in->map_size = size;
    in->forgotten = 0;
    return TRUE;
}

/* Appends bytes to the file. FALSE with errno if they do not all fit. */
static gboolean add_to_file(af_spool *spool, const uint8_t *bytes, size_t n)
{
    struct af_spool_inside *in = spool->inside;
    const size_t end = in->gone + spool->length;
    if (!af_tempfile_write(in->fd, bytes, n, end) || !map_file(in, end + n)) {
        return FALSE;
    }
    spool->length += n;
    spool->bytes = in->map + in->gone;
    return TRUE;
}

static gboolean grow_memory(struct af_spool_inside *in, size_t size)
{
    uint8_t *memory = af_pages_grow(in->memory, in->capacity, size);
    if (memory == NULL) {
        return FALSE;
    }
    in->memory = memory;
    in->capacity = size;
    return TRUE;
}

/* Makes the memory after the bytes at least `n` bytes long. */
static gboolean make_space(af_spool *spool, size_t n, size_t most)
{
    struct af_spool_inside *in = spool->inside;
    const size_t length = spool->length + n;
    if (in->gone + length > in->capacity) {
        if (in->gone > 0) {
            memmove(in->memory, spool->bytes, spool->length);
            in->gone = in->forgotten = 0;
        }
        const size_t wanted = MAX(length, MIN(most, MAX(LITTLE, in->capacity * 2)));
        if (length > in->capacity && !grow_memory(in, wanted)) {
            return FALSE;
        }
    }
    spool->bytes = in->memory + in->gone;
    return TRUE;
}

static gboolean add_to_memory(af_spool *spool, const uint8_t *bytes, size_t n, size_t most)
{
    if (!make_space(spool, n, most)) {
        return FALSE;
    }
    memcpy(spool->inside->memory + spool->inside->gone + spool->length, bytes, n);
    spool->length += n;
    return TRUE;
}

uint8_t *af_spool_reserve(af_spool *spool, size_t n)
{
    struct af_spool_inside *in = spool->inside;
    const size_t most = in->no_file ? in->limits.held_without_file : in->limits.held;
    if (in->fd >= 0 || n > most || spool->length > most - n || !make_space(spool, n, most)) {
        return NULL;
    }
    return in->memory + in->gone + spool->length;
}

void af_spool_commit(af_spool *spool, size_t n)
{
    spool->length += n;
}

/* Moves the bytes, wherever they are, to memory that they just fit into. FALSE, with nothing changed,
 * if memory is refused. */
static gboolean move_to_memory(af_spool *spool)
{
    struct af_spool_inside *in = spool->inside;
    const size_t capacity = MAX(LITTLE, spool->length);
    uint8_t *memory = af_pages_alloc(capacity);
    if (memory == NULL) {
        return FALSE;
    }
    if (spool->length > 0) {
        memcpy(memory, spool->bytes, spool->length);
    }
    free_memory(in);
    close_file(in);
    in->memory = memory;
    in->capacity = capacity;
    in->gone = 0;
    spool->bytes = memory;
    return TRUE;
}

/* Moves the bytes from memory to a file. FALSE, with nothing changed, if no file can be created. */
static gboolean move_to_file(af_spool *spool)
{
    struct af_spool_inside *in = spool->inside;
    in->fd = af_tempfile_open();
    if (in->fd < 0 || !af_tempfile_write(in->fd, spool->bytes, spool->length, 0) ||
        !map_file(in, spool->length)) {
        in->reason = errno;
        in->no_file = TRUE;
        close_file(in);
        return FALSE;
    }
    free_memory(in);
    in->gone = 0;
    spool->bytes = in->map;
    return TRUE;
}

gboolean af_spool_add(af_spool *spool, const uint8_t *bytes, size_t n, GError **error)
{
    struct af_spool_inside *in = spool->inside;
    const size_t length = spool->length + n;
    if (n == 0) {
        return TRUE;
    }
    if (length < n || length > MAX(in->limits.held_without_file, in->limits.filed)) {
        return refuse(in, error);
    }
    if (in->fd < 0 && length > in->limits.held && !in->no_file) {
        move_to_file(spool);
    }
    if (in->fd >= 0) {
        if (in->gone + length > in->limits.filed) {
            return refuse(in, error);
        }
        if (add_to_file(spool, bytes, n)) {
            return TRUE;
        }
        in->reason = errno;
        in->no_file = TRUE;
        if (length > in->limits.held_without_file || !move_to_memory(spool)) {
            return refuse(in, error);
        }
    }
    const size_t most = in->no_file ? in->limits.held_without_file : in->limits.held;
    if (length > most) {
        return refuse(in, error);
    }
    if (!add_to_memory(spool, bytes, n, most)) {
        return af_memory_error_set(error);
    }
    return TRUE;
}

/* Drops pages of the file from memory that will not be read again: the first `end` bytes. */
static void forget(struct af_spool_inside *in, size_t end)
{
    end = end / FORGET * FORGET;
    if (end > in->forgotten && end <= in->map_size) {
        af_pages_forget(in->map + in->forgotten, in->map + end);
        in->forgotten = end;
    }
}

void af_spool_release(af_spool *spool, size_t n)
{
    struct af_spool_inside *in = spool->inside;
    const size_t end = in->gone + MIN(n, spool->length);
    if (in->fd >= 0) {
        forget(in, end);
    } else if (end >= in->forgotten + FORGET) {
        af_pages_drop(in->memory, in->forgotten, end);
        in->forgotten = end;
    }
}

void af_spool_drop(af_spool *spool, size_t n)
{
    struct af_spool_inside *in = spool->inside;
    n = MIN(n, spool->length);
    if (n == 0) {
        return;
    }
    spool->bytes += n;
    spool->length -= n;
    in->gone += n;
    const gboolean is_large = in->fd >= 0 || in->capacity > 4 * LITTLE;
    /* if memory is refused, the bytes stay where they are for now */
    if (!(is_large && spool->length <= LITTLE && move_to_memory(spool)) && in->fd >= 0) {
        forget(in, in->gone);
    }
}
