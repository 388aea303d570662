#include "base/bytes.h"

/* `bits` receives the number of value bits read. */
static gboolean take_groups(const uint8_t **at, const uint8_t *end, uint64_t *value, unsigned *bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < AF_ULEB128_MAX && *at + i < end; i++) {
        uint8_t byte = (*at)[i];
        v |= (uint64_t)(byte & 0x7F) << (7 * i);
        if ((byte & 0x80) == 0) {
            *at += i + 1;
            *value = v;
            *bits = 7 * (i + 1);
            return TRUE;
        }
    }
    return FALSE;
}

gboolean af_uleb128(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    unsigned bits;
    return take_groups(at, end, value, &bits);
}

gboolean af_sleb128(const uint8_t **at, const uint8_t *end, int64_t *value)
{
    uint64_t v;
    unsigned bits;
    if (!take_groups(at, end, &v, &bits)) {
        return FALSE;
    }
    if (bits < 64 && (v >> (bits - 1) & 1) != 0) {
        v |= ~UINT64_C(0) << bits;
    }
    *value = (int64_t)v;
    return TRUE;
}
