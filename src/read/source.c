#include "read/source_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/error_pass.h"
#include "read/unwrap.h"

/* Bytes that show the format. */
#define HEAD ((size_t)64 * 1024)

static gboolean set_missing(GError **error, const char *what, int code)
{
    g_set_error(error, AF_ERROR, AF_ERROR_MISSING, "%s: %s", what, g_strerror(code));
    return FALSE;
}

static void take_needs(struct af_source_inside *in, const af_source_needs *needs)
{
    static const af_source_needs none;
    g_clear_pointer(&in->stop, af_cancel_free);
    g_clear_pointer(&in->needs.cancel, af_cancel_free);
    in->needs = needs != NULL ? *needs : none;
    in->needs.entry = NULL; /* it is only valid while the source is opened */
    af_cancel_keep(in->needs.cancel);
}

static void begin_window(af_source *source, const af_spool_limits *limits, gboolean reports)
{
    source->inside->window = af_spool_new(limits);
    af_source_show_bytes(source, NULL);
    source->length = 0;
    source->offset = 0;
    source->more = TRUE;
    source->cut = FALSE;
    source->reports = reports;
}

/* A longer window of a file lies in a temporary file. */
static af_spool_limits limit_window(const struct af_source_inside *in)
{
    const uint64_t most = in->needs.max_memory / 4;
    return (af_spool_limits){most == 0 ? AF_SOURCE_MOST_HELD
                                       : (size_t)MIN(most, AF_SOURCE_MOST_HELD),
                             SIZE_MAX / 2, SIZE_MAX / 2};
}

/* Starts reading in order, or restarts it. */
static void begin_unpacking(af_source *source, const uint8_t *bytes, size_t length)
{
    struct af_source_inside *in = source->inside;
    if (in->stop == NULL) {
        in->stop = af_cancel_new_within(in->needs.cancel);
    }
    if (in->chunk == NULL) {
        in->chunk = g_malloc(AF_SOURCE_STEP);
    }
    const af_unpack_input input = {.archive = in->archive,
                                   .bytes = bytes,
                                   .length = length,
                                   .file = in->is_file ? &in->file : NULL,
                                   .plain = in->plain,
                                   .fd = in->fd,
                                   .copy = in->copy,
                                   .lost = &in->copy_lost};
    in->unpack = af_unpack_new(&input, in->stop);
    in->taken = 0;
    const af_spool_limits limits = limit_window(in);
    begin_window(source, in->plain ? &limits : NULL, !in->plain);
}

void af_source_end_unpacking(struct af_source_inside *in)
{
    af_unpack_ahead_free(in->ahead, in->stop);
    af_unpack_free(in->unpack);
    in->ahead = NULL;
    in->unpack = NULL;
}

/* Makes the whole input the window. */
static void show_all(af_source *source, const uint8_t *bytes, size_t length)
{
    af_source_show_bytes(source, bytes);
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
    begin_unpacking(source, NULL, 0);
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

static void begin_held(af_source *source, GBytes *held)
{
    size_t length;
    const uint8_t *bytes = g_bytes_get_data(held, &length);
    begin_bytes(source, bytes, length);
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
    if (!af_error_pass(error, &own)) {
        return FALSE;
    }
    if (in->carried != NULL) {
        source->carrier = af_carrier_title(carrier);
        in->plain = FALSE;
        g_clear_pointer(&in->window, af_spool_free);
        begin_held(source, in->carried);
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
    if (!af_source_reach(source, AF_SOURCE_MOST_HELD, error)) {
        return NULL;
    }
    if (source->more) {
        g_set_error(error, AF_ERROR, AF_ERROR_UNRECOGNISED,
                    "this zip archive is too large for a pipe; save it to a file first");
        return NULL;
    }
    g_autoptr(GBytes) bytes = g_bytes_new(source->bytes, source->length);
    return af_archive_open_bytes(bytes, error);
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
    if (archive == NULL ||
        !af_archive_find(archive, in->entry, in->needs.any_entry, source->entries, error)) {
        af_archive_free(archive);
        return FALSE;
    }
    af_source_end_unpacking(in);
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
    begin_held(source, source->inside->memory);
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

void af_source_close_own(struct af_source_inside *in)
{
    if (in->own_fd >= 0) {
        close(in->own_fd);
    }
    in->own_fd = in->fd = -1;
}

static void free_one(af_source *source)
{
    g_autofree struct af_source_inside *in = source->inside;
    af_source_end_unpacking(in);
    af_archive_free(in->archive);
    g_free(in->entry);
    g_clear_pointer(&source->entries, g_ptr_array_unref);
    af_source_close_own(in);
    take_needs(in, NULL);
    g_clear_pointer(&in->memory, g_bytes_unref);
    g_clear_pointer(&in->carried, g_bytes_unref);
    af_spool_free(in->copy);
    af_spool_free(in->window);
    g_free(in->chunk);
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

gboolean af_source_can_rewind(const af_source *source)
{
    gboolean can = TRUE;
    for (; source != NULL; source = source->next) {
        can = can && (source->inside == NULL || !g_atomic_int_get(&source->inside->copy_lost));
    }
    return can;
}

static gboolean rewind_one(af_source *source, const af_source_needs *needs, GError **error)
{
    struct af_source_inside *in = source->inside;
    if (in->carried != NULL) {
        take_needs(in, needs);
        begin_held(source, in->carried);
        return TRUE;
    }
    if (!in->is_file && in->memory == NULL && in->archive == NULL &&
        !af_source_drain(source, error)) {
        return FALSE;
    }
    af_source_end_unpacking(in);
    if (in->copy_lost) {
        g_set_error_literal(
            error, AF_ERROR, AF_ERROR_USAGE,
            "the input is too long to keep for a second reading; save it to a file first");
        return FALSE;
    }
    take_needs(in, needs);
    in->needs.again = TRUE;
    g_clear_pointer(&in->window, af_spool_free);
    if (in->archive != NULL) {
        af_archive_restart(in->archive);
        begin_unpacking(source, NULL, 0);
    } else if (in->is_file) {
        if (!begin_file(source, error)) {
            return FALSE;
        }
    } else if (in->memory != NULL) {
        begin_held(source, in->memory);
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
    g_autofree char *path = g_strdup_printf("%.*s%s", (int)stem, source->path, suffix);
    const af_source_needs *needs = source->inside != NULL ? &source->inside->needs : NULL;
    GError *reason = NULL;
    *sibling = strcmp(path, source->path) == 0 ? NULL : af_source_open(path, needs, &reason);
    if (g_error_matches(reason, AF_ERROR, AF_ERROR_MEMORY) ||
        g_error_matches(reason, AF_ERROR, AF_ERROR_CANCELLED)) {
        g_propagate_error(error, reason);
        return FALSE;
    }
    g_clear_error(&reason);
    return TRUE;
}
