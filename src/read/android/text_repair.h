/* V1 data that went through a text tool: told and put right where that is possible.
 *
 * Data "fits" if its header is one that is really written (version 1 to 3, records at 16, 18 or
 * 32, version 3 with 14 bytes a record) and its length is a whole number of records. */
#ifndef AF_READ_ANDROID_TEXT_REPAIR_H
#define AF_READ_ANDROID_TEXT_REPAIR_H

#include <stdint.h>
#include <glib.h>

#include "base/spool.h"

gboolean af_mend_fits(const uint8_t *bytes, size_t length);

/* More than 5 % of the bytes belong to the replacement character EF BF BD: what was there is
 * lost. */
gboolean af_mend_is_lossy(const uint8_t *bytes, size_t length);

/* The first half of that test, for who reads all bytes anyway: how many may begin such a character,
 * and whether so many in `length` bytes call for the whole test. */
size_t af_mend_count_suspects(const uint8_t *bytes, size_t length);
gboolean af_mend_is_suspect(size_t suspects, size_t length);

/* The test for bytes that come piece by piece. All zero at the beginning. */
typedef struct {
    uint64_t length, replaced; /* bytes, replacement characters among them */
    unsigned matched;          /* bytes of one at the end of the last piece */
} af_mend_count;

void af_mend_count_add(af_mend_count *count, const uint8_t *bytes, size_t length);

static inline gboolean af_mend_count_is_lossy(const af_mend_count *count)
{
    return count->replaced > count->length / 60;
}

/* What the first `length` bytes of data say about the test for Windows-1252: while they are ASCII
 * they are the same either way, and nothing but reading on tells what texts would be. */
typedef enum { AF_MEND_ASCII, AF_MEND_TEXT, AF_MEND_BINARY } af_mend_kind;

/* What comes at *at, which moves behind all that was judged: to the end, but in front of a
 * character that `more` bytes may complete. Stops in front of the first that is not ASCII if
 * `*kind` is ASCII and then changes it. */
void af_mend_judge(af_mend_kind *kind, const uint8_t **at, const uint8_t *end, gboolean more);

/* Puts what is to be read in the place of the data to *mended, or leaves NULL there if nothing is
 * to be changed; the caller frees. FALSE with AF_ERROR_MEMORY.
 * CR LF is turned back to LF, if the data fits afterwards and did not before or has no LF without
 * CR. */
gboolean af_mend_crlf(const uint8_t *bytes, size_t length, af_spool **mended, GError **error);

/* Data that was read as Windows-1252 and saved as UTF-8 is turned back, if it fits afterwards and
 * did not before. */
gboolean af_mend_1252(const uint8_t *bytes, size_t length, af_spool **mended, GError **error);

/* The same for a piece, whatever it fits; leaves NULL if it cannot be turned back. */
gboolean af_mend_1252_piece(const uint8_t *bytes, size_t length, af_spool **mended, GError **error);

/* What to say of lossy data. */
#define AF_LOSSY_MESSAGE                                                                           \
    "damaged by a text editor or a copy in text mode, which cannot be undone; pull the file "      \
    "again in binary (adb pull; git attribute \"*.trace binary\")"

#endif
