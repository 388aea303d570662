/* A pixel picture, cut into bands of rows, with a list of items for each band.
 *
 * Items only point to commands, which belong to the scene, so the scene must outlive the bands.
 * The height of the bands follows from the width alone. */
#pragma once

#include "render/cairo/shapes.h"
#include "render/scene.h"

/* One of the three is not NULL. */
typedef struct {
    const af_scene_rect *rect;
    const af_scene_text *text;
    const af_scene_shape *shape;
    double top; /* top of the page, a whole number of pixels */
} af_band_item;

/* The items of a band in drawing order. */
typedef struct {
    af_band_item *marks;
    size_t n, capacity;
} af_band;

typedef struct {
    int width, height; /* pixels of the picture */
    double unit;       /* pixels in a hundredth of a pixel of the scene */
    gboolean dark;
    gboolean system_fonts;
    int rows;   /* rows of a band; the last band may have fewer */
    unsigned n; /* number of bands */
    af_band *bands;
    gboolean refused; /* memory was refused */
} af_bands;

/* The caller sets size, unit and flags of `bands`; the rest must be zero. */
void af_bands_open(af_bands *bands);
void af_bands_clear(af_bands *bands);

void af_bands_add_rect(af_bands *bands, const af_scene_rect *rect, double top);
void af_bands_add_text(af_bands *bands, const af_scene_text *text, double top);
void af_bands_add_shape(af_bands *bands, const af_scene_shape *shape, double top);

/* The position of a rectangle in the picture. Its edges are whole numbers of pixels. */
af_box af_bands_box(const af_bands *bands, const af_scene_rect *rect, double top);
/* The row of a baseline. */
double af_bands_baseline(const af_bands *bands, const af_scene_text *text, double top);
