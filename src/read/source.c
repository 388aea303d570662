#include "read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define FIRST_ROOM ((size_t)256 * 1024)

static gboolean set_missing(GError **error, const char *what, int code)
{
    g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "%s: %s", what, g_strerror(code));
    return FALSE;
}

static gboolean set_memory(GError **error)
{
    g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "not enough memory for the input");
    return FALSE;
}

/* Makes room for more bytes behind `*room` ones. */
static gboolean grow(uint8_t **bytes, size_t *room)
{
    const size_t more = *room == 0 ? FIRST_ROOM : *room * 2;
    uint8_t *grown = more <= *room ? NULL : g_try_realloc(*bytes, more);
    if (grown == NULL) {
        return FALSE;
    }
    *bytes = grown;
    *room = more;
    return TRUE;
}

static gboolean read_all(af_source *source, int fd, GError **error)
{
    size_t room = 0;
    for (;;) {
        if (source->length == room && !grow(&source->held, &room)) {
            return set_memory(error);
        }
        const ssize_t n = read(fd, source->held + source->length, room - source->length);
        if (n == 0) {
            source->bytes = source->held;
            return TRUE;
        }
        if (n < 0 && errno != EINTR) {
            return set_missing(error, "cannot read", errno);
        }
        source->length += n < 0 ? 0 : (size_t)n;
    }
}

static gboolean is_gzip(const af_source *source)
{
    return source->length >= 2 && source->bytes[0] == 0x1F && source->bytes[1] == 0x8B;
}

/* Unpacks member after member from `from` into *to. Returns FALSE only if memory is refused; *cut
 * is set if the data ends or breaks before a member does. */
static gboolean unpack(const af_source *from, uint8_t **to, size_t *length, gboolean *cut)
{
    z_stream z = {0};
    size_t room = 0, taken = 0;
    int status = inflateInit2(&z, 15 + 16);
    gboolean ok = status == Z_OK;
    while (ok) {
        if (*length == room && !grow(to, &room)) {
            ok = FALSE;
            break;
        }
        z.next_in = (Bytef *)from->bytes + taken;
        z.avail_in = (uInt)MIN(from->length - taken, (size_t)1 << 30);
        z.next_out = *to + *length;
        z.avail_out = (uInt)MIN(room - *length, (size_t)1 << 30);
        const size_t in = z.avail_in, out = z.avail_out;
        status = inflate(&z, Z_NO_FLUSH);
        taken += in - z.avail_in;
        *length += out - z.avail_out;
        if (status == Z_STREAM_END) {
            /* what follows may be another member, or padding that nobody misses */
            if (from->length - taken < 2 || from->bytes[taken] != 0x1F ||
                from->bytes[taken + 1] != 0x8B || inflateReset(&z) != Z_OK) {
                break;
            }
        } else if (status != Z_OK || (z.avail_out > 0 && taken == from->length)) {
            *cut = TRUE;
            break;
        }
    }
    inflateEnd(&z);
    return ok;
}

static gboolean unpack_all(af_source *source, GError **error)
{
    while (is_gzip(source)) {
        uint8_t *unpacked = NULL;
        size_t length = 0;
        if (!unpack(source, &unpacked, &length, &source->cut)) {
            g_free(unpacked);
            return set_memory(error);
        }
        g_clear_pointer(&source->map, g_mapped_file_unref);
        g_free(source->held);
        source->held = unpacked;
        source->bytes = unpacked;
        source->length = length;
        if (length == 0 && source->cut) {
            g_set_error_literal(error, AF_ERROR, AF_ERROR_DAMAGED,
                                "damaged gzip data: nothing in it can be unpacked");
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean fill(af_source *source, int fd, GError **error)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return set_missing(error, "cannot read", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return set_missing(error, "cannot read", EISDIR);
    }
    /* a file whose reader stands elsewhere than at its begin is read like a pipe */
    if (S_ISREG(status.st_mode) && status.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0) {
        source->map = g_mapped_file_new_from_fd(fd, FALSE, NULL);
    }
    if (source->map != NULL) {
        source->bytes = (const uint8_t *)g_mapped_file_get_contents(source->map);
        source->length = g_mapped_file_get_length(source->map);
    } else if (!read_all(source, fd, error)) {
        return FALSE;
    }
    return unpack_all(source, error);
}

af_source *af_source_open_fd(int fd, GError **error)
{
    af_source *source = g_new0(af_source, 1);
    if (!fill(source, fd, error)) {
        af_source_free(source);
        return NULL;
    }
    return source;
}

af_source *af_source_open(const char *path, GError **error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        set_missing(error, "cannot open", errno);
        return NULL;
    }
    af_source *source = af_source_open_fd(fd, error);
    close(fd);
    if (source != NULL) {
        source->path = g_strdup(path);
    }
    return source;
}

void af_source_free(af_source *source)
{
    if (source == NULL) {
        return;
    }
    g_clear_pointer(&source->map, g_mapped_file_unref);
    g_free(source->held);
    g_free(source->path);
    g_free(source);
}

af_source *af_source_open_beside(const af_source *source, const char *instead_of,
                                 const char *suffix, gboolean append)
{
    if (source->path == NULL) {
        return NULL;
    }
    const char *base = strrchr(source->path, '/');
    base = base == NULL ? source->path : base + 1;
    const char *dot = strrchr(base, '.');
    if (!append && (dot == NULL || (instead_of != NULL && strcmp(dot, instead_of) != 0))) {
        return NULL;
    }
    const size_t stem = append ? strlen(source->path) : (size_t)(dot - source->path);
    char *path = g_strdup_printf("%.*s%s", (int)stem, source->path, suffix);
    af_source *beside = strcmp(path, source->path) == 0 ? NULL : af_source_open(path, NULL);
    g_free(path);
    return beside;
}
