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

/* The same for a block that will be used everywhere, in no order: all of what is new is there at
 * once. A page that is read before it is written costs two faults, and the second one interrupts
 * every core that this program works on. */
void *af_pages_grow_touched(void *pages, size_t size, size_t larger);

/* Gives back the memory of the first `done` bytes of the block, of which `before` were given back
 * already; they must not be looked at any more. Whole large pages only, so the end may stay. */
void af_pages_drop(void *pages, size_t before, size_t done);

/* Whole pages between the two take no memory any more. Those of a file come from it again if
 * somebody looks at them. */
void af_pages_forget(const void *from, const void *to);

void af_pages_free(void *pages, size_t size);

#endif
