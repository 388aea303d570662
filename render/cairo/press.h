/* Compresses bands on several threads and returns them in order.
 *
 * The calling thread works too; the others are ahead of it by only a few bands, so that memory does
 * not follow the size of the picture. Every band is compressed separately and ends on a whole byte:
 * together they are one deflate stream, the same for any number of threads. */
#ifndef AF_RENDER_CAIRO_PRESS_H
#define AF_RENDER_CAIRO_PRESS_H

#include "render/cairo/colours.h"
#include "render/cairo/strip.h"

typedef struct af_press af_press;

typedef struct {
    const void *bytes; /* valid until the next call */
    size_t length;
    size_t plain_length; /* of the rows, each with its filter type */
    uint32_t checksum;   /* Adler-32 of these */
} af_press_chunk;

/* `bands` must be complete and outlive the press. `jobs` threads, 0 = one for each processor. Draws
 * all bands once to choose the colours. */
af_press *af_press_new(const af_bands *bands, unsigned jobs);

/* The palette of the picture, which the press owns; NULL if pixels are RGB. */
const af_colour_table *af_press_colours(const af_press *press);

/* Stops all threads. */
void af_press_free(af_press *press);

/* Returns the next band; call it once for each band. FALSE after an error. */
gboolean af_press_next(af_press *press, af_press_chunk *pressed);

cairo_status_t af_press_status(af_press *press);

#endif
