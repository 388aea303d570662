/* V1 data that went through a text tool: told and put right where that is possible.
 *
 * Data "fits" if its header is one that is really written (version 1 to 3, records at 16, 18 or
 * 32, version 3 with 14 bytes a record) and its length is a whole number of records. */
#ifndef AF_READ_MEND_H
#define AF_READ_MEND_H

#include <stdint.h>
#include <glib.h>

gboolean af_mend_fits(const uint8_t *bytes, size_t length);

/* More than 5 % of the bytes belong to the replacement character EF BF BD: what was there is
 * lost. */
gboolean af_mend_is_lossy(const uint8_t *bytes, size_t length);

/* The first half of that test, for who reads all bytes anyway: how many may begin such a character,
 * and whether so many in `length` bytes call for the whole test. */
size_t af_mend_count_suspects(const uint8_t *bytes, size_t length);
gboolean af_mend_is_suspect(size_t suspects, size_t length);

/* CR LF turned back to LF, if the data fits afterwards and did not before or has no LF without CR.
 * NULL if nothing is to be changed. The caller frees. */
GByteArray *af_mend_crlf(const uint8_t *bytes, size_t length);

/* Data that was read as Windows-1252 and saved as UTF-8, turned back, if it fits afterwards and
 * did not before. NULL if nothing is to be changed. The caller frees. */
GByteArray *af_mend_1252(const uint8_t *bytes, size_t length);

/* What to say of lossy data. */
#define AF_LOSSY_MESSAGE \
    "damaged by a text editor or a copy in text mode, which cannot be undone; pull the file " \
    "again in binary (adb pull; git attribute \"*.trace binary\")"

#endif
