/* One band of a picture as pixels.
 *
 * A strip has exactly the pixels that a surface for the whole picture would have in its rows:
 * positions are computed in the picture and then moved up by whole rows. One band after the other is
 * drawn into it. */
#pragma once

#include "render/cairo/bands.h"
#include "render/cairo/letters.h"

typedef struct {
    const af_bands *bands;
    af_letters *letters;
    cairo_surface_t *surface;
    cairo_t *cr;
    gboolean by_hand;                         /* cairo has not been told that pixels changed */
    uint32_t *pixels;                         /* 0xrrggbb */
    size_t stride;                            /* pixels from row to row */
    int first, rows;                          /* the rows of the picture that the strip shows */
    cairo_pattern_t *hatches[AF_PAINT_COUNT]; /* made on first use */
    cairo_status_t status;                    /* the first error */
} af_strip;

/* Both arguments must outlive the strip, which must be all zero. Errors stick. */
void af_strip_open(af_strip *strip, const af_bands *bands, af_letters *letters);
void af_strip_clear(af_strip *strip);

/* Draws a band; replaces the previous one. */
void af_strip_draw(af_strip *strip, unsigned band);

static inline const uint32_t *af_strip_row(const af_strip *strip, int row)
{
    return strip->pixels + (size_t)row * strip->stride;
}
