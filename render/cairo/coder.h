/* Writes the items of bands as blocks of deflate (RFC 1951).
 *
 * zlib would take a third of the time of the whole command: it searches bytes for repeats that
 * af_repeats finds by comparing rows of pixels. */
#ifndef AF_RENDER_CAIRO_CODER_H
#define AF_RENDER_CAIRO_CODER_H

#include "render/cairo/colours.h"
#include "render/cairo/repeats.h"

/* The rows of a picture as bytes. */
typedef struct {
    const af_colour_table *colours; /* NULL: pixels are RGB */
    int width;
    gboolean
        subtracted; /* each row of a band, except the first, is the difference from the one above */
} af_coding;

/* Both fields of bytes are reused for the next band. All bytes zero at first. */
typedef struct {
    unsigned char *plain; /* the rows, each with its filter type */
    size_t plain_length, plain_capacity;
    unsigned char *bytes; /* compressed */
    size_t length, capacity;
    uint64_t bits; /* private: not yet written, the first one is the lowest */
    unsigned n_bits;
} af_coder;

/* The furthest distance of items, in cells. */
uint32_t af_coding_reach(const af_coding *coding);

/* Codes a band. The bytes end on a whole byte, so that they can be joined; `last` ends the stream.
 * Changes the items. FALSE if memory is refused. */
gboolean af_coder_code(af_coder *coder, const af_coding *coding, uint32_t *items, size_t n,
                       int rows, gboolean last);
void af_coder_clear(af_coder *coder);

#endif
