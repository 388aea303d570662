/* The bundled faces as a pango font map. */
#ifndef AF_RENDER_CAIRO_FACEMAP_H
#define AF_RENDER_CAIRO_FACEMAP_H

#include <pango/pango.h>
#include "render/face.h"

/* A font map for pango_font_map_create_context(). Descriptions are looked at for weight and size
 * only. `behind` is asked for what the faces lack; it may be NULL, else its context is kept. */
PangoFontMap *af_facemap_new(PangoContext *behind);

/* Which face a font of the map is; FALSE if it came from the map behind. */
gboolean af_facemap_font_face(PangoFont *font, af_face_id *face);

#endif
