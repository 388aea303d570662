/* Unnamed files for data that does not fit in memory; they disappear with the program however that
 * ends. */
#pragma once

#include <stdint.h>
#include <glib.h>

/* Creates a file in the folder for temporary files and opens it; -1 with errno on failure. The
 * caller closes it. */
int af_tempfile_open(void);

/* Writes all `n` bytes. FALSE with errno on failure. */
gboolean af_tempfile_write(int fd, const uint8_t *bytes, size_t n, size_t at);

/* Reads the `n` bytes at `at`, all of which must have been written. FALSE with errno. */
gboolean af_tempfile_read(int fd, uint8_t *bytes, size_t n, size_t at);
