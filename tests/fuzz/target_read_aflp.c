/* Any bytes as a saved profile. Its checksum stops nearly all of them; see target_saved.c. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_aflp.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read_saved(source);
    }
    return 0;
}
