/* A zlib stream that grows in memory.
 *
 * What is appended may say that it hardly repeats itself (times do not): then no repetitions are
 * searched, which is many times faster and costs nothing in size. */
#ifndef AF_RENDER_DEFLATER_H
#define AF_RENDER_DEFLATER_H

#include <stddef.h>
#include <glib.h>

typedef struct af_deflater af_deflater;

typedef enum { AF_REPEATS, AF_HARDLY_REPEATS } af_repetition;

/* NULL if the machine refuses the memory. */
af_deflater *af_deflater_new(void);
void af_deflater_free(af_deflater *deflater);

void af_deflater_append(af_deflater *deflater, const void *bytes, size_t length,
                        af_repetition repetition);

/* How much was appended so far. */
size_t af_deflater_plain_length(const af_deflater *deflater);

/* Ends the stream, once. NULL if the machine refused memory on the way. */
GBytes *af_deflater_finish(af_deflater *deflater);

#endif
