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
#include "render/cairo/glyphs.h"
#include "render/face.h"

typedef struct af_shaper af_shaper;

af_shaper *af_shaper_new(gboolean system_fonts);
void af_shaper_free(af_shaper *shaper);

/* One line of text, shaped. Lengths in units of the surface. */
typedef struct af_glyph_run af_glyph_run;

af_glyph_run *af_shaper_shape(af_shaper *shaper, const char *text, gboolean bold, double size);
void af_glyph_run_free(af_glyph_run *shaped);
double af_glyph_run_width(const af_glyph_run *shaped);

/* Returns a borrowed face; NULL if memory is refused. */
typedef cairo_font_face_t *(*af_face_func)(void *user, af_face_id face);

/* Draws the line from the origin of `cr`, with its source; `row` is scratch space. FALSE if a face
 * was unavailable. */
gboolean af_glyph_run_draw(const af_glyph_run *shaped, af_glyphs *row, cairo_t *cr,
                           af_face_func find_face, void *user);
