/* Opens any bytes as a zip archive and as a compressed file. The chosen entry can be read to its
 * end, twice with the same result. */
#include "fuzz.h"
#include "read/archive.h"
#include "read/source.h"

/* Compressed bytes may unpack to a thousand times as many. */
#define MOST ((size_t)4 * 1024 * 1024)

static guint sum_source(af_source *source)
{
    guint sum = 5381;
    size_t n = 0;
    for (;;) {
        for (size_t i = 0; i < source->length; i++) {
            sum = sum * 33 + source->bytes[i];
        }
        n += source->length;
        af_source_skip(source, source->length);
        if (!source->more || n > MOST || !af_source_reach(source, 1, NULL)) {
            return sum;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    g_autoptr(GBytes) input = g_bytes_new(bytes, size);
    const af_source_needs needs = {.jobs = 1, .again = TRUE};
    g_autoptr(af_source) source = af_source_open_bytes(input, &needs, NULL);
    if (source != NULL && source->entries != NULL) {
        const guint sum = sum_source(source);
        FUZZ_CHECK(af_source_rewind(source, &needs, NULL));
        FUZZ_CHECK(sum_source(source) == sum);
    }
    return 0;
}
