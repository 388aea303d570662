/* Names for pictures: a bidi control, which is invisible and reorders the text around it, becomes
 * U+FFFD. Profiles keep such characters, because exports write names unchanged. */
#pragma once

#include "model/profile.h"

/* The text itself if it has no bidi control, otherwise a changed copy in the arena. NULL stays
 * NULL; refused memory marks the arena as failed. */
const char *af_visible_text(af_arena *arena, const char *text);

/* The position in af_visible_text() of the byte at `at`. */
size_t af_visible_offset(const char *text, size_t at);

/* Copies `n` structures of `size` bytes into the arena and makes their texts, which are at the offsets
 * `texts`, visible. NULL if memory is refused. */
void *af_visible_copy(af_arena *arena, const void *from, size_t n, size_t size, const size_t *texts,
                      size_t n_texts);

#define AF_VISIBLE_COPY(arena, from, n, texts)                                                     \
    af_visible_copy(arena, from, n, sizeof *(from), texts, G_N_ELEMENTS(texts))

/* Returns the profile itself if none of its names has a bidi control, otherwise a copy in the arena
 * that shares the trees. NULL if memory is refused. */
const af_profile *af_profile_visible(af_arena *arena, const af_profile *profile);
