#include "render/cairo/strip.h"

#include <math.h>
#include <string.h>

#include "render/sizes.h"

/* A band takes four bytes for each of its pixels. Bands of half the size make a file 0.3 % larger and
 * draw more letters twice. */
#define BAND_PIXELS (320 * 1024)
#define MOST_ROWS   128

static void keep_status(af_strip *strip, cairo_status_t status)
{
    if (strip->status == CAIRO_STATUS_SUCCESS) {
        strip->status = status;
    }
}

static int count_rows(const af_strip *strip)
{
    return CLAMP(BAND_PIXELS / strip->width, 1, MOST_ROWS);
}

void af_strip_open(af_strip *strip)
{
    strip->letters = af_letters_new(strip->system_fonts, TRUE);
    strip->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, strip->width,
                                                MIN(count_rows(strip), strip->height));
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
    af_letters_free(strip->letters);
}

/* Draws a box of the picture, whose edges are whole pixels, with the source of `cr`. Cairo has 24 bits
 * for a position, and a box may be longer than the picture. */
static void fill_box(const af_strip *strip, const af_box *box)
{
    enum { AROUND = 1 << 16 };
    const af_box here = {box->x0, MAX(box->y0 - strip->first, -AROUND), box->x1,
                         MIN(box->y1 - strip->first, strip->rows + AROUND), box->radius};
    af_shapes_box(strip->cr, &here);
    cairo_fill(strip->cr);
}

/* Makes a tile of hatching whose edges fit together: the step is a whole number of pixels. */
static cairo_pattern_t *make_hatch(const af_strip *strip, af_paint paint)
{
    const double step = MAX(2, floor(AF_HATCH_STEP_C * strip->unit + 0.5));
    const af_box box = {0, 0, step, step, 0};
    cairo_surface_t *tile = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)step, (int)step);
    cairo_t *cr = cairo_create(tile);
    af_shapes_colour(cr, af_palette_hatch_ground(paint, strip->dark));
    cairo_paint(cr);
    af_shapes_colour(cr, af_palette_colour(paint, strip->dark));
    cairo_set_line_width(cr, AF_HATCH_STROKE_C * strip->unit);
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

static void draw_hatched(af_strip *strip, const af_box *box, af_paint paint, double top)
{
    /* NULL after an error. */
    if (strip->hatches[paint] == NULL) {
        strip->hatches[paint] = make_hatch(strip, paint);
    }
    keep_status(strip, cairo_pattern_status(strip->hatches[paint]));
    cairo_pattern_t *hatch = strip->status == CAIRO_STATUS_SUCCESS ? strip->hatches[paint] : NULL;
    if (hatch == NULL) {
        return;
    }
    cairo_matrix_t down;
    cairo_matrix_init_translate(&down, 0, strip->first - top);
    cairo_pattern_set_matrix(hatch, &down);
    cairo_set_source(strip->cr, hatch);
    fill_box(strip, box);
}

/* Fills a box given in pixels of the picture. */
static void fill_spot(const af_strip *strip, double x, double y, double width, double height)
{
    const double x0 = floor(x + 0.5), y0 = floor(y + 0.5);
    fill_box(strip, &(af_box){x0, y0, x0 + MAX(1, floor(width + 0.5)),
                              y0 + MAX(1, floor(height + 0.5)), 0});
}

