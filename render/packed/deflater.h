/* Collects bytes in memory and compresses them into a zlib stream. Several deflaters, possibly in
 * different threads, are joined into a sequence of pieces. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <glib.h>

typedef struct af_deflater af_deflater;

/* NULL if memory is refused. */
af_deflater *af_deflater_new(void);
void af_deflater_free(af_deflater *part);

/* Returns the position of the next bytes, with capacity for `most`; NULL if memory is refused. */
uint8_t *af_deflater_reserve(af_deflater *part, size_t most);

/* Appends the bytes written there, up to `end`. */
void af_deflater_commit(af_deflater *part, const uint8_t *end);

void af_deflater_append(af_deflater *part, const void *bytes, size_t length);

/* Appends a number as ULEB128, or a text after its length. */
void af_deflater_number(af_deflater *part, uint64_t number);
void af_deflater_string(af_deflater *part, const char *text, size_t length);

/* Compresses the appended bytes, once; nothing can be appended afterwards. Returns the length of
 * the piece, 0 if memory was refused at any time. */
size_t af_deflater_finish(af_deflater *part);

/* Joins the finished parts as pieces: each a length (32 bits, little endian) and a zlib stream of
 * that many bytes. Sets *plain_length to their unpacked length. NULL if a part failed or memory is
 * refused. */
GBytes *af_deflater_join(af_deflater *const *parts, unsigned n, size_t *plain_length);
