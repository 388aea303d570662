/* The colours of the paints, in both themes.
 *
 * One calm hue for each category, in OKLCH: light theme lightness 0.80 to 0.87, chroma 0.07 to
 * 0.135, the app's own code the strongest; the dark theme has the same hues 0.30 darker with light
 * text. Text on any frame has a contrast of at least 4.5 : 1 (a test computes it), and categories
 * stay apart for readers who see two of the three primaries. */
#ifndef AF_RENDER_PALETTE_H
#define AF_RENDER_PALETTE_H

#include <glib.h>
#include "render/paint.h"

typedef struct {
    uint8_t red, green, blue;
} af_colour;

af_colour af_palette_colour(af_paint paint, gboolean dark);

/* The two colours of a hatched rectangle: the ground between the strokes and the strokes. */
af_colour af_palette_hatch_ground(af_paint paint, gboolean dark);
af_colour af_palette_hatch_stroke(af_paint paint, gboolean dark);

/* The hatching, the same on every canvas: strokes of this width at 45 degrees (rising to the
 * right), this far apart horizontally; hundredths of a pixel. */
#define AF_HATCH_STROKE_C 120
#define AF_HATCH_STEP_C   600

#endif
