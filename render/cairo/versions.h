/* The versions of the drawing libraries. */
#pragma once

#include <glib.h>

/* Adds one "name version" each for cairo, pango, fontconfig, freetype and libpng. */
void af_cairo_versions_add(GPtrArray *list);
