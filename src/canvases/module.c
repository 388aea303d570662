#include "canvases/module.h"

#include "render/cairo/versions.h"

const af_canvas_module af_cairo_module = {
    .png = &af_canvas_png,
    .pdf = &af_canvas_pdf,
    .svg_outlines = &af_canvas_svg_outlines,
    .add_versions = af_cairo_versions_add,
};
