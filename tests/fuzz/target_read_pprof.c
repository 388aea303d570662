/* Any bytes as a pprof profile. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_pprof.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_pprof, source, NULL);
    }
    return 0;
}
