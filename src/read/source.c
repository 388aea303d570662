#include "read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/inputfile.h"
#include "base/spool.h"
#include "read/unpack_ahead.h"
#include "read/unwrap.h"

/* Bytes per read when nothing is decompressed ahead. */
#define STEP ((size_t)64 * 1024)

/* The default size of a window, and of the first one: many inputs are shorter. */
#define WINDOW ((size_t)1024 * 1024)
#define HEAD   ((size_t)64 * 1024)

/* Bytes of a file held in memory for readers that need all of it: the largest recording buffer that
 * Android Studio offers. A longer file is copied to a temporary file. */
#define MOST_HELD ((size_t)256 * 1024 * 1024)

/* Shorter inputs are not worth a thread. */
#define AHEAD_FROM ((uint64_t)1024 * 1024)

struct af_source_inside {
    af_source_needs needs;
    GCancellable *stop; /* cancelled together with the caller's */
    gulong stop_handler;
    gboolean is_file;    /* a regular file; otherwise a pipe or `memory` */
    af_inputfile file;   /* if `is_file` */
    gboolean plain;      /* an uncompressed file */
    uint64_t read;       /* bytes of it that are or were in the window */
    GBytes *carried;     /* the profile of a picture, which is the window then */
    GBytes *memory;      /* the caller's bytes, instead of a file */
    af_archive *archive; /* the window is an entry of it; NULL = it is none */
    char *entry;         /* a copy of needs.entry */
    int fd, own_fd;      /* -1 = none, or closed */
    af_spool *copy;      /* bytes that were read from the descriptor, for rewinding */
    af_unpack *unpack;   /* NULL if `plain`, or if the window is `memory` or `copy` */
    af_unpack_ahead *ahead;
    uint8_t *chunk; /* a buffer of STEP bytes */
    uint64_t taken; /* bytes taken from `unpack` */
    af_spool *window;
    GPtrArray *retained; /* earlier windows that are still referenced */
};

static gboolean set_missing(GError **error, const char *what, int code)
{
    g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "%s: %s", what, g_strerror(code));
    return FALSE;
}

/* ---- opening ---- */

static void stop_too(GCancellable *cancel, gpointer stop)
{
    (void)cancel;
    g_cancellable_cancel(stop);
}

static void free_spool(gpointer spool)
{
    af_spool_free(spool);
}

static void take_needs(struct af_source_inside *in, const af_source_needs *needs)
{
    static const af_source_needs none;
    if (in->stop_handler != 0) {
        g_cancellable_disconnect(in->needs.cancel, in->stop_handler);
        in->stop_handler = 0;
    }
    g_clear_object(&in->stop);
    g_clear_object(&in->needs.cancel);
    in->needs = needs != NULL ? *needs : none;
    in->needs.entry = NULL; /* it is only valid while the source is opened */
    if (in->needs.cancel != NULL) {
        g_object_ref(in->needs.cancel);
    }
}

/* Readers may compute addresses in the window, even in an empty one. */
static void show_bytes(af_source *source, const uint8_t *bytes)
{
    static const uint8_t none[1];
    source->bytes = bytes != NULL ? bytes : none;
}

/* A longer window of a file lies in a temporary file. */
static af_spool_limits limit_window(const struct af_source_inside *in)
{
    const uint64_t most = in->needs.max_memory / 4;
    return (af_spool_limits){most == 0 ? MOST_HELD : (size_t)MIN(most, MOST_HELD), SIZE_MAX / 2,
                             SIZE_MAX / 2};
}

static void begin_window(af_source *source, const af_spool_limits *limits, gboolean reports)
{
    source->inside->window = af_spool_new(limits);
    show_bytes(source, NULL);
    source->length = 0;
    source->offset = 0;
    source->more = TRUE;
    source->cut = FALSE;
    source->reports = reports;
}

