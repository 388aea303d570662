/* Draws text with the bundled faces.
 *
 * The faces are opened straight from the bytes in the library, so neither fontconfig nor a font on
 * the machine is needed, and a face is opened only if a text uses it. Simple text is drawn glyph by
 * glyph at the face's advances, without kerning: its width is exactly that of af_face_advance().
 * Pango shapes any other text and chooses among the bundled faces. */
#pragma once

#include <cairo.h>
#include "render/face.h"
#include "render/scene.h"

typedef struct af_letters af_letters;

/* `system_fonts`: also look on the machine for characters that the bundled faces lack. `pixels`:
 * the surface has pixels, and glyphs are placed on whole ones. */
af_letters *af_letters_new(gboolean system_fonts, gboolean pixels);
void af_letters_free(af_letters *letters);

/* Borrowed. NULL if memory is refused. */
cairo_font_face_t *af_letters_face(af_letters *letters, af_face_id face);

/* The next text stands for a longer one, which viewers search and copy. Borrowed until then. */
void af_letters_abbreviate(af_letters *letters, const char *full);

/* Draws with the source of `cr`. The anchor (x, baseline) and the size of the face are in units of
 * the surface; `unit` is a hundredth of a pixel of the scene in these units. FALSE if memory for a
 * face is refused; other errors stick to `cr`. */
gboolean af_letters_draw(af_letters *letters, cairo_t *cr, const af_scene_text *text, double x,
                         double baseline, double unit);
