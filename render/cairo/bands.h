/* A picture in pixels, cut into bands of rows, and what is to be drawn into each of them.
 *
 * What is drawn is only pointed at: it belongs to the scene, which must live as long. Once all is
 * collected nothing changes any more, and several threads may read. How high the bands are follows
 * from the width alone, so a picture is cut the same way however many threads draw it. */
#ifndef AF_RENDER_CAIRO_BANDS_H
#define AF_RENDER_CAIRO_BANDS_H

#include "render/cairo/shapes.h"
#include "render/scene.h"

/* One of the two is NULL. */
typedef struct {
    const af_scene_rect *rect;
    const af_scene_text *text;
    double top; /* where the page begins, a whole number of pixels */
} af_band_item;

/* In the order in which they are drawn. */
typedef struct {
    af_band_item *marks;
    size_t n, capacity;
} af_band;

typedef struct {
    int width, height; /* pixels of the picture */
    double unit;       /* pixels in a hundredth of a pixel of the scene */
    gboolean dark;
    gboolean system_fonts;
    int rows;   /* of a band; the last may have fewer */
    unsigned n; /* bands */
    af_band *bands;
    gboolean refused; /* the machine refused memory */
} af_bands;

/* `bands` has its size, unit and flags, the rest is zero. */
void af_bands_open(af_bands *bands);
void af_bands_clear(af_bands *bands);

void af_bands_add_rect(af_bands *bands, const af_scene_rect *rect, double top);
void af_bands_add_text(af_bands *bands, const af_scene_text *text, double top);

/* Where a rectangle lies in the picture. Its edges are whole numbers of pixels. */
af_box af_bands_box(const af_bands *bands, const af_scene_rect *rect, double top);
/* The row of a baseline. */
double af_bands_baseline(const af_bands *bands, const af_scene_text *text, double top);

#endif
