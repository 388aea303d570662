/* Any bytes as the payload of a saved profile: packed with a matching checksum, so that the
 * sections are read. */
#include <libdeflate.h>
#include <string.h>

#include "base/aflp.h"
#include "base/bytes.h"
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0 || size > AF_AFLP_PIECE) {
        return 0;
    }
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    const size_t bound = libdeflate_zlib_compress_bound(compressor, size);
    g_autofree uint8_t *packed = g_malloc(bound);
    const size_t n = libdeflate_zlib_compress(compressor, bytes, size, packed, bound);
    uint8_t number[2 * AF_ULEB128_MAX];
    g_autoptr(GByteArray) file = g_byte_array_new();
    const uint8_t version = AF_AFLP_VERSION;
    const uint32_t crc = GUINT32_TO_LE(libdeflate_crc32(0, bytes, size));
    g_byte_array_append(file, (const guint8 *)AF_AFLP_MAGIC, AF_AFLP_MAGIC_SIZE);
    g_byte_array_append(file, &version, 1);
    g_byte_array_append(file, number,
                        (guint)(af_uleb128_put(af_uleb128_put(number, size), n) - number));
    g_byte_array_append(file, packed, (guint)n);
    g_byte_array_append(file, (const guint8 *)&crc, sizeof crc);
    fuzz_read_saved((af_source){.bytes = file->data, .length = file->len});
    libdeflate_free_compressor(compressor);
    return 0;
}
