/* Bytes that grow in memory and become a zlib stream of their own. Several, which different threads
 * may make, become pieces behind each other. */
#ifndef AF_RENDER_PACKED_DEFLATER_H
#define AF_RENDER_PACKED_DEFLATER_H

#include <stddef.h>
#include <stdint.h>
#include <glib.h>

typedef struct af_deflater af_deflater;

/* NULL if the machine refuses the memory. */
af_deflater *af_deflater_new(void);
void af_deflater_free(af_deflater *part);

/* Where the next bytes go, with room for `most`; NULL if the machine refuses it. */
uint8_t *af_deflater_reserve(af_deflater *part, size_t most);

/* They were written there, up to `end`. */
void af_deflater_commit(af_deflater *part, const uint8_t *end);

void af_deflater_append(af_deflater *part, const void *bytes, size_t length);

/* A number as ULEB128; a text behind its length. */
void af_deflater_number(af_deflater *part, uint64_t number);
void af_deflater_string(af_deflater *part, const char *text, size_t length);

/* Compresses what was appended, once; nothing can be appended any more. Returns the length of the
 * piece, 0 if the machine refused memory now or before. */
size_t af_deflater_finish(af_deflater *part);

/* The finished parts as pieces: each a length (32 bits, low byte first) and a zlib stream of so
 * many bytes. *plain_length becomes the length of all unpacked. NULL if a part failed or memory is
 * refused. */
GBytes *af_deflater_join(af_deflater *const *parts, unsigned n, size_t *plain_length);

#endif