/* Starts decompressing, or restarts it. */
static void begin_unpacking(af_source *source, const uint8_t *bytes, size_t length)
{
    struct af_source_inside *in = source->inside;
    if (in->stop == NULL) {
        in->stop = g_cancellable_new();
        if (in->needs.cancel != NULL) {
            in->stop_handler =
                g_cancellable_connect(in->needs.cancel, G_CALLBACK(stop_too), in->stop, NULL);
        }
    }
    if (in->chunk == NULL) {
        in->chunk = g_malloc(STEP);
    }
    in->unpack = in->archive != NULL ? af_unpack_new_archive(in->archive, in->stop)
                 : bytes != NULL     ? af_unpack_new_bytes(bytes, length, in->stop)
                 : in->is_file       ? af_unpack_new_file(&in->file, in->stop)
                                     : af_unpack_new_fd(in->fd, in->copy, in->stop);
    in->taken = 0;
    begin_window(source, NULL, TRUE);
}

static void end_unpacking(struct af_source_inside *in)
{
    af_unpack_ahead_free(in->ahead, in->stop);
    af_unpack_free(in->unpack);
    in->ahead = NULL;
    in->unpack = NULL;
}

/* Makes the whole input the window. */
static void show_all(af_source *source, const uint8_t *bytes, size_t length)
{
    show_bytes(source, bytes);
    source->length = length;
    source->offset = 0;
    source->more = source->reports = FALSE;
}

static gboolean begin_file(af_source *source, GError **error)
{
    struct af_source_inside *in = source->inside;
    uint8_t head[AF_ZSTD_MAGIC];
    const size_t n = (size_t)MIN(in->file.length, sizeof head);
    if (!af_inputfile_read(&in->file, head, n, 0, error)) {
        return FALSE;
    }
    in->plain = !af_is_gzip(head, n) && !af_is_zstd(head, n);
    in->read = 0;
    if (in->plain) {
        const af_spool_limits limits = limit_window(in);
        begin_window(source, &limits, FALSE);
    } else {
        begin_unpacking(source, NULL, 0);
    }
    return TRUE;
}

/* The whole input is available. */
static void begin_bytes(af_source *source, const uint8_t *bytes, size_t length)
{
    if (af_is_gzip(bytes, length) || af_is_zstd(bytes, length)) {
        begin_unpacking(source, bytes, length);
    } else {
        show_all(source, bytes, length);
    }
}

static void begin_memory(af_source *source)
{
    size_t length;
    const uint8_t *bytes = g_bytes_get_data(source->inside->memory, &length);
    begin_bytes(source, bytes, length);
}

static void show_carried(af_source *source)
{
    gsize length;
    const uint8_t *bytes = g_bytes_get_data(source->inside->carried, &length);
    show_all(source, bytes, length);
}

/* A picture gives way to the profile that it carries. */
static gboolean unwrap(af_source *source, GError **error)
{
    struct af_source_inside *in = source->inside;
    const af_carrier carrier = af_carrier_detect(source->bytes, source->length);
    if (carrier == AF_CARRIER_NONE) {
        return TRUE;
    }
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    GError *own = NULL;
    in->carried = af_carrier_unwrap(carrier, source->bytes, source->length, &own);
    if (own != NULL) {
        g_propagate_error(error, own);
        return FALSE;
    }
    if (in->carried != NULL) {
        source->carrier = af_carrier_title(carrier);
        in->plain = FALSE;
        g_clear_pointer(&in->window, af_spool_free);
        show_carried(source);
    }
    return TRUE;
}

static gboolean reach_first(af_source *source, GError **error)
{
    return af_source_reach(source, MIN(HEAD, af_source_default_window(source)), error);
}

/* Opens the archive that the window begins: from the file, or from all of its bytes. */
static af_archive *open_archive(af_source *source, GError **error)
{
    struct af_source_inside *in = source->inside;
    if (in->plain && in->is_file && source->more) {
        return af_archive_open_file(&in->file, error);
    }
    if (!af_source_reach(source, MOST_HELD, error)) {
        return NULL;
    }
    if (source->more) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "this zip archive is too large for a pipe; save it to a file first");
        return NULL;
    }
    GBytes *bytes = g_bytes_new(source->bytes, source->length);
    af_archive *archive = af_archive_open_bytes(bytes, error);
    g_bytes_unref(bytes);
    return archive;
}

