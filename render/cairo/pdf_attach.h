/* A file attached to a finished PDF document.
 *
 * cairo cannot attach files. The attachment follows its last byte as an incremental update (ISO
 * 32000-1, 7.5.6): the file, its description, and the name dictionary or catalogue that lists
 * it. */
#pragma once

#include "base/out.h"

typedef struct {
    const char *name; /* ASCII, without parentheses and backslashes */
    const char *description;
    const void *bytes;
    size_t length;
} af_pdf_file;

/* Writes the bytes to append to `pdf`, a document of `length` bytes that cairo wrote with a
 * cross-reference table. FALSE if `pdf` is not such a document. */
gboolean af_pdf_attach(af_out *out, const uint8_t *pdf, size_t length, const af_pdf_file *file);
