#include "render/cairo/shapes.h"

#include <aflame/error.h>
#include <math.h>
#include "base/memory_error.h"

/* No hinting to pixels, no colours at the edges of letters. */
void af_shapes_pin_letters(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

void af_shapes_colour(cairo_t *cr, af_colour colour)
{
    cairo_set_source_rgb(cr, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
}

void af_shapes_box(cairo_t *cr, const af_box *box)
{
    const double r = MIN(box->radius, MIN(box->x1 - box->x0, box->y1 - box->y0) / 2);
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

void af_shapes_strokes(cairo_t *cr, const af_box *box, double step, double top)
{
    const double y0 = box->y0 - top - step, y1 = box->y1 - top + step;
    const int last = (int)(floor((box->x1 + box->y1 - top) / step + 1));
    for (int k = (int)(ceil((box->x0 + box->y0 - top) / step - 1)); k <= last; k++) {
        cairo_move_to(cr, k * step - y1, top + y1);
        cairo_line_to(cr, k * step - y0, top + y0);
    }
}

void af_shapes_polygon(cairo_t *cr, const af_scene_shape *shape, double unit, double top)
{
    for (uint32_t i = 0; i < shape->n; i++) {
        const double x = shape->points[i].x * unit, y = top + shape->points[i].y * unit;
        if (i == 0) {
            cairo_move_to(cr, x, y);
        } else {
            cairo_line_to(cr, x, y);
        }
    }
    cairo_close_path(cr);
}

gboolean af_shapes_report(cairo_status_t status, GError **error)
{
    if (status == CAIRO_STATUS_SUCCESS) {
        return TRUE;
    }
    if (status == CAIRO_STATUS_NO_MEMORY) {
        af_memory_error_set(error);
    } else {
        g_set_error(error, AF_ERROR, AF_ERROR_OUTPUT, "the picture could not be drawn (%s)",
                    cairo_status_to_string(status));
    }
    return FALSE;
}
