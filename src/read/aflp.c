/* Saved profiles, see base/aflp.h. A damaged one is rejected: half of a profile would have wrong
 * totals. */
#include <libdeflate.h>
#include <string.h>

#include "base/aflp.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/memory_error.h"
#include "base/pages.h"
#include "base/workers.h"
#include "build/finished.h"
#include "read/reader.h"

/* zlib reaches no higher ratio. */
#define MOST_RATIO 1032u

#define NOT_UNPACKED "part of it cannot be decompressed"

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    return length >= AF_AFLP_MAGIC_SIZE && memcmp(head, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE) == 0
               ? AF_SURE
               : 0;
}

static gboolean refuse(const char *why, GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "the saved profile is damaged: %s", why);
    return FALSE;
}

typedef struct {
    const uint8_t *packed;
    size_t packed_length;
    uint8_t *to;
    size_t length;
} piece;

typedef struct {
    uint8_t *bytes;
    size_t length;
    af_array pieces;           /* of `piece` */
    gint n_damaged, n_refused; /* pieces; atomic */
} payload;

/* Lists the pieces at *at and moves *at past them. FALSE if one is truncated or memory is
 * refused. */
static gboolean list_pieces(payload *p, const uint8_t **at, const uint8_t *end)
{
    for (size_t done = 0; done < p->length; done += AF_AFLP_PIECE) {
        uint64_t packed;
        if (!af_uleb128(at, end, &packed) || packed > (uint64_t)(end - *at)) {
            return FALSE;
        }
        if (!af_array_append(&p->pieces,
                             &(piece){.packed = *at,
                                      .packed_length = (size_t)packed,
                                      .to = p->bytes + done,
                                      .length = MIN(p->length - done, AF_AFLP_PIECE)})) {
            return FALSE;
        }
        *at += packed;
    }
    return TRUE;
}

static void unpack_piece(void *user, unsigned number)
{
    payload *p = user;
    const piece *next = &AF_ARRAY_AT(&p->pieces, piece, number);
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    if (unpacker == NULL) {
        g_atomic_int_inc(&p->n_refused);
        return;
    }
    if (libdeflate_zlib_decompress(unpacker, next->packed, next->packed_length, next->to,
                                   next->length, NULL) != LIBDEFLATE_SUCCESS) {
        g_atomic_int_inc(&p->n_damaged);
    }
    libdeflate_free_decompressor(unpacker);
}

/* Reads the head of the file after its magic and moves *at past it. */
static gboolean read_head(const uint8_t **at, const uint8_t *end, uint64_t *length, GError **error)
{
    if (*at == end) {
        return refuse("it is truncated", error);
    }
    if (**at != AF_AFLP_VERSION) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED,
                    "saved profile of version %u; this aflame reads version %d", **at,
                    AF_AFLP_VERSION);
        return FALSE;
    }
    ++*at;
    if (!af_uleb128(at, end, length) || *length == 0 ||
        *length / MOST_RATIO > (uint64_t)(end - *at)) {
        return refuse("its length is invalid", error);
    }
    return TRUE;
}

/* Decompresses the payload and verifies its checksum. */
static gboolean unpack(payload *p, const uint8_t *at, const uint8_t *end, unsigned jobs,
                       GError **error)
{
    if (!list_pieces(p, &at, end)) {
        return p->pieces.failed ? af_memory_error_set(error) : refuse(NOT_UNPACKED, error);
    }
    af_workers_run((unsigned)p->pieces.n, jobs, unpack_piece, p);
    if (p->n_refused > 0) {
        return af_memory_error_set(error);
    }
    if (p->n_damaged > 0 || end - at < 4) {
        return refuse(NOT_UNPACKED, error);
    }
    if (af_load_u32(at) != libdeflate_crc32(0, p->bytes, p->length)) {
        return refuse("its checksum does not match", error);
    }
    return TRUE;
}

static gboolean read_profile(const uint8_t *bytes, size_t length, const af_open_options *options,
                             af_sink *sink, GError **error)
{
    const uint8_t *at = bytes + AF_AFLP_MAGIC_SIZE, *end = bytes + length;
    uint64_t plain;
    if (!read_head(&at, end, &plain, error)) {
        return FALSE;
    }
    if (!af_sink_fits(sink, plain)) {
        return af_memory_error_set(error); /* of the limit, which the caller explains */
    }
    payload p = {.bytes = af_pages_alloc(plain), .length = plain};
    if (p.bytes == NULL) {
        return af_memory_error_set(error);
    }
    af_sink_meter(sink)->bytes += plain;
    af_array_init_metered(&p.pieces, sizeof(piece), af_sink_meter(sink));
    const gboolean ok = unpack(&p, at, end, options->jobs, error) &&
                        (af_finished_read(sink, p.bytes, p.length, options) ||
                         (af_sink_has_failed(sink) || af_sink_is_full(sink)
                              ? af_memory_error_set(error)
                              : refuse("its content is invalid", error)));
    af_array_clear(&p.pieces);
    af_sink_meter(sink)->bytes -= plain;
    af_pages_free(p.bytes, plain);
    return ok;
}

/* The file of the next side. FALSE if it is not complete. */
static gboolean next_side(const uint8_t **at, const uint8_t *end, af_span *side)
{
    uint64_t length;
    if (!af_uleb128(at, end, &length) || length <= AF_AFLP_MAGIC_SIZE ||
        length > (uint64_t)(end - *at) || memcmp(*at, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE) != 0) {
        return FALSE;
    }
    *side = (af_span){(const char *)*at, (size_t)length};
    *at += length;
    return TRUE;
}

static gboolean read_side(const uint8_t *bytes, size_t length, const af_open_options *options,
                          af_sink *sink, GError **error)
{
    const uint8_t *at = bytes + AF_AFLP_MAGIC_SIZE + 1, *end = bytes + length;
    af_span before, after;
    if (!next_side(&at, end, &before) || !next_side(&at, end, &after)) {
        return refuse("it does not hold both sides of the comparison", error);
    }
    const gboolean first = options->side == AF_OPEN_ONLY_BEFORE;
    const af_span side = first ? before : after;
    if (!read_profile((const uint8_t *)side.bytes, side.length, options, sink, error)) {
        return FALSE;
    }
    af_finished_set_side(sink, first ? "before" : "after");
    if (options->side == AF_OPEN_AFTER_SIDE) {
        af_sink_warn(sink, AF_WARN_OTHER_SIDE, 1, AF_NO_OFFSET);
    }
    return TRUE;
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    return (source->length > AF_AFLP_MAGIC_SIZE &&
            source->bytes[AF_AFLP_MAGIC_SIZE] == AF_AFLP_COMPARISON)
               ? read_side(source->bytes, source->length, options, sink, error)
               : read_profile(source->bytes, source->length, options, sink, error);
}

const af_reader af_reader_aflp = {
    .name = "aflp",
    .title = "saved profile of aflame",
    .extensions = "aflp",
    .detect = detect,
    .read = read_input,
};
