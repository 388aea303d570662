/* A zlib stream that grows in memory, in parts that different threads may make.
 *
 * What is appended may say that it hardly repeats itself (times do not): then no repetitions are
 * searched, which is many times faster and makes numbers a little smaller too. */
#ifndef AF_RENDER_DEFLATER_H
#define AF_RENDER_DEFLATER_H

#include <stddef.h>
#include <glib.h>

/* One part. */
typedef struct af_deflater af_deflater;

typedef enum { AF_REPEATS, AF_HARDLY_REPEATS } af_repetition;

/* NULL if the machine refuses the memory. */
af_deflater *af_deflater_new(void);
void af_deflater_free(af_deflater *part);

void af_deflater_append(af_deflater *part, const void *bytes, size_t length,
                        af_repetition repetition);

/* Ends the parts and joins them to one stream, once; *plain_length becomes its length unpacked.
 * NULL if the machine refused memory on the way. */
GBytes *af_deflater_join(af_deflater *const *parts, unsigned n, size_t *plain_length);

#endif
