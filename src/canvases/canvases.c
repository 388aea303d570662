#include "canvases/canvases.h"

#include "canvases/module.h"
#include "cli/module.h"
#include "render/cairo/canvases.h"
#include "render/cairo/versions.h"

static const af_module cairo = {"aflame-cairo.so", "PNG and PDF output"};

static const af_canvas_module *load(GError **error)
{
    static const af_canvas_module *loaded; /* atomic */
    const af_canvas_module *module = g_atomic_pointer_get(&loaded);
    if (module == NULL) {
        module = af_module_find(&cairo, "af_cairo_module", error);
        g_atomic_pointer_set(&loaded, module);
    }
    return module;
}

gboolean af_canvases_load(GError **error)
{
    return load(error) != NULL;
}

/* CANVAS is a field of af_canvas_module. */
#define DEFINE_LOAD(CANVAS)                                                                        \
    static const af_canvas_class *load_##CANVAS(GError **error)                                    \
    {                                                                                              \
        const af_canvas_module *module = load(error);                                              \
        return module != NULL ? module->CANVAS : NULL;                                             \
    }
DEFINE_LOAD(png)
DEFINE_LOAD(pdf)
DEFINE_LOAD(svg_outlines)

const af_canvas_class af_canvas_png = {AF_CANVAS_PNG, .load = load_png};
const af_canvas_class af_canvas_pdf = {AF_CANVAS_PDF, .load = load_pdf};
const af_canvas_class af_canvas_svg_outlines = {AF_CANVAS_OUTLINES, .load = load_svg_outlines};

void af_cairo_versions_add(GPtrArray *list)
{
    const af_canvas_module *module = load(NULL);
    if (module != NULL) {
        module->add_versions(list);
    }
}
