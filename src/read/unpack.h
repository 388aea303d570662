/* The bytes of an input one after the other, unpacked: gzip is undone as often as it was done,
 * members one behind the other. What cannot be unpacked any more is left out. */
#ifndef AF_READ_UNPACK_H
#define AF_READ_UNPACK_H

#include <gio/gio.h>

#include "base/spool.h"

typedef struct af_unpack af_unpack;

/* Of a descriptor, which is not closed, or of bytes, which are lent. What is read from the
 * descriptor is also added to `aside` if there is one. `cancel` may be NULL; it ends also the
 * waiting for a pipe into which nobody writes. */
af_unpack *af_unpack_new_fd(int fd, af_spool *aside, GCancellable *cancel);
af_unpack *af_unpack_new_bytes(const uint8_t *bytes, size_t length, GCancellable *cancel);
void af_unpack_free(af_unpack *unpack);

/* Puts the next bytes to `to`, as many as there is room for unless the input ends. Returns how
 * many, -1 with AF_ERROR_MISSING, _DAMAGED (gzip of which nothing unpacks), _UNRECOGNISED (gzip
 * in gzip without end), _MEMORY or _CANCELLED. */
gssize af_unpack_take(af_unpack *unpack, uint8_t *to, size_t room, GError **error);

/* After the end: gzip data was cut or damaged. */
gboolean af_unpack_is_cut(const af_unpack *unpack);

/* How many bytes were read so far, and how many there are; 0 = not known. Another thread may ask
 * while this one takes. */
guint64 af_unpack_done(const af_unpack *unpack);
guint64 af_unpack_total(const af_unpack *unpack);

/* Whether bytes begin like gzip. */
static inline gboolean af_is_gzip(const uint8_t *bytes, size_t length)
{
    return length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

#endif
