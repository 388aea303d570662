/* Unpacking ahead: on a thread of its own, a few chunks before they are wanted, so that the next
 * bytes are unpacked while the last ones are read. What comes is the same as without it. */
#ifndef AF_READ_UNPACK_AHEAD_H
#define AF_READ_UNPACK_AHEAD_H

#include "read/unpack.h"

typedef struct af_unpack_ahead af_unpack_ahead;

/* NULL if no thread can be had. Until it is freed, `unpack` belongs to it. */
af_unpack_ahead *af_unpack_ahead_new(af_unpack *unpack);

/* `stop` ends waiting for input that does not come; it is the cancellable of the unpack. */
void af_unpack_ahead_free(af_unpack_ahead *ahead, GCancellable *stop);

/* The next bytes, lent until the next call; *n is 0 at the end. FALSE as af_unpack_take(). */
gboolean af_unpack_ahead_next(af_unpack_ahead *ahead, const uint8_t **bytes, size_t *n,
                              GError **error);

#endif
