/* Blobs as files of one folder, or in memory.
 *
 * A blob gets its name when it is complete and on the disk. */
#pragma once

#include <unistd.h>
#include "serve/store.h"

typedef struct af_blobs af_blobs;

/* `folder` exists; NULL = in memory. NULL with AF_STORE_BROKEN. */
af_blobs *af_blobs_open(const char *folder, GError **error);
void af_blobs_free(af_blobs *blobs);

/* A new file without a name; -1 with an error. */
int af_blobs_begin(af_blobs *blobs, GError **error);

/* Makes the file the blob of a trace, durably. Does not close it. */
gboolean af_blobs_name(af_blobs *blobs, const char *id, af_blob blob, int fd, GError **error);

/* Makes the names that were given durable. */
gboolean af_blobs_sync(af_blobs *blobs, GError **error);

int af_blobs_get(af_blobs *blobs, const char *id, af_blob blob, GError **error);
void af_blobs_remove(af_blobs *blobs, const char *id, af_blob blob);

/* The bytes of all blobs of a trace. */
uint64_t af_blobs_size(af_blobs *blobs, const char *id);

/* Checks whether the trace `id` has a blob. FALSE with an error if it cannot tell. */
typedef gboolean (*af_blobs_owns)(void *user, const char *id, af_blob blob, gboolean *owned,
                                  GError **error);

/* Checks all files and, with `remove`, removes those that belong to no trace. Stops at an error of
 * `owns`. */
gboolean af_blobs_repair(af_blobs *blobs, af_blobs_owns owns, void *user, gboolean remove,
                         GError **error);

/* The IDs of all uploads and profiles. Free with g_ptr_array_unref(). */
GPtrArray *af_blobs_list(af_blobs *blobs);

/* Renames the blobs of an ID: the server ignores the new names. */
void af_blobs_set_aside(af_blobs *blobs, const char *id);

/* `fd` = -1: does nothing. */
static inline void af_blobs_close(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

/* Appends to a file; an error begins with `what`. */
gboolean af_blobs_write(int fd, const char *bytes, size_t length, const char *what, GError **error);

/* Adds all bytes of a file to checksums; `md5` may be NULL. Returns how many could be read. */
uint64_t af_blobs_hash(int fd, GChecksum *sha256, GChecksum *md5);

/* Sets an error from errno: AF_STORE_FULL or _BROKEN. Returns FALSE. */
gboolean af_blobs_fail(GError **error, const char *what);
