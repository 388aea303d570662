/* Memory for several blocks with similar lifetimes, such as the trees of a profile.
 *
 * They share one mapping that is aligned to large pages: mapping a large page takes a fifth of the
 * time of the small pages in it. The memory is freed with the last block. */
#pragma once

#include <glib.h>

typedef struct af_page_pool af_page_pool;

/* Returns NULL if memory is refused, or if `size` is too small for large pages. */
af_page_pool *af_page_pool_new(size_t size);

/* Returns a block with all bytes zero, aligned to 64 bytes, that af_page_pool_unref() frees; NULL
 * if the rest of the pool is too small. The caller holds a reference meanwhile. In any thread. */
void *af_page_pool_take(af_page_pool *pool, size_t size);

/* The part of a pool that a block of `size` takes. */
size_t af_page_pool_round(size_t size);

/* Drops the reference of the creator or of a block. In any thread. NULL is allowed. */
void af_page_pool_unref(af_page_pool *pool);
