/* Any bytes as a V2 file. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_v2.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_v2, source, NULL);
    }
    return 0;
}
