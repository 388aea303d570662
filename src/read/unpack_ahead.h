/* Decompresses ahead: a separate thread works a few chunks in advance, while the current bytes are
 * read. The result is the same as without it. */
#pragma once

#include "read/unpack.h"

typedef struct af_unpack_ahead af_unpack_ahead;

/* Returns NULL if no thread can be started. Owns `unpack` until it is freed. */
af_unpack_ahead *af_unpack_ahead_new(af_unpack *unpack);

/* `stop` interrupts waiting for input; it is the cancellable of the unpack. */
void af_unpack_ahead_free(af_unpack_ahead *ahead, af_cancel *stop);

/* Returns the next bytes, borrowed until the next call; *n is 0 at the end. Returns FALSE as
 * af_unpack_take(). */
gboolean af_unpack_ahead_next(af_unpack_ahead *ahead, const uint8_t **bytes, size_t *n,
                              GError **error);
