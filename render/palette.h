/* The colours of the paints, in both themes.
 *
 * There is one hue for each category. The base colours of categories that can occur in one picture
 * differ by at least 12 (OKLab x 100), and by 8 for viewers who lack one kind of cone. Frames stand
 * out from the page, and text on them has a contrast of at least 4.5 : 1. tests/unit/test_palette.c
 * verifies this. */
#pragma once

#include <glib.h>
#include "render/paint.h"

typedef struct {
    uint8_t red, green, blue;
} af_colour;

af_colour af_palette_colour(af_paint paint, gboolean dark);

/* The colour between the strokes of a hatched rectangle; the strokes have that of the paint. */
af_colour af_palette_hatch_ground(af_paint paint, gboolean dark);

/* The hatching, the same on every canvas: the width of the strokes, which rise to the right at 45
 * degrees, and their horizontal distance; hundredths of a pixel. */
#define AF_HATCH_STROKE_C 120
#define AF_HATCH_STEP_C   600
