/* The bytes of an input in order, decompressed: gzip and zstd are undone in any number of layers,
 * with any number of consecutive members. Data that cannot be decompressed is dropped. */
#pragma once

#include <aflame/cancel.h>
#include "base/spool.h"
#include "read/archive.h"
#include "read/inputfile.h"

typedef struct af_unpack af_unpack;

/* The input: the chosen entries of an archive, bytes, a file, or a descriptor, which stays open. All
 * are borrowed. Bytes read from the descriptor are also added to `copy`, which may be
 * NULL; if they become too many for it, it is emptied, *lost becomes TRUE, and reading goes on. */
typedef struct {
    af_archive *archive;
    const uint8_t *bytes;
    size_t length; /* of the bytes */
    const af_inputfile *file;
    gboolean plain; /* not compressed: only the bytes that are asked for are read */
    int fd;
    af_spool *copy;
    gint *lost;
} af_unpack_input;

/* `cancel` may be NULL; it also interrupts waiting for a pipe. */
af_unpack *af_unpack_new(const af_unpack_input *input, af_cancel *cancel);
void af_unpack_free(af_unpack *unpack);

/* Reads the next bytes into `to`: fills it unless the input ends. Returns the number of bytes, or
 * -1 with AF_ERROR_MISSING, _DAMAGED (compressed data that yields no bytes, or a file that
 * changed), _UNRECOGNISED (too many layers), _MEMORY or _CANCELLED. */
gssize af_unpack_take(af_unpack *unpack, uint8_t *to, size_t capacity, GError **error);

/* After the end: whether compressed data was truncated or damaged. */
gboolean af_unpack_is_truncated(const af_unpack *unpack);

/* The bytes read so far, and the total; 0 = unknown. Another thread may call it during
 * af_unpack_take(). */
guint64 af_unpack_done(const af_unpack *unpack);
guint64 af_unpack_total(const af_unpack *unpack);

/* Whether the bytes start like gzip. */
static inline gboolean af_is_gzip(const uint8_t *bytes, size_t length)
{
    return length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

/* Whether the bytes start like zstd. */
#define AF_ZSTD_MAGIC 4
static inline gboolean af_is_zstd(const uint8_t *bytes, size_t length)
{
    return length >= AF_ZSTD_MAGIC && bytes[0] == 0x28 && bytes[1] == 0xB5 && bytes[2] == 0x2F &&
           bytes[3] == 0xFD;
}
