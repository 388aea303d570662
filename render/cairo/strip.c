#include "render/cairo/strip.h"

#include <math.h>
#include <string.h>

#include "render/sizes.h"

static void keep_status(af_strip *strip, cairo_status_t status)
{
    if (strip->status == CAIRO_STATUS_SUCCESS) {
        strip->status = status;
    }
}

void af_strip_open(af_strip *strip, const af_bands *bands, af_letters *letters)
{
    strip->bands = bands;
    strip->letters = letters;
    strip->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, bands->width,
                                                MIN(bands->rows, bands->height));
    strip->cr = cairo_create(strip->surface);
    af_shapes_pin_letters(strip->cr);
    keep_status(strip, cairo_surface_status(strip->surface));
    keep_status(strip, cairo_status(strip->cr));
    strip->pixels = (uint32_t *)(void *)cairo_image_surface_get_data(strip->surface);
    strip->stride = (size_t)cairo_image_surface_get_stride(strip->surface) / sizeof(uint32_t);
}

void af_strip_clear(af_strip *strip)
{
    for (int i = 0; i < AF_PAINT_COUNT; i++) {
        if (strip->hatches[i] != NULL) {
            cairo_pattern_destroy(strip->hatches[i]);
        }
    }
    if (strip->surface != NULL) {
        cairo_destroy(strip->cr);
        cairo_surface_destroy(strip->surface);
    }
}

/* Starts drawing without cairo, which is many times faster for boxes of whole pixels. */
static void begin_by_hand(af_strip *strip)
{
    if (!strip->by_hand) {
        cairo_surface_flush(strip->surface);
        strip->by_hand = TRUE;
    }
}

static void end_by_hand(af_strip *strip)
{
    if (strip->by_hand) {
        cairo_surface_mark_dirty(strip->surface);
        strip->by_hand = FALSE;
    }
}

static uint32_t pixel_of(af_colour colour)
{
    return (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 | colour.blue;
}

/* In whole pixels of the strip. */
typedef struct {
    int x0, y0, x1, y1;
} whole_box;

static whole_box clip_box(const af_strip *strip, const af_box *box)
{
    return (whole_box){
        .x0 = (int)CLAMP(box->x0, 0, strip->bands->width),
        .y0 = (int)CLAMP(box->y0 - strip->first, 0, strip->rows),
        .x1 = (int)CLAMP(box->x1, 0, strip->bands->width),
        .y1 = (int)CLAMP(box->y1 - strip->first, 0, strip->rows),
    };
}

static void fill_box(af_strip *strip, const whole_box *box, uint32_t pixel)
{
    begin_by_hand(strip);
    if (box->x0 >= box->x1 || box->y0 >= box->y1) {
        return;
    }
    const size_t width = (size_t)(box->x1 - box->x0);
    uint32_t *first = strip->pixels + (size_t)box->y0 * strip->stride + box->x0;
    for (size_t x = 0; x < width; x++) {
        first[x] = pixel;
    }
    for (int n = box->y1 - box->y0 - 1; n > 0; n--) {
        memcpy(first + (size_t)n * strip->stride, first, width * sizeof *first);
    }
}

/* Repeats a row of the tile. */
static void fill_hatched_row(uint32_t *row, int x0, int x1, const uint32_t *tile, int step)
{
    int phase = x0 % step;
    for (int x = x0; x < MIN(x1, x0 + step); x++) {
        row[x] = tile[phase];
        phase = phase + 1 == step ? 0 : phase + 1;
    }
    int done = MIN(x1 - x0, step);
    while (done < x1 - x0) {
        const int more = MIN(done, x1 - x0 - done);
        memcpy(row + x0 + done, row + x0, (size_t)more * sizeof *row);
        done += more;
    }
}

/* Makes a tile of hatching whose edges fit together: the step is a whole number of pixels. */
static cairo_pattern_t *make_hatch(const af_bands *bands, af_paint paint)
{
    const double step = MAX(2, floor(AF_HATCH_STEP_C * bands->unit + 0.5));
    const af_box box = {0, 0, step, step, 0};
    cairo_surface_t *tile = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)step, (int)step);
    cairo_t *cr = cairo_create(tile);
    af_shapes_colour(cr, af_palette_hatch_ground(paint, bands->dark));
    cairo_paint(cr);
    af_shapes_colour(cr, af_palette_hatch_stroke(paint, bands->dark));
    cairo_set_line_width(cr, AF_HATCH_STROKE_C * bands->unit);
    af_shapes_strokes(cr, &box, step, 0);
    cairo_stroke(cr);
    cairo_destroy(cr);
    cairo_surface_flush(tile);
    cairo_pattern_t *hatch = cairo_pattern_create_for_surface(tile);
    cairo_surface_destroy(tile);
    cairo_pattern_set_extend(hatch, CAIRO_EXTEND_REPEAT);
    cairo_pattern_set_filter(hatch, CAIRO_FILTER_NEAREST);
    return hatch;
}

