/* The bundled faces as cairo draws them.
 *
 * They are opened straight from the bytes in the library, so neither fontconfig nor a font on the
 * machine is needed, and nothing is opened that no text asks for. Simple text is drawn glyph by
 * glyph at the face's advances, without kerning: it is exactly as wide as af_face_advance() says.
 * Text that is not simple is shaped by pango, which chooses among the bundled faces. */
#ifndef AF_RENDER_CAIRO_LETTERS_H
#define AF_RENDER_CAIRO_LETTERS_H

#include <cairo.h>
#include "render/face.h"
#include "render/scene.h"

typedef struct af_letters af_letters;

/* `system_fonts`: characters that the bundled faces lack are looked for on the machine.
 * `pixels`: the surface has some, and glyphs are put on whole ones. */
af_letters *af_letters_new(gboolean system_fonts, gboolean pixels);
void af_letters_free(af_letters *letters);

/* NULL if the machine refuses the memory. Lent. */
cairo_font_face_t *af_letters_face(af_letters *letters, af_face_id face);

/* Draws in the source of `cr`. The anchor (x, baseline) and the size of the face are in units of
 * the surface; `unit` of them are a hundredth of a pixel of the scene. FALSE if
 * the machine refuses the memory for a face; other errors stick to `cr`. */
gboolean af_letters_draw(af_letters *letters, cairo_t *cr, const af_scene_text *text, double x,
                         double baseline, double unit);

#endif
