/* Bands become deflated bytes, on several threads, and come out in order.
 *
 * The thread that asks for them works too; the others run ahead of it by a few bands and no more,
 * so that memory does not follow the size of the picture. Every band is deflated on its own and
 * ends on a whole byte: put together they are one deflate stream, the same for any number of
 * threads. */
#ifndef AF_RENDER_CAIRO_PRESS_H
#define AF_RENDER_CAIRO_PRESS_H

#include "render/cairo/strip.h"

typedef struct af_press af_press;

typedef struct {
    const void *bytes; /* lent until the next band is asked for */
    size_t length;
    size_t plain_length; /* of the rows, each with its filter type */
    uint32_t checksum;   /* Adler-32 of them */
} af_pressed;

/* `bands` are complete and outlive the press. `jobs` threads, 0 = one for each processor. */
af_press *af_press_new(const af_bands *bands, unsigned jobs);

/* Stops what is still at work. */
void af_press_free(af_press *press);

/* The next band, as often as there are bands. FALSE after an error. */
gboolean af_press_next(af_press *press, af_pressed *pressed);

cairo_status_t af_press_status(af_press *press);

#endif
