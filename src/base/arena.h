/* Memory that is given back all at once.
 *
 * Blocks only grow and are never moved, so a pointer stays good until the arena is freed. A
 * request that the machine refuses returns NULL and the arena remembers it: code that makes many
 * small requests may look at af_arena_failed() once at the end. */
#ifndef AF_BASE_ARENA_H
#define AF_BASE_ARENA_H

#include <glib.h>

typedef struct af_arena af_arena;

af_arena *af_arena_new(void);
void af_arena_free(af_arena *arena);
gboolean af_arena_failed(const af_arena *arena);

/* The bytes that were asked for so far. */
size_t af_arena_size(const af_arena *arena);

/* Bytes for any type, not cleared. */
void *af_arena_alloc(af_arena *arena, size_t size);

/* A copy of `length` bytes with a zero byte behind. */
char *af_arena_copy(af_arena *arena, const char *bytes, size_t length);

/* Lets the next `n` requests through and refuses all after them; for tests. */
void af_arena_fail_after(af_arena *arena, size_t n);

#endif
