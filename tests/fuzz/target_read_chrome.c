/* Any bytes as trace events in JSON. */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_chrome.detect(bytes, size, FALSE, FALSE) > 0) {
        af_open_options options = AF_OPEN_OPTIONS_INIT;
        fuzz_read_with(&af_reader_chrome, source, NULL, &options);
        options.ignore_other_ends = options.overlap_tracks = TRUE;
        fuzz_read_with(&af_reader_chrome, source, NULL, &options);
    }
    return 0;
}
