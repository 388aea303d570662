/* V1 data that a text tool has changed: detection, and repair where possible.
 *
 * Data "fits" if its header is one that ART or Dalvik writes (version 1 to 3, records at 16, 18 or
 * 32, version 3 with 14 bytes per record) and its length is a whole number of records. */
#pragma once

#include <stdint.h>
#include <glib.h>

#include "base/spool.h"

gboolean af_mend_fits(const uint8_t *bytes, size_t length);

/* Returns TRUE if more than 5 % of the bytes belong to the replacement character EF BF BD: the
 * original bytes are lost. */
gboolean af_mend_is_lossy(const uint8_t *bytes, size_t length);

/* The first half of that test, for callers that read every byte anyway: counts the bytes that may
 * start such a character, and returns whether that many in `length` bytes require the full test. */
size_t af_mend_count_suspects(const uint8_t *bytes, size_t length);
gboolean af_mend_is_suspect(size_t suspects, size_t length);

/* The state of the same test for bytes that arrive in pieces. Initialise to zero. */
typedef struct {
    uint64_t length, replaced; /* bytes, and replacement characters among them */
    unsigned matched;          /* bytes of a replacement character at the end of the last piece */
} af_mend_count;

void af_mend_count_add(af_mend_count *count, const uint8_t *bytes, size_t length);

static inline gboolean af_mend_count_is_lossy(const af_mend_count *count)
{
    return count->replaced > count->length / 60;
}

/* The first byte that is not ASCII; `end` if all are. */
const uint8_t *af_mend_skip_ascii(const uint8_t *at, const uint8_t *end);

/* Whether the bytes from *at on show that the data is not a text that was converted from
 * Windows-1252 to UTF-8. Otherwise moves *at past them, but not past a character that `more` bytes may
 * complete. */
gboolean af_mend_is_binary(const uint8_t **at, const uint8_t *end, gboolean more);

/* Stores the repaired data in *mended, or NULL if the data needs no change; the caller frees it.
 * Returns FALSE with AF_ERROR_MEMORY.
 * Turns CR LF back into LF if the data fits afterwards, and either did not fit before or has no LF
 * without CR. */
gboolean af_mend_crlf(const uint8_t *bytes, size_t length, af_spool **mended, GError **error);

/* Reverses the conversion of data that was read as Windows-1252 and saved as UTF-8, if the data
 * fits afterwards and did not before. */
gboolean af_mend_1252(const uint8_t *bytes, size_t length, af_spool **mended, GError **error);

/* The message for lossy data. */
#define AF_LOSSY_MESSAGE                                                                           \
    "a text editor or a copy in text mode has damaged this file beyond repair; pull it again in "  \
    "binary mode (adb pull; git attribute \"*.trace binary\")"
