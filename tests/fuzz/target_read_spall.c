/* Any bytes as a Spall file. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_spall.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_spall, source, NULL);
    }
    return 0;
}