static void hatch_box(af_strip *strip, const whole_box *box, cairo_pattern_t *hatch, double top)
{
    cairo_surface_t *tile;
    cairo_pattern_get_surface(hatch, &tile);
    const int step = cairo_image_surface_get_width(tile);
    const size_t stride = (size_t)cairo_image_surface_get_stride(tile) / sizeof(uint32_t);
    const uint32_t *pixels = (const uint32_t *)(void *)cairo_image_surface_get_data(tile);
    begin_by_hand(strip);
    for (int y = box->y0; y < box->y1; y++) {
        /* a page starts at or above its rectangles, except for those that stick out of it */
        const int phase = (strip->first + y - (int)top) % step;
        fill_hatched_row(strip->pixels + (size_t)y * strip->stride, box->x0, box->x1,
                         pixels + (size_t)(phase < 0 ? phase + step : phase) * stride, step);
    }
}

/* Lets cairo draw round corners. */
static void fill_path(af_strip *strip, const af_box *box)
{
    const af_box here = {box->x0, box->y0 - strip->first, box->x1, box->y1 - strip->first,
                         box->radius};
    end_by_hand(strip);
    af_shapes_box(strip->cr, &here);
    cairo_fill(strip->cr);
}

static void draw_hatched(af_strip *strip, const af_box *box, af_paint paint, double top)
{
    /* NULL after an error. */
    if (strip->hatches[paint] == NULL) {
        strip->hatches[paint] = make_hatch(strip->bands, paint);
    }
    keep_status(strip, cairo_pattern_status(strip->hatches[paint]));
    cairo_pattern_t *hatch = strip->status == CAIRO_STATUS_SUCCESS ? strip->hatches[paint] : NULL;
    if (hatch == NULL) {
        return;
    }
    if (box->radius <= 0) {
        const whole_box whole = clip_box(strip, box);
        hatch_box(strip, &whole, hatch, top);
        return;
    }
    cairo_matrix_t down;
    cairo_matrix_init_translate(&down, 0, strip->first - top);
    cairo_pattern_set_matrix(hatch, &down);
    cairo_set_source(strip->cr, hatch);
    fill_path(strip, box);
}

/* Fills a box given in pixels of the picture. */
static void fill_spot(af_strip *strip, double x, double y, double width, double height,
                      uint32_t pixel)
{
    const double x0 = floor(x + 0.5), y0 = floor(y + 0.5);
    const af_box box = {x0, y0, x0 + MAX(1, floor(width + 0.5)), y0 + MAX(1, floor(height + 0.5)),
                        0};
    const whole_box whole = clip_box(strip, &box);
    fill_box(strip, &whole, pixel);
}

