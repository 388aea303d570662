/* The canvas for a surface of the caller's. */
#pragma once

#include <cairo.h>
#include "render/canvas.h"

/* Where to draw: `user` of the canvas. */
typedef struct {
    cairo_t *cr;          /* NULL = only measure */
    double width, height; /* of all pages, below each other; filled in */
} af_surface_target;

/* Not in the table: it writes no bytes. */
extern const af_canvas_class af_canvas_surface;
