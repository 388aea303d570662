/* The bundled faces as a pango font map. */
#pragma once

#include <pango/pango.h>
#include "render/face.h"

/* A font map for pango_font_map_create_context(). Uses only the weight and size of descriptions.
 * `behind` supplies characters that the faces lack; it may be NULL, otherwise the map holds a
 * reference to it. */
PangoFontMap *af_facemap_new(PangoContext *behind);

/* The face of a font of the map; FALSE if it came from `behind`. */
gboolean af_facemap_font_face(PangoFont *font, af_face_id *face);
