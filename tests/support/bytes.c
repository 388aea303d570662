#include "recording.h"

#include <string.h>

void bytes_le(GByteArray *bytes, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        const guint8 byte = i < 8 ? (guint8)(value >> (8 * i)) : 0;
        g_byte_array_append(bytes, &byte, 1);
    }
}

void bytes_zero(GByteArray *bytes, gsize length)
{
    const guint8 zero = 0;
    for (gsize i = 0; i < length; i++) {
        g_byte_array_append(bytes, &zero, 1);
    }
}

void bytes_uleb(GByteArray *bytes, uint64_t value)
{
    do {
        const guint8 low = value & 0x7f;
        value >>= 7;
        const guint8 byte = value != 0 ? low | 0x80 : low;
        g_byte_array_append(bytes, &byte, 1);
    } while (value != 0);
}

void bytes_sleb(GByteArray *bytes, int64_t value)
{
    for (;;) {
        const guint8 low = (guint8)(value & 0x7f);
        value >>= 7;
        const gboolean last = (value == 0 && !(low & 0x40)) || (value == -1 && (low & 0x40));
        const guint8 byte = last ? low : low | 0x80;
        g_byte_array_append(bytes, &byte, 1);
        if (last) {
            return;
        }
    }
}

void bytes_double(GByteArray *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_le(bytes, bits, 8);
}

void bytes_string(GByteArray *bytes, const GString *string)
{
    g_byte_array_append(bytes, (const guint8 *)string->str, (guint)string->len);
}
