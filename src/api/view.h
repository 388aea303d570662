/* Structures that the library fills in for callers who may know fewer of their fields. */
#pragma once

#include <string.h>
#include <glib.h>

/* Copies `full`, of `length` bytes, into the caller's `view` of `size` bytes. Both start with their
 * size; that of the view stays. */
static inline void af_view_fill(void *view, size_t size, const void *full, size_t length)
{
    const size_t head = sizeof(size_t), end = MIN(size, length);
    if (end > head) {
        memcpy((char *)view + head, (const char *)full + head, end - head);
    }
}
