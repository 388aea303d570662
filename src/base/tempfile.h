/* Files without a name for what does not fit in memory: gone with the program however that ends. */
#ifndef AF_BASE_TEMPFILE_H
#define AF_BASE_TEMPFILE_H

#include <stdint.h>
#include <glib.h>

/* An open file in the folder for temporary files; -1 with errno if there can be none. The caller
 * closes it. */
int af_tempfile_open(void);

/* All `n` bytes, or FALSE with errno. */
gboolean af_tempfile_write(int fd, const uint8_t *bytes, size_t n, size_t at);

/* The `n` bytes at `at`, all of which were written. FALSE with errno. */
gboolean af_tempfile_read(int fd, uint8_t *bytes, size_t n, size_t at);

#endif
