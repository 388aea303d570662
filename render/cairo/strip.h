/* A picture as pixels, one band of rows after the other.
 *
 * A strip has exactly the pixels that a surface for the whole picture would have in its rows:
 * positions are computed in the picture and then moved up by whole rows. The height of the bands
 * follows from the width alone. */
#pragma once

#include "render/cairo/letters.h"
#include "render/cairo/shapes.h"

typedef struct {
    const af_scene *scene;
    int width, height; /* pixels of the picture */
    double unit;       /* pixels in a hundredth of a pixel of the scene */
    gboolean dark;
    gboolean system_fonts;
    af_letters *letters;
    cairo_surface_t *surface;
    cairo_t *cr;
    uint32_t *pixels;                         /* 0xrrggbb */
    size_t stride;                            /* pixels from row to row */
    int first, rows;                          /* the rows of the picture that the strip shows */
    cairo_pattern_t *hatches[AF_PAINT_COUNT]; /* made on first use */
    cairo_status_t status;                    /* the first error */
} af_strip;

/* The caller has set the scene, the size, the unit and the flags; the rest must be zero. Errors
 * stick. */
void af_strip_open(af_strip *strip);
void af_strip_clear(af_strip *strip);

/* Draws the band after the previous one; after the last one, starts again. FALSE at the end of the
 * picture or after an error. */
gboolean af_strip_next(af_strip *strip);

static inline const uint32_t *af_strip_row(const af_strip *strip, int row)
{
    return strip->pixels + (size_t)row * strip->stride;
}
