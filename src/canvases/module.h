/* What the module exports. */
#ifndef AF_CANVASES_MODULE_H
#define AF_CANVASES_MODULE_H

#include <aflame/visibility.h>

#include "render/canvas.h"

typedef struct {
    const af_canvas_class *png, *pdf, *svg_outlines;
    void (*add_versions)(GPtrArray *list); /* af_cairo_versions_add() */
} af_canvas_module;

AF_API extern const af_canvas_module af_cairo_module;

#endif
