#include "render/packed/deflater.h"
#include "base/bytes.h"

#include <libdeflate.h>
#include <string.h>

/* Most of a block are times, which hardly ever repeat: level 6 makes it 3 % smaller and takes twice
 * as long. */
enum { LEVEL = 1 };

#define LENGTH_SIZE 4u

struct af_deflater {
    uint8_t *plain;
    size_t length, capacity;
    uint8_t *packed; /* NULL until it is finished */
    size_t packed_length;
    gboolean failed;
};

af_deflater *af_deflater_new(void)
{
    return g_try_new0(af_deflater, 1);
}

void af_deflater_free(af_deflater *part)
{
    if (part) {
        g_free(part->plain);
        g_free(part->packed);
        g_free(part);
    }
}

uint8_t *af_deflater_reserve(af_deflater *part, size_t most)
{
    if (!part->failed && most > part->capacity - part->length) {
        const size_t capacity = MAX(part->length + most, 2 * part->capacity);
        uint8_t *plain = capacity < most ? NULL : g_try_realloc(part->plain, capacity);
        part->failed = !plain;
        part->plain = plain ? plain : part->plain;
        part->capacity = plain ? capacity : part->capacity;
    }
    return part->failed ? NULL : part->plain + part->length;
}

void af_deflater_commit(af_deflater *part, const uint8_t *end)
{
    part->length = (size_t)(end - part->plain);
}

void af_deflater_append(af_deflater *part, const void *bytes, size_t length)
{
    uint8_t *at = length > 0 ? af_deflater_reserve(part, length) : NULL;
    if (at) {
        memcpy(at, bytes, length);
        af_deflater_commit(part, at + length);
    }
}

void af_deflater_number(af_deflater *part, uint64_t number)
{
    uint8_t bytes[AF_ULEB128_MAX];
    af_deflater_append(part, bytes, (size_t)(af_uleb128_put(bytes, number) - bytes));
}

void af_deflater_string(af_deflater *part, const char *text, size_t length)
{
    af_deflater_number(part, length);
    af_deflater_append(part, text, length);
}

size_t af_deflater_finish(af_deflater *part)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    const size_t bound = compressor ? libdeflate_zlib_compress_bound(compressor, part->length) : 0;
    part->packed = part->failed || !compressor ? NULL : g_try_malloc(bound);
    if (part->packed) {
        part->packed_length =
            libdeflate_zlib_compress(compressor, part->plain ? part->plain : (const uint8_t *)"",
                                     part->length, part->packed, bound);
    }
    libdeflate_free_compressor(compressor);
    g_clear_pointer(&part->plain, g_free);
    part->failed |= part->packed_length == 0 || part->packed_length > UINT32_MAX;
    return part->failed ? 0 : LENGTH_SIZE + part->packed_length;
}

GBytes *af_deflater_join(af_deflater *const *parts, unsigned n, size_t *plain_length)
{
    size_t length = 0;
    *plain_length = 0;
    for (unsigned i = 0; i < n; i++) {
        if (parts[i]->failed) {
            return NULL;
        }
        length += LENGTH_SIZE + parts[i]->packed_length;
        *plain_length += parts[i]->length;
    }
    uint8_t *pieces = g_try_malloc(length), *at = pieces;
    for (unsigned i = 0; i < n && pieces; i++) {
        const guint32 piece = GUINT32_TO_LE((guint32)parts[i]->packed_length);
        memcpy(at, &piece, LENGTH_SIZE);
        memcpy(at + LENGTH_SIZE, parts[i]->packed, parts[i]->packed_length);
        at += LENGTH_SIZE + parts[i]->packed_length;
    }
    return pieces ? g_bytes_new_take(pieces, length) : NULL;
}
