/* Saved profiles, see base/aflp.h. A damaged one is rejected: half of a profile would have wrong
 * totals. */
#include <libdeflate.h>
#include <string.h>

#include "base/memory_error.h"
#include "read/aflp/aflp.h"
#include "read/reader.h"

/* zlib reaches no higher ratio. */
#define MOST_RATIO 1032u

static int detect(const uint8_t *head, size_t length, gboolean more, gboolean named)
{
    (void)named;
    (void)more;
    return length >= AF_AFLP_MAGIC_SIZE && memcmp(head, AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE) == 0
               ? AF_SURE
               : 0;
}

static gboolean refuse(const char *why, GError **error)
{
    g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED, "the saved profile is damaged: %s", why);
    return FALSE;
}

/* Decompresses the pieces at *at into `payload`, which then has its full length. */
static gboolean unpack_pieces(const uint8_t **at, const uint8_t *end, uint64_t length,
                              af_array *payload, struct libdeflate_decompressor *unpacker)
{
    while (payload->n < length) {
        const size_t n = (size_t)MIN(length - payload->n, AF_AFLP_PIECE);
        uint64_t packed;
        if (!af_uleb128(at, end, &packed) || packed > (uint64_t)(end - *at)) {
            return FALSE;
        }
        uint8_t *to = af_array_add(payload, n);
        if (to == NULL ||
            libdeflate_zlib_decompress(unpacker, *at, packed, to, n, NULL) != LIBDEFLATE_SUCCESS) {
            return FALSE;
        }
        *at += packed;
    }
    return TRUE;
}

/* Decompresses the payload and verifies its checksum. */
static gboolean unpack(const uint8_t *bytes, size_t length, af_array *payload, af_sink *sink,
                       GError **error)
{
    const uint8_t *at = bytes + AF_AFLP_MAGIC_SIZE, *end = bytes + length;
    uint64_t plain;
    if (at == end) {
        return refuse("it is truncated", error);
    }
    if (*at != AF_AFLP_VERSION) {
        g_set_error(error, AF_ERROR, AF_ERROR_DAMAGED,
                    "saved profile of version %u; this aflame reads version %d", *at,
                    AF_AFLP_VERSION);
        return FALSE;
    }
    at++;
    if (!af_uleb128(&at, end, &plain) || plain == 0 || plain / MOST_RATIO > (uint64_t)(end - at)) {
        return refuse("its length is invalid", error);
    }
    if (!af_sink_fits(sink, plain)) {
        return af_memory_error_set(error); /* of the limit, which the caller explains */
    }
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    const gboolean ok = unpacker != NULL && unpack_pieces(&at, end, plain, payload, unpacker);
    const gboolean refused = unpacker == NULL || payload->failed;
    if (unpacker != NULL) {
        libdeflate_free_decompressor(unpacker);
    }
    if (refused) {
        return af_memory_error_set(error);
    }
    if (!ok || end - at < 4) {
        return refuse("part of it cannot be decompressed", error);
    }
    if (af_load_u32(at) != libdeflate_crc32(0, payload->items, payload->n)) {
        return refuse("its checksum does not match", error);
    }
    return TRUE;
}

static gboolean read_profile(const uint8_t *bytes, size_t length, af_sink *sink, GError **error)
{
    af_array payload;
    af_array_init_metered(&payload, 1, af_sink_meter(sink));
    gboolean ok = unpack(bytes, length, &payload, sink, error);
    if (ok && !af_aflp_read_sections(payload.items, payload.n, sink)) {
        ok = af_sink_has_failed(sink) || af_sink_is_full(sink)
                 ? af_memory_error_set(error)
                 : refuse("its content is invalid", error);
    }
    af_array_clear(&payload);
    return ok;
}

/* ---- comparisons ---- */

static gboolean is_comparison(const uint8_t *bytes, size_t length)
{
    return length > AF_AFLP_MAGIC_SIZE && bytes[AF_AFLP_MAGIC_SIZE] == AF_AFLP_COMPARISON;
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

static gboolean read_side(const uint8_t *bytes, size_t length, af_open_side wanted, af_sink *sink,
                          GError **error)
{
    const uint8_t *at = bytes + AF_AFLP_MAGIC_SIZE + 1, *end = bytes + length;
    af_span before, after;
    if (!next_side(&at, end, &before) || !next_side(&at, end, &after)) {
        return refuse("it does not hold both sides of the comparison", error);
    }
    const gboolean first = wanted == AF_OPEN_ONLY_BEFORE;
    const af_span side = first ? before : after;
    if (!read_profile((const uint8_t *)side.bytes, side.length, sink, error)) {
        return FALSE;
    }
    af_finished_set_side(sink, first ? "before" : "after");
    if (wanted == AF_OPEN_AFTER_SIDE) {
        af_sink_warn(sink, AF_WARN_OTHER_SIDE, 1, AF_NO_OFFSET);
    }
    return TRUE;
}

static gboolean read_input(af_source *source, af_source *other, const af_open_options *options,
                           af_sink *sink, GError **error)
{
    (void)other;
    if (!af_source_reach_end(source, error)) {
        return FALSE;
    }
    return is_comparison(source->bytes, source->length)
               ? read_side(source->bytes, source->length, options->side, sink, error)
               : read_profile(source->bytes, source->length, sink, error);
}

const af_reader af_reader_aflp = {
    .name = "aflp",
    .title = "saved profile of aflame",
    .extensions = "aflp",
    .detect = detect,
    .read = read_input,
};
