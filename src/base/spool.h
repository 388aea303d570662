/* Bytes that are put aside, one behind the other, and given up from the front.
 *
 * A few are held in memory, many in a temporary file that has no name and is mapped: what lies in
 * it is no memory of the program, and it is gone with the program however that ends. Where no such
 * file can be made or its disk is full, some more is held in memory instead.
 *
 * `bytes` and `length` are what is there; `bytes` may move with every call. */
#ifndef AF_BASE_SPOOL_H
#define AF_BASE_SPOOL_H

#include <stdint.h>
#include <glib.h>

typedef struct {
    const uint8_t *bytes;
    size_t length;
    struct af_spool_inside *inside;
} af_spool;

/* How much is held in memory, how much in a file, and how much in memory if there is no file. */
typedef struct {
    size_t held, filed, held_without_file;
} af_spool_limits;

/* The usual limits are taken if `limits` is NULL. */
af_spool *af_spool_new(const af_spool_limits *limits);
void af_spool_free(af_spool *spool);

/* Puts `n` bytes behind the others. FALSE with AF_ERROR_MEMORY if there is no room for them;
 * nothing is added then. */
gboolean af_spool_add(af_spool *spool, const uint8_t *bytes, size_t n, GError **error);

/* Where the next `n` bytes belong, for a caller that fills them in and then adds them with
 * af_spool_commit(). NULL if they would not be held in memory: then they can only be added. */
uint8_t *af_spool_reserve(af_spool *spool, size_t n);
void af_spool_commit(af_spool *spool, size_t n);

/* Gives up the first `n` bytes, of those that there are. */
void af_spool_drop(af_spool *spool, size_t n);

/* Whether the bytes lie in a file now. */
gboolean af_spool_is_filed(const af_spool *spool);

#endif
