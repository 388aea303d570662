/* Paints: the roles of colours. A palette turns (paint, theme) into a colour.
 *
 * Frames have a paint for each (category, shade). A class has the same shade in every run and every
 * file, so that users recognise it; the last shade is for less important frames. */
#pragma once

#include <stdint.h>

#define AF_SHADES     6  /* the last is dim; AF_CATEGORY_SHADES + 1 */
#define AF_CATEGORIES 15 /* = AF_CATEGORY_COUNT of model/category.h; asserted in render/sheet.c */

typedef uint8_t af_paint;

enum {
    AF_PAINT_PAGE = 0,    /* background */
    AF_PAINT_INK,         /* text */
    AF_PAINT_MUTED,       /* less important text */
    AF_PAINT_RULE,        /* thin lines */
    AF_PAINT_ALERT,       /* text of the health line */
    AF_PAINT_LABEL,       /* text on frames */
    AF_PAINT_LABEL_MUTED, /* text on idle and blocked frames and on blocks */
    AF_PAINT_BLOCK,       /* neighbours too narrow to draw */
    AF_PAINT_FOOT,        /* the bar at the foot of a frame */
    AF_PAINT_GROWN,       /* time that only the side after took */
    AF_PAINT_SHRUNK,      /* time that only the side before took */
    AF_PAINT_GROWN_PALE,  /* the same in frames within noise */
    AF_PAINT_SHRUNK_PALE,
    AF_PAINT_FRAME /* first of AF_CATEGORIES * AF_SHADES */
};

#define AF_PAINT_COUNT (AF_PAINT_FRAME + AF_CATEGORIES * AF_SHADES)

static inline af_paint af_paint_frame(unsigned category, unsigned shade)
{
    return (af_paint)(AF_PAINT_FRAME + category * AF_SHADES + shade);
}