/* An archive gives way to an entry of it. */
static gboolean enter_archive(af_source *source, GError **error)
{
    struct af_source_inside *in = source->inside;
    const gboolean is_archive = af_is_zip(source->bytes, source->length);
    if (!is_archive && in->entry != NULL) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_USAGE,
                            "--entry needs a zip archive, and this file is not one");
    }
    if (!is_archive) {
        return in->entry == NULL;
    }
    af_archive *archive = open_archive(source, error);
    source->entries = g_ptr_array_new_with_free_func(g_free);
    if (archive == NULL || !af_archive_find(archive, in->entry, source->entries, error)) {
        af_archive_free(archive);
        return FALSE;
    }
    end_unpacking(in);
    g_clear_pointer(&in->window, af_spool_free);
    in->plain = FALSE;
    in->archive = archive;
    begin_unpacking(source, NULL, 0);
    return reach_first(source, error);
}

/* The first window, by which the format is detected. */
static gboolean reach_head(af_source *source, GError **error)
{
    if (source->inside->needs.is_part) {
        return reach_first(source, error);
    }
    return reach_first(source, error) && enter_archive(source, error) && unwrap(source, error);
}

static gboolean begin_reading(af_source *source, GError **error)
{
    struct af_source_inside *in = source->inside;
    struct stat status;
    if (fstat(in->fd, &status) != 0) {
        return set_missing(error, "cannot read", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return set_missing(error, "cannot read", EISDIR);
    }
    if (in->needs.again && in->own_fd < 0) {
        in->own_fd = fcntl(in->fd, F_DUPFD_CLOEXEC, 0); /* the caller may close its own */
        in->fd = in->own_fd >= 0 ? in->own_fd : in->fd;
    }
    in->is_file = af_inputfile_open(&in->file, in->fd);
    if (in->is_file) {
        if (!begin_file(source, error)) {
            return FALSE;
        }
    } else {
        in->copy = in->needs.again ? af_spool_new(NULL) : NULL;
        begin_unpacking(source, NULL, 0);
    }
    return reach_head(source, error);
}

static af_source *new_source(const af_source_needs *needs)
{
    af_source *source = g_new0(af_source, 1);
    struct af_source_inside *in = source->inside = g_new0(struct af_source_inside, 1);
    take_needs(in, needs);
    in->entry = needs != NULL ? g_strdup(needs->entry) : NULL;
    in->fd = in->own_fd = -1;
    in->retained = g_ptr_array_new_with_free_func(free_spool);
    return source;
}

static af_source *open_fd(int fd, gboolean own, const af_source_needs *needs, GError **error)
{
    af_source *source = new_source(needs);
    source->inside->fd = fd;
    source->inside->own_fd = own ? fd : -1;
    if (!begin_reading(source, error)) {
        af_source_free(source);
        return NULL;
    }
    return source;
}

af_source *af_source_open_bytes(GBytes *bytes, const af_source_needs *needs, GError **error)
{
    af_source *source = new_source(needs);
    source->inside->memory = g_bytes_ref(bytes);
    begin_memory(source);
    if (!reach_head(source, error)) {
        af_source_free(source);
        return NULL;
    }
    return source;
}

af_source *af_source_open_fd(int fd, const af_source_needs *needs, GError **error)
{
    return open_fd(fd, FALSE, needs, error);
}

af_source *af_source_open(const char *path, const af_source_needs *needs, GError **error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        set_missing(error, "cannot open", errno);
        return NULL;
    }
    af_source *source = open_fd(fd, TRUE, needs, error);
    if (source != NULL) {
        source->path = g_strdup(path);
    }
    return source;
}

static void close_own(struct af_source_inside *in)
{
    if (in->own_fd >= 0) {
        close(in->own_fd);
    }
    in->own_fd = in->fd = -1;
}

static void free_one(af_source *source)
{
    struct af_source_inside *in = source->inside;
    end_unpacking(in);
    af_archive_free(in->archive);
    g_free(in->entry);
    g_clear_pointer(&source->entries, g_ptr_array_unref);
    close_own(in);
    take_needs(in, NULL);
    g_clear_pointer(&in->memory, g_bytes_unref);
    g_clear_pointer(&in->carried, g_bytes_unref);
    af_spool_free(in->copy);
    af_spool_free(in->window);
    g_ptr_array_unref(in->retained);
    g_free(in->chunk);
    g_free(in);
    g_free(source->path);
    g_free(source);
}

void af_source_free(af_source *source)
{
    while (source != NULL) {
        af_source *next = source->next;
        free_one(source);
        source = next;
    }
}

