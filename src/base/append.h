/* Appends bytes to an array of bytes. A failure sticks, see array.h. */
#pragma once

#include <string.h>

#include "base/array.h"
#include "base/bytes.h"

static inline void af_append_bytes(af_array *to, const void *bytes, size_t n)
{
    void *at = n > 0 ? af_array_add(to, n) : NULL;
    if (at != NULL) {
        memcpy(at, bytes, n);
    }
}

static inline void af_append_uleb128(af_array *to, uint64_t value)
{
    uint8_t number[AF_ULEB128_MAX];
    af_append_bytes(to, number, (size_t)(af_uleb128_put(number, value) - number));
}
