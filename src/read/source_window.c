/* The window of a source: the bytes that a reader sees, which move through the input. */
#include "read/source_state.h"

/* The default size of a window. */
#define WINDOW ((size_t)1024 * 1024)

/* Shorter inputs are not worth a thread. */
#define AHEAD_FROM ((uint64_t)1024 * 1024)

/* Readers may compute addresses in the window, even in an empty one. */
void af_source_show_bytes(af_source *source, const uint8_t *bytes)
{
    static const uint8_t none[1];
    source->bytes = bytes != NULL ? bytes : none;
}

static void show_window(af_source *source)
{
    af_source_show_bytes(source, source->inside->window->bytes);
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
    const size_t capacity =
        in->needs.window > 0 ? MIN(in->needs.window, AF_SOURCE_STEP) : AF_SOURCE_STEP;
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
        if (!af_inputfile_read_block(&in->file, space, n, in->read, in->needs.cancel, error)) {
            return FALSE;
        }
        af_spool_commit(in->window, n);
        in->read += n;
        return TRUE;
    }
    uint8_t piece[AF_SOURCE_STEP];
    for (size_t part; n > 0; n -= part, in->read += part) {
        part = MIN(n, sizeof piece);
        if (!af_inputfile_read_block(&in->file, piece, part, in->read, in->needs.cancel, error) ||
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
    const size_t step = in->needs.window > 0 ? in->needs.window : AF_SOURCE_STEP;
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
        af_source_close_own(in);
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
            af_source_end_unpacking(in);
            if (!in->is_file || !in->needs.again) {
                af_source_close_own(in);
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
        if (!af_source_reach(source, AF_SOURCE_STEP, error)) {
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

void af_source_release(af_source *source, size_t n)
{
    if (source->inside != NULL && source->inside->window != NULL) {
        af_spool_release(source->inside->window, n);
    }
}
