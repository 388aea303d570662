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

size_t af_source_default_window(const af_source *source)
{
    if (!source->more) {
        return 0;
    }
    return source->inside->needs.window > 0 ? source->inside->needs.window : WINDOW;
}

/* Extends the window by a step or, if the file is not compressed and memory suffices, by all of the
 * `wanted` bytes. Sets *n to the number of bytes, 0 at the end. */
static gboolean take(const af_source *source, size_t wanted, size_t *n, GError **error)
{
    struct af_source_inside *in = source->inside;
    if (in->ahead == NULL && !in->plain && in->needs.jobs != 1 && in->taken >= AHEAD_FROM) {
        in->ahead = af_unpack_ahead_new(in->unpack);
        in->needs.jobs = in->ahead == NULL ? 1 : in->needs.jobs;
    }
    if (in->ahead != NULL) {
        const uint8_t *bytes;
        return af_unpack_ahead_next(in->ahead, &bytes, n, error) &&
               af_spool_add(in->window, bytes, *n, error);
    }
    const size_t step =
        in->needs.window > 0 ? MIN(in->needs.window, AF_SOURCE_STEP) : AF_SOURCE_STEP;
    const uint64_t left = in->plain ? in->file.length - in->taken : 0;
    const size_t capacity = MAX((size_t)MIN(left, wanted), step);
    uint8_t *space = af_spool_reserve(in->window, capacity);
    const gssize taken = space != NULL ? af_unpack_take(in->unpack, space, capacity, error)
                                       : af_unpack_take(in->unpack, in->chunk, step, error);
    *n = taken > 0 ? (size_t)taken : 0;
    if (space != NULL) {
        af_spool_commit(in->window, *n);
    }
    return taken >= 0 && (space != NULL || af_spool_add(in->window, in->chunk, *n, error));
}

gboolean af_source_reach(af_source *source, size_t length, GError **error)
{
    struct af_source_inside *in = source->inside;
    gboolean ok = TRUE;
    /* at its end, a plain file is read once more, to see whether it has changed */
    while (ok && source->more &&
           (source->length < length || (in->plain && in->taken == in->file.length))) {
        size_t n = 0;
        ok = take(source, length - MIN(length, source->length), &n, error);
        in->taken += n;
        show_window(source);
        if (source->reports) {
            report(source);
        }
        if (ok && n == 0) {
            source->more = FALSE;
            source->cut = af_unpack_is_truncated(in->unpack);
            af_source_end_unpacking(in);
            if (!in->is_file || !in->needs.again) {
                af_source_close_own(in);
            }
        }
    }
    return ok;
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
        source->offset = in->file.length;
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
