/* Large blocks of memory straight from the system, for arrays that grow to many megabytes.
 *
 * They are zeroed, grow without being copied, and use large pages if the system has them: otherwise
 * a big tree would spend a fifth of its time on page faults. */
#pragma once

#include <glib.h>

/* The system maps and frees a large page as a whole. */
#define AF_LARGE_PAGE ((size_t)2 * 1024 * 1024)

/* NULL if memory is refused. */
void *af_pages_alloc(size_t size);

/* Enlarges the block; the new part is zeroed. NULL if refused: the old block is then unchanged.
 * `pages` may be NULL with `size` 0. */
void *af_pages_grow(void *pages, size_t size, size_t larger);

/* Frees the memory of the first `done` bytes of the block, `before` of which were freed already;
 * the caller must not access them any more. Frees whole large pages only, so the last bytes may
 * stay. */
void af_pages_drop(void *pages, size_t before, size_t done);

/* Drops the whole pages between the two addresses from memory. Pages of a file are read again on
 * the next access. */
void af_pages_forget(const void *from, const void *to);

void af_pages_free(void *pages, size_t size);
