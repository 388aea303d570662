/* The versions of the drawing libraries. */
#ifndef AF_RENDER_CAIRO_VERSIONS_H
#define AF_RENDER_CAIRO_VERSIONS_H

#include <glib.h>

/* Adds one "name version" each for cairo, pango, fontconfig, freetype and libpng. */
void af_cairo_versions_add(GPtrArray *list);

#endif
