/* Any bytes as a systrace, and as lines of one. */
#include "reading.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char head[] = "# tracer: nop\n";
    const af_source source = {.bytes = bytes, .length = size};
    if (af_reader_systrace.detect(bytes, size, FALSE, FALSE) > 0) {
        fuzz_read(&af_reader_systrace, source, NULL);
        return 0;
    }
    uint8_t *text = malloc(sizeof head + size);
    if (text != NULL) {
        memcpy(text, head, sizeof head - 1);
        memcpy(text + sizeof head - 1, bytes, size);
        const af_source lines = {.bytes = text, .length = sizeof head - 1 + size};
        fuzz_read(&af_reader_systrace, lines, NULL);
    }
    free(text);
    return 0;
}
