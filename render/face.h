/* The bundled face and the widths of its letters.
 *
 * Labels are measured with a table of advances, which is computed once from the face. That is about
 * a hundred times faster than shaping and gives the same numbers for simple text. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <glib.h>

typedef enum {
    AF_FACE_REGULAR = 0,
    AF_FACE_BOLD,
    AF_FACE_FALLBACK, /* for characters that the other faces lack */
    AF_FACES,
} af_face_id;

/* Loads the faces; call it before drawing. FALSE if memory is refused: text would have no letters
 * and no width. */
gboolean af_face_load(void);

/* The face for HarfBuzz; borrowed. */
struct hb_face_t *af_face_tables(af_face_id face);

/* The font file as stored in the library. Static. */
const unsigned char *af_face_bytes(af_face_id face, size_t *length);

/* The family name in the font file, e.g. for CSS. */
const char *af_face_family(af_face_id face);

/* The glyph of a character in a face. */
typedef struct {
    uint16_t glyph;   /* 0 = the face lacks it */
    uint16_t advance; /* in units of the face; an em has af_face_em() units */
} af_face_glyph;

af_face_glyph af_face_glyph_at(af_face_id face, uint32_t character);
int32_t af_face_em(af_face_id face);

/* Width in hundredths of a pixel of `length` bytes of UTF-8 at `size` hundredths of a pixel.
 * Characters that the face lacks are measured in the fallback face, otherwise as a box one em wide;
 * combining marks have no width. Never fails. Safe from several threads. */
int32_t af_face_advance(gboolean bold, int32_t size, const char *text, size_t length);

/* Whether the text needs no shaping: every character is in the face itself, none combines, none
 * runs from right to left. */
gboolean af_face_is_simple(gboolean bold, const char *text, size_t length);
