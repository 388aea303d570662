/* Orders for qsort() and g_array_sort(), ascending. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline int af_order_u32(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static inline int af_order_u64(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Of arrays of pointers to text. */
static inline int af_order_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
