/* The length of the data is known only at its end, and the length shows whether a text tool has
 * changed the data (see text_repair.h). So records are read directly as long as this makes no
 * difference: while all bytes are ASCII, which no tool changes, and permanently after the first
 * byte that cannot be in a text. In between, while the data could be a text, it is held back. */
#include "read/android/v1forward.h"

#include "base/bytes.h"
#include "read/android/text_repair.h"
#include "read/android/v1records.h"

typedef struct {
    af_source *source;
    af_sink *sink;
    unsigned text_version;
    af_v1_header header;
    af_mend_count count;
    af_mend_kind kind;
    size_t judged; /* bytes of the window that `count` and `kind` include */
    size_t ascii;  /* bytes of the window before the first non-ASCII byte */
    uint64_t n;    /* records read */
} forward;

static void count(forward *f, size_t before)
{
    af_mend_count_add(&f->count, f->source->bytes + before, f->source->length - before);
}

/* Extends the window until the kind of the data is known, or the input ends. */
static gboolean look(forward *f, GError **error)
{
    af_source *s = f->source;
    size_t counted = f->judged;
    for (;;) {
        const uint8_t *at = s->bytes + f->judged, *end = s->bytes + s->length;
        count(f, counted);
        counted = s->length;
        if (f->kind == AF_MEND_ASCII) {
            af_mend_judge(&f->kind, &at, end, s->more);
            f->ascii = (size_t)(at - s->bytes);
        }
        af_mend_judge(&f->kind, &at, end, s->more);
        f->judged = (size_t)(at - s->bytes);
        if (f->kind != AF_MEND_TEXT || !s->more) {
            f->judged = s->length;
            return TRUE;
        }
        if (!af_source_reach(s, s->length + MAX(s->length, af_source_default_window(s)), error)) {
            return FALSE;
        }
    }
}

/* Moves past the bytes that were read. */
static void skip(forward *f, size_t n)
{
    af_source_skip(f->source, n);
    f->judged -= n;
    f->ascii -= MIN(f->ascii, n);
}

/* Reads the whole records in the first `length` bytes of the window. Returns FALSE when it is time
 * to stop. */
static gboolean read_records(forward *f, size_t length)
{
    const size_t n = length / f->header.size;
    af_v1_records records = {
        .bytes = f->source->bytes, .n = n, .header = &f->header, .offset = f->source->offset};
    const gboolean go_on = af_v1_records_read(&records, 1, f->sink);
    f->n += n;
    skip(f, n * f->header.size);
    return go_on;
}

/* Whether data of this length is a whole number of records. */
static gboolean fits(const forward *f, uint64_t length)
{
    return (length - f->header.offset) % f->header.size == 0;
}

/* The rest of the data could be a text, and its length is wrong: undoes the conversion to UTF-8 and
 * reads the result if its length is right. Then sets *done. */
static gboolean read_mended(forward *f, gboolean *done, GError **error)
{
    af_source *s = f->source;
    af_spool *mended;
    if (!af_mend_1252_piece(s->bytes, s->length, &mended, error)) {
        return FALSE;
    }
    const uint64_t length = mended == NULL ? 0 : f->count.length - s->length + mended->length;
    *done = mended != NULL && mended->length != s->length && fits(f, length);
    if (*done) {
        af_v1_warn_1252(mended, f->sink);
        f->count = (af_mend_count){.length = f->count.length - s->length};
        af_mend_count_add(&f->count, mended->bytes, mended->length);
        af_v1_records records = {.bytes = mended->bytes,
                                 .n = mended->length / f->header.size,
                                 .header = &f->header,
                                 .offset = s->offset};
        af_v1_records_read(&records, af_sink_jobs(f->sink), f->sink);
        f->n += records.n;
        skip(f, s->length);
    }
    af_spool_free(mended);
    return TRUE;
}

/* Reads the window when it reaches the end of the input. */
static gboolean read_rest(forward *f, GError **error)
{
    gboolean done = FALSE;
    if (f->kind == AF_MEND_TEXT && !fits(f, f->count.length) &&
        !af_mend_count_is_lossy(&f->count) && !read_mended(f, &done, error)) {
        return FALSE;
    }
    if (!done) {
        read_records(f, f->source->length);
        if (f->source->length > 0) {
            af_v1_warn_partial(f->source->offset, f->sink);
        }
    }
    af_v1_compare_with_text(f->text_version, f->n, f->sink);
    return !af_mend_count_is_lossy(&f->count) || af_v1_refuse_lossy(error);
}

gboolean af_v1_is_valid(const af_source *source)
{
    const uint8_t *bytes = source->bytes;
    const size_t offset = af_load_u16(bytes + 6);
    const unsigned version = af_load_u16(bytes + 4);
    const size_t size = version == 1 ? 9 : version == 2 ? 10 : 14;
    return version >= 1 && version <= 3 && af_mend_fits(bytes, offset + size);
}

static gboolean read_on(forward *f, GError **error)
{
    af_source *s = f->source;
    skip(f, f->header.offset);
    while (s->more) {
        if (!read_records(f, s->length)) {
            return TRUE; /* af_sink_finish() reports the reason */
        }
        if (!af_source_reach(s, af_source_default_window(s), error) || !look(f, error)) {
            return FALSE;
        }
    }
    /* the bytes before a text are the same in either case */
    return f->kind != AF_MEND_TEXT || read_records(f, f->ascii) ? read_rest(f, error) : TRUE;
}

gboolean af_v1_forward_read(af_source *source, unsigned text_version, af_sink *sink, GError **error)
{
    forward f = {.source = source, .sink = sink, .text_version = text_version};
    if (!af_source_reach(source, af_source_default_window(source), error) || !look(&f, error)) {
        return FALSE;
    }
    if (source->more && !af_v1_is_valid(source) && !af_source_reach_end(source, error)) {
        return FALSE;
    }
    if (!source->more) {
        return af_v1_data_read(source, FALSE, text_version, sink, error);
    }
    if (!af_v1_header_read(&f.header, source->bytes, source->length, FALSE, sink, error)) {
        return FALSE;
    }
    const af_ticks ticks = af_v1_ticks(&f.header, sink);
    af_sink_start(sink, &ticks);
    return read_on(&f, error);
}
