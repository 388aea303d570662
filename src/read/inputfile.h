/* A regular file, read in blocks.
 *
 * The file is never mapped: a mapped file that shrinks ends the process with SIGBUS, and a library
 * cannot take that signal away from its host. A file that something writes to while it is read is
 * an error. */
#pragma once

#include <stdint.h>
#include <glib.h>

typedef struct {
    int fd; /* not closed */
    uint64_t length;
    int64_t written_s; /* the last write, and the ns of that second */
    long written_ns;
} af_inputfile;

/* FALSE if `fd` is not a regular file at its begin, or is empty: it is then read like a pipe. */
gboolean af_inputfile_open(af_inputfile *file, int fd);

/* The `n` bytes at `offset`, all of which lie within `length`. Several threads may read at once.
 * FALSE with AF_ERROR_DAMAGED if the file is shorter now, AF_ERROR_MISSING. */
gboolean af_inputfile_read(const af_inputfile *file, uint8_t *to, size_t n, uint64_t offset,
                           GError **error);

/* FALSE with AF_ERROR_DAMAGED if the length or the time of the last write differs from those at
 * the opening. */
gboolean af_inputfile_check(const af_inputfile *file, GError **error);
