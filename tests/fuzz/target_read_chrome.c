/* Any bytes as trace events in JSON. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_chrome.detect(bytes, size, FALSE, NULL) > 0) {
        fuzz_read(&af_reader_chrome, source, NULL);
    }
    return 0;
}