static void draw_dashes(const af_strip *strip, const af_box *box)
{
    const double unit = strip->unit, thick = MAX(1, floor(AF_DASHES_C * unit + 0.5));
    const double step = AF_DASH_STEP_C * unit, dash = AF_DASH_C * unit;
    const int n_across = (int)ceil((box->x1 - box->x0) / step);
    const int n_down = (int)ceil((box->y1 - box->y0) / step);
    for (int i = 0; i < n_across; i++) {
        const double x = box->x0 + i * step, length = MIN(dash, box->x1 - x);
        fill_spot(strip, x, box->y0, length, thick);
        fill_spot(strip, x, box->y1 - thick, length, thick);
    }
    for (int i = 0; i < n_down; i++) {
        const double y = box->y0 + i * step, length = MIN(dash, box->y1 - y);
        fill_spot(strip, box->x0, y, thick, length);
        fill_spot(strip, box->x1 - thick, y, thick, length);
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

static void draw_rect(af_strip *strip, const af_scene_rect *rect, double top)
{
    const double unit = strip->unit;
    af_box box = {
        .x0 = rect->x * unit,
        .y0 = top + rect->y * unit,
        .x1 = ((double)rect->x + rect->width) * unit,
        .y1 = top + ((double)rect->y + rect->height) * unit,
        .radius = rect->radius * unit,
    };
    snap(&box.x0, &box.x1);
    snap(&box.y0, &box.y1);
    af_shapes_colour(strip->cr, af_palette_colour(rect->paint, strip->dark));
    if (rect->texture == AF_TEXTURE_DOTS) {
        const double size = AF_DOT_SIZE_C * unit, step = AF_DOT_STEP_C * unit;
        const double y = box.y0 + AF_DOT_TOP_C * unit - size / 2;
        const int n = (int)floor((box.x1 - box.x0) / step);
        for (int i = 0; i < n; i++) {
            fill_spot(strip, box.x0 + (i + 0.5) * step - size / 2, y, size, size);
        }
    } else if (rect->texture == AF_TEXTURE_DASHES) {
        draw_dashes(strip, &box);
    } else if (rect->hatched) {
        draw_hatched(strip, &box, rect->paint, top);
    } else {
        fill_box(strip, &box);
    }
}

static void draw_text(af_strip *strip, const af_scene_text *text, double top)
{
    const double baseline = floor(top + text->baseline * strip->unit + 0.5);
    af_shapes_colour(strip->cr, af_palette_colour(text->paint, strip->dark));
    if (!af_letters_draw(strip->letters, strip->cr, text, text->x * strip->unit,
                         baseline - strip->first, strip->unit)) {
        keep_status(strip, CAIRO_STATUS_NO_MEMORY);
    }
}

static void draw_shape(af_strip *strip, const af_scene_shape *shape, double top)
{
    af_shapes_colour(strip->cr, af_palette_colour(shape->paint, strip->dark));
    af_shapes_polygon(strip->cr, shape, strip->unit, top - strip->first);
    cairo_fill(strip->cr);
}

/* Whether something between `low` and `high`, hundredths of a pixel from the top of its page, may be
 * in the rows of the strip. */
static gboolean meets(const af_strip *strip, double top, double low, double high)
{
    enum { ROUNDING = 2 };
    return top + low * strip->unit < strip->first + strip->rows + ROUNDING &&
           top + high * strip->unit > strip->first - ROUNDING;
}

static gboolean meets_shape(const af_strip *strip, const af_scene_shape *shape, double top)
{
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (uint32_t i = 0; i < shape->n; i++) {
        low = MIN(low, shape->points[i].y);
        high = MAX(high, shape->points[i].y);
    }
    return meets(strip, top, low, high);
}

/* Letters of the faces for simple text reach at most 1.08 ems above the baseline and 0.39 below it,
 * those of the fallback face 1.24 and 0.47. Marks may be stacked, and the machine's faces have
 * unknown extents: some write a word downhill. */
static gboolean meets_text(const af_strip *strip, const af_scene_text *text, double top)
{
    double reach = text->simple ? 1.125 : 2;
    for (const char *c = text->text; !text->simple && *c != '\0'; c = g_utf8_next_char(c)) {
        reach += strip->system_fonts || g_unichar_iszerowidth(g_utf8_get_char(c));
    }
    return meets(strip, top, text->baseline - reach * text->size,
                 text->baseline + (text->simple ? 0.5 : reach) * text->size);
}

static void draw_command(af_strip *strip, const af_scene_command *command, double top)
{
    const af_scene_rect *rect = &command->rect;
    if (command->kind == AF_SCENE_RECT && rect->width > 0 && rect->height > 0 &&
        meets(strip, top, rect->y, (double)rect->y + rect->height)) {
        draw_rect(strip, rect, top);
    } else if (command->kind == AF_SCENE_SHAPE && meets_shape(strip, &command->shape, top)) {
        draw_shape(strip, &command->shape, top);
    } else if (command->kind == AF_SCENE_TEXT && meets_text(strip, &command->text, top)) {
        draw_text(strip, &command->text, top);
    }
}

gboolean af_strip_next(af_strip *strip)
{
    const af_scene_command *commands = strip->scene->commands;
    double top = 0, next_top = 0; /* of the page: a whole number of pixels */
    strip->first += strip->rows;
    strip->rows = MIN(count_rows(strip), strip->height - strip->first);
    if (strip->rows == 0 || strip->status != CAIRO_STATUS_SUCCESS) {
        strip->first = 0;
        return FALSE;
    }
    af_shapes_colour(strip->cr, af_palette_colour(AF_PAINT_PAGE, strip->dark));
    cairo_paint(strip->cr);
    for (size_t i = 0; i < strip->scene->n_commands; i++) {
        if (commands[i].kind == AF_SCENE_PAGE) {
            top = next_top;
            next_top += ceil(commands[i].page.height * strip->unit);
        }
        draw_command(strip, &commands[i], top);
    }
    cairo_surface_flush(strip->surface); /* makes the pixels readable */
    keep_status(strip, cairo_status(strip->cr));
    keep_status(strip, cairo_surface_status(strip->surface));
    return strip->status == CAIRO_STATUS_SUCCESS;
}
