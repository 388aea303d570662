#include "render/cairo/paper.h"

#include <math.h>
#include "render/palette.h"

void af_paper_open(af_paper *paper, const af_canvas_options *options, gboolean pixels,
                   af_write_func write, void *user)
{
    paper->pixels = pixels;
    paper->dark = options->dark;
    paper->letters = af_letters_new(options->system_fonts, pixels);
    af_out_open(&paper->out, write, user);
}

static gboolean report(cairo_status_t status, GError **error)
{
    if (status == CAIRO_STATUS_SUCCESS) {
        return TRUE;
    }
    if (status == CAIRO_STATUS_NO_MEMORY) {
        g_set_error_literal(error, AF_ERROR, AF_ERROR_MEMORY, "not enough memory for the picture");
    } else {
        g_set_error(error, AF_ERROR, AF_ERROR_OUTPUT, "the picture could not be drawn (%s)",
                    cairo_status_to_string(status));
    }
    return FALSE;
}

/* What is pinned so that every machine draws the same: nothing is fitted to pixels, no colours at
 * the edges of letters. */
static void pin_letters(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

gboolean af_paper_lay(af_paper *paper, cairo_surface_t *surface, double unit, GError **error)
{
    paper->surface = surface;
    paper->unit = unit;
    paper->cr = cairo_create(surface);
    pin_letters(paper->cr);
    return report(cairo_surface_status(surface), error) && report(cairo_status(paper->cr), error);
}

cairo_status_t af_paper_write(void *closure, const unsigned char *bytes, unsigned length)
{
    af_paper *paper = closure;
    if (!paper->closed) {
        af_out_bytes(&paper->out, bytes, length);
    }
    return paper->out.error == NULL ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

void af_paper_measure(const af_scene *scene, int64_t *width, int64_t *height)
{
    const af_scene_command *commands = af_scene_commands(scene);
    *width = *height = 0;
    for (size_t i = 0, n = af_scene_n_commands(scene); i < n; i++) {
        if (commands[i].kind == AF_SCENE_PAGE) {
            *width = MAX(*width, commands[i].page.width);
            *height += commands[i].page.height;
        }
    }
}

static void set_colour(cairo_t *cr, af_colour colour)
{
    cairo_set_source_rgb(cr, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
}

void af_paper_ground(af_paper *paper, double width, double height)
{
    set_colour(paper->cr, af_palette_colour(AF_PAINT_PAGE, paper->dark));
    cairo_rectangle(paper->cr, 0, paper->top, width, height);
    cairo_fill(paper->cr);
}

typedef struct {
    double x0, y0, x1, y1, radius;
} rounded_box;

/* Edges go to the nearest pixel, so what touches still touches; what would vanish keeps one. */
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

static rounded_box place_box(const af_paper *paper, const af_scene_rect *rect)
{
    rounded_box box = {
        .x0 = rect->x * paper->unit,
        .y0 = paper->top + rect->y * paper->unit,
        .x1 = ((double)rect->x + rect->width) * paper->unit,
        .y1 = paper->top + ((double)rect->y + rect->height) * paper->unit,
        .radius = rect->radius * paper->unit,
    };
    if (paper->pixels) {
        snap(&box.x0, &box.x1);
        snap(&box.y0, &box.y1);
    }
    box.radius = MIN(box.radius, MIN(box.x1 - box.x0, box.y1 - box.y0) / 2);
    return box;
}

static void trace_box(cairo_t *cr, const rounded_box *box)
{
    const double r = box->radius;
    if (r <= 0) {
        cairo_rectangle(cr, box->x0, box->y0, box->x1 - box->x0, box->y1 - box->y0);
        return;
    }
    cairo_new_sub_path(cr);
    cairo_arc(cr, box->x1 - r, box->y0 + r, r, -G_PI_2, 0);
    cairo_arc(cr, box->x1 - r, box->y1 - r, r, 0, G_PI_2);
    cairo_arc(cr, box->x0 + r, box->y1 - r, r, G_PI_2, G_PI);
    cairo_arc(cr, box->x0 + r, box->y0 + r, r, G_PI, 1.5 * G_PI);
    cairo_close_path(cr);
}

/* Adds the strokes x + y = k * step that meet the box. Counted from the corner of the page, they
 * run on from one box to the next. */
static void trace_strokes(cairo_t *cr, const rounded_box *box, double step, double top)
{
    const double y0 = box->y0 - top - step, y1 = box->y1 - top + step;
    const double last = floor((box->x1 + box->y1 - top) / step + 1);
    for (double k = ceil((box->x0 + box->y0 - top) / step - 1); k <= last; k++) {
        cairo_move_to(cr, k * step - y1, top + y1);
        cairo_line_to(cr, k * step - y0, top + y0);
    }
}

/* A tile of hatching with edges that fit each other: the step is a whole number of pixels. */
static cairo_pattern_t *make_hatch(const af_paper *paper, af_paint paint)
{
    const double step = MAX(2, floor(AF_HATCH_STEP_C * paper->unit + 0.5));
    const rounded_box box = {0, 0, step, step, 0};
    cairo_surface_t *tile = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)step, (int)step);
    cairo_t *cr = cairo_create(tile);
    set_colour(cr, af_palette_hatch_ground(paint, paper->dark));
    cairo_paint(cr);
    set_colour(cr, af_palette_hatch_stroke(paint, paper->dark));
    cairo_set_line_width(cr, AF_HATCH_STROKE_C * paper->unit);
    trace_strokes(cr, &box, step, 0);
    cairo_stroke(cr);
    cairo_destroy(cr);
    cairo_pattern_t *hatch = cairo_pattern_create_for_surface(tile);
    cairo_surface_destroy(tile);
    cairo_pattern_set_extend(hatch, CAIRO_EXTEND_REPEAT);
    cairo_pattern_set_filter(hatch, CAIRO_FILTER_NEAREST);
    cairo_matrix_t down;
    cairo_matrix_init_translate(&down, 0, -paper->top);
    cairo_pattern_set_matrix(hatch, &down);
    return hatch;
}

static void hatch_pixels(af_paper *paper, const rounded_box *box, af_paint paint)
{
    if (paper->hatches[paint] == NULL) {
        paper->hatches[paint] = make_hatch(paper, paint);
    }
    cairo_set_source(paper->cr, paper->hatches[paint]);
    trace_box(paper->cr, box);
    cairo_fill(paper->cr);
}

static void hatch_outlines(af_paper *paper, const rounded_box *box, af_paint paint)
{
    cairo_t *cr = paper->cr;
    set_colour(cr, af_palette_hatch_ground(paint, paper->dark));
    trace_box(cr, box);
    cairo_fill(cr);
    cairo_save(cr);
    trace_box(cr, box);
    cairo_clip(cr);
    set_colour(cr, af_palette_hatch_stroke(paint, paper->dark));
    cairo_set_line_width(cr, AF_HATCH_STROKE_C * paper->unit);
    trace_strokes(cr, box, AF_HATCH_STEP_C * paper->unit, paper->top);
    cairo_stroke(cr);
    cairo_restore(cr);
}

void af_paper_rect(af_paper *paper, const af_scene_rect *rect)
{
    if (rect->width <= 0 || rect->height <= 0) {
        return;
    }
    const rounded_box box = place_box(paper, rect);
    if (rect->hatched && paper->pixels) {
        hatch_pixels(paper, &box, rect->paint);
    } else if (rect->hatched) {
        hatch_outlines(paper, &box, rect->paint);
    } else {
        set_colour(paper->cr, af_palette_colour(rect->paint, paper->dark));
        trace_box(paper->cr, &box);
        cairo_fill(paper->cr);
    }
}

void af_paper_text(af_paper *paper, const af_scene_text *text)
{
    double baseline = paper->top + text->baseline * paper->unit;
    if (paper->pixels) {
        baseline = floor(baseline + 0.5);
    }
    set_colour(paper->cr, af_palette_colour(text->paint, paper->dark));
    if (!af_letters_draw(paper->letters, paper->cr, text, text->x * paper->unit, baseline,
                         paper->unit)) {
        paper->refused = TRUE;
    }
}

gboolean af_paper_check(af_paper *paper, GError **error)
{
    if (paper->out.error != NULL) {
        paper->closed = TRUE;
        return af_out_close(&paper->out, error);
    }
    return report(paper->refused ? CAIRO_STATUS_NO_MEMORY : cairo_status(paper->cr), error) &&
           report(cairo_surface_status(paper->surface), error);
}

gboolean af_paper_close(af_paper *paper, GError **error)
{
    if (!af_paper_check(paper, error)) {
        paper->closed = TRUE;
        return FALSE;
    }
    cairo_destroy(paper->cr);
    paper->cr = NULL;
    cairo_surface_finish(paper->surface);
    paper->closed = TRUE;
    if (paper->out.error == NULL && !report(cairo_surface_status(paper->surface), error)) {
        return FALSE;
    }
    return af_out_close(&paper->out, error);
}

void af_paper_clear(af_paper *paper)
{
    paper->closed = TRUE;
    for (int i = 0; i < AF_PAINT_COUNT; i++) {
        if (paper->hatches[i] != NULL) {
            cairo_pattern_destroy(paper->hatches[i]);
        }
    }
    if (paper->cr != NULL) {
        cairo_destroy(paper->cr);
    }
    if (paper->surface != NULL) {
        cairo_surface_destroy(paper->surface);
    }
    af_letters_free(paper->letters);
    g_clear_error(&paper->out.error);
}
