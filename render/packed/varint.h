/* Numbers of any size in as few bytes as they need: ULEB128, seven bits a byte, low ones first. */
#ifndef AF_RENDER_PACKED_VARINT_H
#define AF_RENDER_PACKED_VARINT_H

#include <stdint.h>

/* The longest number. */
#define AF_VARINT_MAX 10

/* Returns where it ends. */
static inline uint8_t *af_varint_put(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        *at++ = (uint8_t)(value | 0x80);
    }
    *at++ = (uint8_t)value;
    return at;
}

#endif
