/* Any bytes as a dump of long-running methods, or a report with one. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_longrunning.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_longrunning, source, NULL);
    }
    return 0;
}
