/* Any bytes as a V1 file; if they contain text and records, also as the two halves of a pair. */
#include <string.h>

#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_v1.detect(bytes, size, FALSE, FALSE) == 0) {
        return 0;
    }
    fuzz_read(&af_reader_v1, source, NULL);
    const uint8_t *magic = memmem(bytes, size, "SLOW", 4);
    if (magic != NULL) {
        const size_t length = (size_t)(magic - bytes);
        const af_source text = {.bytes = bytes, .length = length};
        const af_source data = {.bytes = magic, .length = size - length};
        if (af_reader_v1.detect(text.bytes, text.length, FALSE, FALSE) > 0) {
            fuzz_read(&af_reader_v1, text, &data);
        }
        if (af_reader_v1.detect(data.bytes, data.length, FALSE, FALSE) > 0) {
            fuzz_read(&af_reader_v1, data, &text);
        }
    }
    return 0;
}
