/* The order of threads by a time. */
#pragma once

#include <stdint.h>

typedef struct {
    uint32_t thread; /* index */
    uint64_t time_ns;
} af_thread_rank;

/* For qsort(): the most time first, then by index. */
static inline int af_thread_rank_compare(const void *a, const void *b)
{
    const af_thread_rank *x = a, *y = b;
    if (x->time_ns != y->time_ns) {
        return x->time_ns > y->time_ns ? -1 : 1;
    }
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}
