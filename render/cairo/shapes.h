/* What is drawn the same way on every surface: boxes, strokes of hatching, colours. */
#ifndef AF_RENDER_CAIRO_SHAPES_H
#define AF_RENDER_CAIRO_SHAPES_H

#include <cairo.h>
#include <glib.h>
#include "render/palette.h"

/* Units of the surface. */
typedef struct {
    double x0, y0, x1, y1, radius;
} af_box;

/* What is pinned so that every machine draws the same letters. */
void af_shapes_pin_letters(cairo_t *cr);

void af_shapes_colour(cairo_t *cr, af_colour colour);

/* Adds the box to the path. A radius above half of a side counts as that half. */
void af_shapes_box(cairo_t *cr, const af_box *box);

/* Adds the strokes x + y = k * step that meet the box to the path. Counted from the corner of the
 * page, which begins at `top`, they run on from one box to the next. */
void af_shapes_strokes(cairo_t *cr, const af_box *box, double step, double top);

/* FALSE with an error if `status` is one. */
gboolean af_shapes_report(cairo_status_t status, GError **error);

#endif