/* ---- the window ---- */

static void show_window(af_source *source)
{
    show_bytes(source, source->inside->window->bytes);
    source->length = source->inside->window->length;
}

static void report(const af_source *source)
{
    const struct af_source_inside *in = source->inside;
    if (in->needs.progress != NULL) {
        in->needs.progress(in->needs.progress_user, af_unpack_done(in->unpack),
                           af_unpack_total(in->unpack));
    }
}

static gboolean take(af_source *source, const uint8_t **bytes, size_t *n, GError **error)
{
    struct af_source_inside *in = source->inside;
    if (in->ahead == NULL && in->needs.jobs != 1 && in->taken >= AHEAD_FROM) {
        in->ahead = af_unpack_ahead_new(in->unpack);
        in->needs.jobs = in->ahead == NULL ? 1 : in->needs.jobs;
    }
    if (in->ahead != NULL) {
        return af_unpack_ahead_next(in->ahead, bytes, n, error);
    }
    const size_t capacity = in->needs.window > 0 ? MIN(in->needs.window, STEP) : STEP;
    const gssize taken = af_unpack_take(in->unpack, in->chunk, capacity, error);
    *bytes = in->chunk;
    *n = taken > 0 ? (size_t)taken : 0;
    return taken >= 0;
}

size_t af_source_default_window(const af_source *source)
{
    if (!source->more) {
        return 0;
    }
    return source->inside->needs.window > 0 ? source->inside->needs.window : WINDOW;
}

