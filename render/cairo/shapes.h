/* Drawing that is the same on every surface: boxes, strokes of hatching, colours. */
#pragma once

#include <cairo.h>
#include <glib.h>
#include "render/palette.h"
#include "render/scene.h"

/* In units of the surface. */
typedef struct {
    double x0, y0, x1, y1, radius;
} af_box;

/* Fixes the options that would make letters differ between machines. */
void af_shapes_pin_letters(cairo_t *cr);

void af_shapes_colour(cairo_t *cr, af_colour colour);

/* Adds the box to the path. Limits the radius to half of a side. */
void af_shapes_box(cairo_t *cr, const af_box *box);

/* Adds the strokes x + y = k * step that meet the box to the path. They start at the corner of the
 * page, whose top is at `top`, so that they continue from one box to the next. */
void af_shapes_strokes(cairo_t *cr, const af_box *box, double step, double top);

/* Adds a polygon to the path; `unit` of the surface in a hundredth of a pixel. */
void af_shapes_polygon(cairo_t *cr, const af_scene_shape *shape, double unit, double top);

/* Returns FALSE with an error set if `status` is an error. */
gboolean af_shapes_report(cairo_status_t status, GError **error);
