#include "render/cairo/bands.h"

#include <math.h>

/* A band's surface takes four bytes for each of its pixels, in each thread. Bands of half the size
 * make a file 0.3 % larger and draw more letters twice. */
#define BAND_PIXELS (320 * 1024)
#define MOST_ROWS   128

void af_bands_open(af_bands *bands)
{
    bands->rows = CLAMP(BAND_PIXELS / bands->width, 1, MOST_ROWS);
    bands->n = ((unsigned)bands->height + (unsigned)bands->rows - 1) / (unsigned)bands->rows;
    bands->bands = g_new0(af_band, bands->n);
}

void af_bands_clear(af_bands *bands)
{
    for (unsigned i = 0; i < bands->n; i++) {
        g_free(bands->bands[i].marks);
    }
    g_free(bands->bands);
    bands->bands = NULL;
    bands->n = 0;
}

static gboolean reserve(af_band *band)
{
    if (band->n < band->capacity) {
        return TRUE;
    }
    const size_t capacity = MAX(64, 2 * band->capacity);
    af_band_item *marks = g_try_renew(af_band_item, band->marks, capacity);
    if (marks == NULL) {
        return FALSE;
    }
    band->marks = marks;
    band->capacity = capacity;
    return TRUE;
}

/* Adds an item to the rows from `first` up to `end`, which may be outside the picture. */
static void add_mark(af_bands *bands, const af_band_item *mark, double first, double end)
{
    if (end <= 0 || first >= bands->height) {
        return;
    }
    const int low = (int)MAX(first, 0) / bands->rows;
    const int high = ((int)MIN(end, bands->height) - 1) / bands->rows;
    for (int i = low; i <= high; i++) {
        af_band *band = &bands->bands[i];
        if (!reserve(band)) {
            bands->refused = TRUE;
            return;
        }
        band->marks[band->n++] = *mark;
    }
}

/* Rounds edges to the nearest pixel, so that adjacent boxes remain adjacent; a box keeps at least
 * one pixel. */
static void snap(double *low, double *high)
{
    double nearest_low = floor(*low + 0.5), nearest_high = floor(*high + 0.5);
    if (nearest_high <= nearest_low) {
        nearest_low = floor((*low + *high) / 2);
        nearest_high = nearest_low + 1;
    }
    *low = nearest_low;
    *high = nearest_high;
}

af_box af_bands_box(const af_bands *bands, const af_scene_rect *rect, double top)
{
    const double unit = bands->unit;
    af_box box = {
        .x0 = rect->x * unit,
        .y0 = top + rect->y * unit,
        .x1 = ((double)rect->x + rect->width) * unit,
        .y1 = top + ((double)rect->y + rect->height) * unit,
        .radius = rect->radius * unit,
    };
    snap(&box.x0, &box.x1);
    snap(&box.y0, &box.y1);
    return box;
}

double af_bands_baseline(const af_bands *bands, const af_scene_text *text, double top)
{
    return floor(top + text->baseline * bands->unit + 0.5);
}

void af_bands_add_rect(af_bands *bands, const af_scene_rect *rect, double top)
{
    if (rect->width > 0 && rect->height > 0) {
        const af_box box = af_bands_box(bands, rect, top);
        add_mark(bands, &(af_band_item){.rect = rect, .top = top}, box.y0, box.y1);
    }
}

void af_bands_add_shape(af_bands *bands, const af_scene_shape *shape, double top)
{
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (uint32_t i = 0; i < shape->n; i++) {
        low = MIN(low, shape->points[i].y);
        high = MAX(high, shape->points[i].y);
    }
    add_mark(bands, &(af_band_item){.shape = shape, .top = top}, floor(top + low * bands->unit) - 1,
             ceil(top + high * bands->unit) + 1);
}

/* How far letters can reach from the baseline, in ems. The faces for simple text reach at most 1.08
 * above and 0.39 below, the fallback face 1.24 and 0.47. Marks may be stacked, and the machine's
 * faces have unknown extents: some write a word downhill. */
static double reach_of_letters(const af_bands *bands, const af_scene_text *text)
{
    double reach = text->simple ? 1.125 : 2;
    for (const char *c = text->text; !text->simple && *c != '\0'; c = g_utf8_next_char(c)) {
        reach += bands->system_fonts || g_unichar_iszerowidth(g_utf8_get_char(c));
    }
    return reach;
}

void af_bands_add_text(af_bands *bands, const af_scene_text *text, double top)
{
    const double size = text->size * bands->unit, reach = reach_of_letters(bands, text);
    const double baseline = af_bands_baseline(bands, text, top);
    add_mark(bands, &(af_band_item){.text = text, .top = top}, floor(baseline - reach * size) - 1,
             ceil(baseline + (text->simple ? 0.5 : reach) * size) + 1);
}