static void draw_dashes(af_strip *strip, const af_box *box, uint32_t pixel)
{
    const double unit = strip->bands->unit, thick = MAX(1, floor(AF_DASHES_C * unit + 0.5));
    const double step = AF_DASH_STEP_C * unit, dash = AF_DASH_C * unit;
    const int n_across = (int)ceil((box->x1 - box->x0) / step);
    const int n_down = (int)ceil((box->y1 - box->y0) / step);
    for (int i = 0; i < n_across; i++) {
        const double x = box->x0 + i * step, length = MIN(dash, box->x1 - x);
        fill_spot(strip, x, box->y0, length, thick, pixel);
        fill_spot(strip, x, box->y1 - thick, length, thick, pixel);
    }
    for (int i = 0; i < n_down; i++) {
        const double y = box->y0 + i * step, length = MIN(dash, box->y1 - y);
        fill_spot(strip, box->x0, y, thick, length, pixel);
        fill_spot(strip, box->x1 - thick, y, thick, length, pixel);
    }
}

static void draw_rect(af_strip *strip, const af_scene_rect *rect, double top)
{
    const af_box box = af_bands_box(strip->bands, rect, top);
    const af_colour colour = af_palette_colour(rect->paint, strip->bands->dark);
    if (rect->texture == AF_TEXTURE_DOTS) {
        const uint32_t pixel = pixel_of(colour);
        const double unit = strip->bands->unit, size = AF_DOT_SIZE_C * unit;
        const double step = AF_DOT_STEP_C * unit, y = box.y0 + AF_DOT_TOP_C * unit - size / 2;
        const int n = (int)floor((box.x1 - box.x0) / step);
        for (int i = 0; i < n; i++) {
            fill_spot(strip, box.x0 + (i + 0.5) * step - size / 2, y, size, size, pixel);
        }
    } else if (rect->texture == AF_TEXTURE_DASHES) {
        draw_dashes(strip, &box, pixel_of(colour));
    } else if (rect->hatched) {
        draw_hatched(strip, &box, rect->paint, top);
    } else if (box.radius <= 0) {
        const whole_box whole = clip_box(strip, &box);
        fill_box(strip, &whole, pixel_of(colour));
    } else {
        af_shapes_colour(strip->cr, colour);
        fill_path(strip, &box);
    }
}

static void draw_text(af_strip *strip, const af_scene_text *text, double top)
{
    const af_bands *bands = strip->bands;
    end_by_hand(strip);
    af_shapes_colour(strip->cr, af_palette_colour(text->paint, bands->dark));
    if (!af_letters_draw(strip->letters, strip->cr, text, text->x * bands->unit,
                         af_bands_baseline(bands, text, top) - strip->first, bands->unit)) {
        keep_status(strip, CAIRO_STATUS_NO_MEMORY);
    }
}

void af_strip_draw(af_strip *strip, unsigned number)
{
    const af_bands *bands = strip->bands;
    const af_band *band = &bands->bands[number];
    if (strip->status != CAIRO_STATUS_SUCCESS) {
        return;
    }
    strip->first = (int)number * bands->rows;
    strip->rows = MIN(bands->rows, bands->height - strip->first);
    fill_box(strip, &(whole_box){0, 0, bands->width, strip->rows},
             pixel_of(af_palette_colour(AF_PAINT_PAGE, bands->dark)));
    for (size_t i = 0; i < band->n; i++) {
        const af_band_item *mark = &band->marks[i];
        if (mark->rect != NULL) {
            draw_rect(strip, mark->rect, mark->top);
        } else if (mark->shape != NULL) {
            end_by_hand(strip);
            af_shapes_colour(strip->cr, af_palette_colour(mark->shape->paint, strip->bands->dark));
            af_shapes_polygon(strip->cr, mark->shape, strip->bands->unit, mark->top - strip->first);
            cairo_fill(strip->cr);
        } else {
            draw_text(strip, mark->text, mark->top);
        }
    }
    begin_by_hand(strip); /* makes the pixels readable */
    keep_status(strip, cairo_status(strip->cr));
    keep_status(strip, cairo_surface_status(strip->surface));
}
