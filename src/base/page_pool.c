#include "base/page_pool.h"

#include <stdint.h>

#include "base/pages.h"

/* Blocks share no line of the cache. */
#define ALIGNMENT ((size_t)64)

struct af_page_pool {
    gint refs; /* atomic */
    uint8_t *bytes;
    size_t size;
    gsize used; /* atomic */
};

size_t af_page_pool_round(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

af_page_pool *af_page_pool_new(size_t size)
{
#ifdef AF_SMALL_BLOCKS
    /* the fuzz targets: the sanitizer knows the ends of other blocks */
    return NULL;
#endif
    void *bytes = size < AF_LARGE_PAGE_WORTH ? NULL : af_pages_alloc(MAX(size, AF_LARGE_PAGE));
    if (bytes == NULL) {
        return NULL;
    }
    af_page_pool *pool = g_new0(af_page_pool, 1);
    *pool = (af_page_pool){.refs = 1, .bytes = bytes, .size = MAX(size, AF_LARGE_PAGE)};
    return pool;
}

void *af_page_pool_take(af_page_pool *pool, size_t size)
{
    const size_t rounded = af_page_pool_round(size);
    const size_t begin = (size_t)g_atomic_pointer_add(&pool->used, (gssize)rounded);
    if (size > pool->size || begin > pool->size - size) {
        return NULL;
    }
    g_atomic_int_inc(&pool->refs);
    return pool->bytes + begin;
}

void af_page_pool_unref(af_page_pool *pool)
{
    if (pool != NULL && g_atomic_int_dec_and_test(&pool->refs)) {
        af_pages_free(pool->bytes, pool->size);
        g_free(pool);
    }
}
