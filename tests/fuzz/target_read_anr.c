/* Any bytes as an ANR report. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    fuzz_read(&af_reader_anr, source, NULL);
    return 0;
}
