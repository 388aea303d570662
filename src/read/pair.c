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

gboolean af_pair_is_data(const af_source *source)
{
    if (source->length < 6 || memcmp(source->bytes, "SLOW", 4) != 0) {
        return FALSE;
    }
    const unsigned version = af_load_u16(source->bytes + 4);
    return version >= 1 && version <= 3;
}
