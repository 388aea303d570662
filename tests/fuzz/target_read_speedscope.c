/* Any bytes as a file in speedscope's own format. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_speedscope.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_speedscope, source, NULL);
    }
    return 0;
}