/* Reads the next `n` bytes of the file into the window. */
static gboolean read_on(struct af_source_inside *in, size_t n, GError **error)
{
    uint8_t *space = af_spool_reserve(in->window, n);
    if (space != NULL) {
        if (!af_inputfile_read_block(&in->file, space, n, in->read, in->needs.jobs,
                                     in->needs.cancel, error)) {
            return FALSE;
        }
        af_spool_commit(in->window, n);
        in->read += n;
        return TRUE;
    }
    uint8_t piece[STEP];
    for (size_t part; n > 0; n -= part, in->read += part) {
        part = MIN(n, sizeof piece);
        if (!af_inputfile_read_block(&in->file, piece, part, in->read, 1, in->needs.cancel,
                                     error) ||
            !af_spool_add(in->window, piece, part, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean reach_in_file(af_source *source, size_t length, GError **error)
{
    struct af_source_inside *in = source->inside;
    const uint64_t left = in->file.length - in->read;
    const size_t step = in->needs.window > 0 ? in->needs.window : STEP;
    const size_t n = (size_t)MIN(left, MAX(length - source->length, step));
    const gboolean ok = read_on(in, n, error);
    show_window(source);
    if (!ok) {
        return FALSE;
    }
    source->more = in->read < in->file.length;
    if (!source->more && !af_inputfile_check(&in->file, error)) {
        return FALSE;
    }
    if (!source->more && !in->needs.again) {
        close_own(in);
    }
    return TRUE;
}

gboolean af_source_reach(af_source *source, size_t length, GError **error)
{
    struct af_source_inside *in = source->inside;
    if (source->more && in->plain) {
        return source->length >= length || reach_in_file(source, length, error);
    }
    while (source->more && source->length < length) {
        const uint8_t *bytes;
        size_t n;
        if (!take(source, &bytes, &n, error) || !af_spool_add(in->window, bytes, n, error)) {
            return FALSE;
        }
        in->taken += n;
        report(source);
        show_window(source);
        if (n == 0) {
            source->more = FALSE;
            source->cut = af_unpack_is_truncated(in->unpack);
            end_unpacking(in);
            if (!in->is_file || !in->needs.again) {
                close_own(in);
            }
        }
    }
    return TRUE;
}

gboolean af_source_reach_end(af_source *source, GError **error)
{
    return af_source_reach(source, SIZE_MAX, error);
}

gboolean af_source_drain(af_source *source, GError **error)
{
    if (af_source_is_seekable(source)) {
        struct af_source_inside *in = source->inside;
        af_source_skip(source, source->length);
        source->offset = in->read = in->file.length;
        source->more = FALSE;
        return af_inputfile_check(&in->file, error);
    }
    while (source->more) {
        af_source_skip(source, source->length);
        if (!af_source_reach(source, STEP, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

uint64_t af_source_total(const af_source *source)
{
    const struct af_source_inside *in = source->inside;
    if (!source->more) {
        return source->offset + source->length;
    }
    return in->plain ? in->file.length : 0;
}

gboolean af_source_is_seekable(const af_source *source)
{
    return source->more && source->inside->plain;
}

gboolean af_source_read_at(const af_source *source, uint64_t offset, uint8_t *to, size_t n,
                           GError **error)
{
    return af_inputfile_read(&source->inside->file, to, n, offset, error);
}

gboolean af_source_check(const af_source *source, GError **error)
{
    for (; source != NULL; source = source->next) {
        const struct af_source_inside *in = source->inside;
        if (in != NULL && in->is_file && in->fd >= 0 && !af_inputfile_check(&in->file, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

void af_source_skip(af_source *source, size_t n)
{
    n = MIN(n, source->length);
    source->offset += n;
    if (source->inside != NULL && source->inside->window != NULL) {
        af_spool_drop(source->inside->window, n);
        show_window(source);
    } else {
        source->bytes += n;
        source->length -= n;
    }
}

gboolean af_source_keep(af_source *source, size_t n, GError **error)
{
    struct af_source_inside *in = source->inside;
    n = MIN(n, source->length);
    if (in == NULL || in->window == NULL || n == 0) {
        af_source_skip(source, n);
        return TRUE;
    }
    const af_spool_limits limits = limit_window(in);
    af_spool *rest = af_spool_new(in->plain ? &limits : NULL);
    if (!af_spool_add(rest, source->bytes + n, source->length - n, error)) {
        af_spool_free(rest);
        return FALSE;
    }
    g_ptr_array_add(in->retained, in->window);
    in->window = rest;
    source->offset += n;
    show_window(source);
    return TRUE;
}

static gboolean rewind_one(af_source *source, const af_source_needs *needs, GError **error)
{
    struct af_source_inside *in = source->inside;
    if (in->carried != NULL) {
        take_needs(in, needs);
        show_carried(source);
        return TRUE;
    }
    if (!in->is_file && in->memory == NULL && in->archive == NULL &&
        !af_source_drain(source, error)) {
        return FALSE;
    }
    end_unpacking(in);
    take_needs(in, needs);
    in->needs.again = TRUE;
    g_clear_pointer(&in->window, af_spool_free);
    if (in->archive != NULL) {
        af_archive_restart(in->archive);
        begin_unpacking(source, NULL, 0);
        return reach_first(source, error);
    }
    if (in->is_file) {
        if (!begin_file(source, error)) {
            return FALSE;
        }
    } else if (in->memory != NULL) {
        begin_memory(source);
    } else {
        begin_bytes(source, in->copy->bytes, in->copy->length);
    }
    return reach_first(source, error);
}

gboolean af_source_rewind(af_source *source, const af_source_needs *needs, GError **error)
{
    for (; source != NULL; source = source->next) {
        if (!rewind_one(source, needs, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- other files ---- */

gboolean af_source_open_sibling(const af_source *source, const char *suffix, gboolean append,
                                af_source **sibling, GError **error)
{
    *sibling = NULL;
    if (source->path == NULL) {
        return TRUE;
    }
    const char *base = strrchr(source->path, '/');
    base = base == NULL ? source->path : base + 1;
    const char *dot = strrchr(base, '.');
    if (!append && dot == NULL) {
        return TRUE;
    }
    const size_t stem = append ? strlen(source->path) : (size_t)(dot - source->path);
    char *path = g_strdup_printf("%.*s%s", (int)stem, source->path, suffix);
    const af_source_needs *needs = source->inside != NULL ? &source->inside->needs : NULL;
    GError *reason = NULL;
    *sibling = strcmp(path, source->path) == 0 ? NULL : af_source_open(path, needs, &reason);
    g_free(path);
    if (g_error_matches(reason, AF_ERROR, AF_ERROR_MEMORY) ||
        g_error_matches(reason, AF_ERROR, AF_ERROR_CANCELLED)) {
        g_propagate_error(error, reason);
        return FALSE;
    }
    g_clear_error(&reason);
    return TRUE;
}
