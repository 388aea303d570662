/* Memory that is freed all at once.
 *
 * Blocks only grow and never move, so a pointer stays valid until the arena is freed. If the system
 * refuses memory, a request returns NULL and the arena records the failure: code that makes many
 * small requests may check af_arena_failed() once at the end. */
#pragma once

#include <glib.h>

typedef struct af_arena af_arena;

af_arena *af_arena_new(void);
void af_arena_free(af_arena *arena);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_arena, af_arena_free)
gboolean af_arena_failed(const af_arena *arena);

/* The number of bytes requested so far. */
size_t af_arena_size(const af_arena *arena);

/* Memory aligned for any type, not zeroed. */
void *af_arena_alloc(af_arena *arena, size_t size);

/* Copies `length` bytes and appends a zero byte. */
char *af_arena_copy(af_arena *arena, const char *bytes, size_t length);

/* Copies a text; NULL stays NULL. */
char *af_arena_text(af_arena *arena, const char *text);
char *af_arena_printf(af_arena *arena, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Grants the next `n` requests and refuses all later ones; for tests. */
void af_arena_fail_after(af_arena *arena, size_t n);
