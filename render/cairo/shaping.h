/* Text that needs more than one glyph for each character: joined letters, marks, both directions,
 * characters of several faces.
 *
 * Pango shapes it, with a font map of ours that has only the bundled faces. Pango's own font maps
 * start a thread that reads the machine's font configuration, and print messages if it is missing;
 * this one never uses fontconfig. Only with `system_fonts`, pango's own map supplies the characters
 * that the bundled faces lack. */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <pango/pango.h>
#include "render/cairo/glyphs.h"
#include "render/cairo/letters.h"

/* Free with g_object_unref(). */
PangoContext *af_shaper_new(gboolean system_fonts);

/* One line of text, shaped. Lengths in units of the surface. */
typedef struct af_glyph_run af_glyph_run;

af_glyph_run *af_shaper_shape(PangoContext *shaper, const char *text, gboolean bold, double size);
void af_glyph_run_free(af_glyph_run *shaped);
double af_glyph_run_width(const af_glyph_run *shaped);

/* Draws the line from the origin of `cr`, with its source and the faces of `letters`; `row` is
 * scratch space. FALSE if a face was unavailable. */
gboolean af_glyph_run_draw(const af_glyph_run *shaped, af_glyphs *row, cairo_t *cr,
                           af_letters *letters);
