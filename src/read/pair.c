#include "read/pair.h"

#include <string.h>

#include "base/bytes.h"

gboolean af_pair_is_key(af_source *source)
{
    if (source->length < 9 || memcmp(source->bytes, "*version", 8) != 0) {
        return FALSE;
    }
    while (!(memmem(source->bytes, source->length, "\n*end\nSLOW", 10) != NULL ||
             memmem(source->bytes, source->length, "\n*end\r\nSLOW", 11) != NULL)) {
        if (!source->more) {
            return TRUE;
        }
        /* keep the last bytes: the marker may continue in the next block */
        af_source_skip(source, source->length - 16);
        if (!af_source_reach(source, af_source_default_window(source), NULL)) {
            return FALSE;
        }
    }
    return FALSE;
}

gboolean af_pair_is_data(const uint8_t *head, size_t length)
{
    return length >= 6 && memcmp(head, "SLOW", 4) == 0 && af_load_u16(head + 4) >= 1 &&
           af_load_u16(head + 4) <= 3;
}
