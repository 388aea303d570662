/* The bundled face and how wide its letters are.
 *
 * Labels are measured with a table of advances made once from the face itself, which is about a
 * hundred times cheaper than shaping and gives the same numbers for simple text. */
#ifndef AF_RENDER_FACE_H
#define AF_RENDER_FACE_H

#include <stddef.h>
#include <stdint.h>
#include <glib.h>

typedef enum {
    AF_FACE_REGULAR = 0,
    AF_FACE_BOLD,
    AF_FACE_FALLBACK, /* for characters that the others lack */
    AF_FACES,
} af_face_id;

/* The font file as it lies in the library. Static memory. */
const unsigned char *af_face_bytes(af_face_id face, size_t *length);

/* Family name of the face inside its file, e.g. for CSS. */
const char *af_face_family(af_face_id face);

/* What a face has for one character. */
typedef struct {
    uint16_t glyph;   /* 0 = the face lacks it */
    uint16_t advance; /* in units of the face, af_face_em() of them to the em */
} af_face_glyph;

af_face_glyph af_face_glyph_at(af_face_id face, uint32_t character);
int32_t af_face_em(af_face_id face);

/* Width in hundredths of a pixel of `length` bytes of UTF-8 at `size` hundredths of a pixel.
 * Characters that the face lacks are measured in the fallback face, then as a box one em wide;
 * combining marks take no room. Never fails. Safe from several threads. */
int32_t af_face_advance(gboolean bold, int32_t size, const char *text, size_t length);

/* Whether the text needs no shaping: every character is in the face itself, none combines, none
 * runs from right to left. */
gboolean af_face_is_simple(gboolean bold, const char *text, size_t length);

#endif
