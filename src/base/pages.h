/* Large blocks of memory straight from the system, for arrays that grow to many megabytes.
 *
 * They come zeroed, grow without being copied, and are taken in large pages where the system has
 * them: a big tree would otherwise spend a fifth of its time on page faults. */
#ifndef AF_BASE_PAGES_H
#define AF_BASE_PAGES_H

#include <glib.h>

/* NULL if the machine refuses the memory. */
void *af_pages_alloc(size_t size);

/* The block made larger; what is new is zero. NULL if refused: the old block is then unchanged.
 * `pages` may be NULL with `size` 0. */
void *af_pages_grow(void *pages, size_t size, size_t larger);

void af_pages_free(void *pages, size_t size);

#endif
