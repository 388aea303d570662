/* A queue of bytes: appended at the end, dropped from the front.
 *
 * Small amounts are held in memory, larger ones in an unnamed temporary file that is mapped: its
 * pages are not memory of the program, and it disappears with the program however that ends. If
 * such a file cannot be created or its disk is full, the spool holds somewhat more in memory
 * instead. Dropped bytes take up space in a file until the rest is short enough for memory.
 *
 * `bytes` and `length` are the current content; any call may move `bytes`. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct {
    const uint8_t *bytes;
    size_t length;
    struct af_spool_inside *inside;
} af_spool;

/* Limits: bytes in memory, bytes in a file, and bytes in memory if no file can be created. */
typedef struct {
    size_t held, filed, held_without_file;
} af_spool_limits;

#define AF_SPOOL_MOST_HELD ((size_t)24 * 1024 * 1024)
extern const af_spool_limits af_spool_default_limits;

/* `limits` = NULL uses the defaults. */
af_spool *af_spool_new(const af_spool_limits *limits);
void af_spool_free(af_spool *spool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(af_spool, af_spool_free)

/* Appends `n` bytes. FALSE with AF_ERROR_MEMORY, and nothing added, if there is no space. */
gboolean af_spool_add(af_spool *spool, const uint8_t *bytes, size_t n, GError **error);

/* Returns the position of the next `n` bytes, for a caller that writes them there and then calls
 * af_spool_commit(). NULL if they would not be held in memory: use af_spool_add() then. */
uint8_t *af_spool_reserve(af_spool *spool, size_t n);
void af_spool_commit(af_spool *spool, size_t n);

/* Drops the first `n` bytes; `n` is at most `length`. */
void af_spool_drop(af_spool *spool, size_t n);

/* Frees the memory of the first `n` bytes, in steps of some megabytes. The spool keeps its length,
 * and the other bytes stay where they are; the freed ones must not be read again. */
void af_spool_release(af_spool *spool, size_t n);

/* Whether the bytes are in a file now. */
gboolean af_spool_is_filed(const af_spool *spool);
