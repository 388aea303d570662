/* Divides a band of pixels into repeats and new pixels, like the search of deflate but on whole
 * pixels.
 *
 * A band consists of cells: each row is the byte that names its filter, then its pixels. Items
 * describe the cells in order: an item is that byte, a new pixel, or cells that equal the ones at a
 * distance before them, which may overlap as in deflate. Most cells repeat the row above, which a
 * comparison finds; a general search takes many times as long. Whether two pixels are equal does
 * not depend on the palette, so items are found before it is known. */
#ifndef AF_RENDER_CAIRO_REPEATS_H
#define AF_RENDER_CAIRO_REPEATS_H

#include <glib.h>
#include <stdint.h>

/* Otherwise an item is a pixel, 0xrrggbb. */
#define AF_ITEM_FILTER (UINT32_C(1) << 30)
#define AF_ITEM_REPEAT (UINT32_C(1) << 31)

#define AF_REPEAT_MOST 65536 /* cells of one repeat, and the furthest distance is half of it */

static inline uint32_t af_item_length(uint32_t repeat)
{
    return (repeat >> 15 & (AF_REPEAT_MOST - 1)) + 1;
}

static inline uint32_t af_item_distance(uint32_t repeat)
{
    return (repeat & (AF_REPEAT_MOST / 2 - 1)) + 1;
}

typedef struct {
    uint32_t *items;
    size_t n, capacity;
    uint32_t *recent; /* private: positions by a hash of their pixels */
    gboolean refused; /* memory was refused */
} af_repeats;

/* Finds the items of a band, replacing the previous ones; `reach` is the largest distance in cells.
 * The band has fewer than 65,536 rows and columns; the high bytes of its pixels are ignored. All fields
 * of *repeats are zero at first. */
void af_repeats_find(af_repeats *repeats, const uint32_t *pixels, size_t stride, int width,
                     int rows, uint32_t reach);
void af_repeats_clear(af_repeats *repeats);

#endif
