#include "render/cairo/surface.h"

#include "render/cairo/paper.h"
#include "render/cairo/shapes.h"

struct af_canvas {
    af_paper paper;
    cairo_t *cr; /* the caller's, borrowed; NULL = only measure */
    double next_top;
};

static void free_canvas(af_canvas *canvas)
{
    if (canvas != NULL) {
        af_paper_clear(&canvas->paper);
        g_free(canvas);
    }
}

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_surface_target *target = user;
    int64_t width_c, height_c;
    af_paper_measure(scene, &width_c, &height_c);
    target->width = (double)width_c / 100;
    target->height = (double)height_c / 100;
    af_canvas *canvas = g_new0(af_canvas, 1);
    canvas->cr = target->cr;
    if (canvas->cr == NULL) {
        return canvas;
    }
    af_paper *paper = &canvas->paper;
    af_paper_open(paper, options, NULL, NULL);
    paper->cr = cairo_reference(canvas->cr);
    paper->surface = cairo_surface_reference(cairo_get_target(canvas->cr));
    paper->unit = 0.01;
    if (!af_paper_check(paper, error)) {
        free_canvas(canvas);
        return NULL;
    }
    cairo_save(canvas->cr);
    cairo_new_path(canvas->cr);
    cairo_set_operator(canvas->cr, CAIRO_OPERATOR_OVER);
    af_shapes_pin_letters(canvas->cr);
    af_paper_ground(paper, target->width, target->height);
    return canvas;
}

static void begin_page(af_canvas *canvas, const af_scene_page *page)
{
    canvas->paper.top = canvas->next_top;
    canvas->next_top += page->height * 0.01;
}

static void draw_rect(af_canvas *canvas, const af_scene_rect *rect)
{
    if (canvas->cr != NULL) {
        af_paper_rect(&canvas->paper, rect);
    }
}

static void draw_shape(af_canvas *canvas, const af_scene_shape *shape)
{
    if (canvas->cr != NULL) {
        af_paper_shape(&canvas->paper, shape);
    }
}

static void draw_text(af_canvas *canvas, const af_scene_text *text)
{
    if (canvas->cr != NULL) {
        af_paper_text(&canvas->paper, text);
    }
}

static gboolean finish(af_canvas *canvas, GError **error)
{
    if (canvas->cr == NULL) {
        return TRUE;
    }
    cairo_restore(canvas->cr);
    cairo_new_path(canvas->cr);
    return af_paper_check(&canvas->paper, error);
}

const af_canvas_class af_canvas_surface = {
    .name = "surface",
    .extension = "",
    .title = "a surface of cairo",
    .begin = begin,
    .page = begin_page,
    .rect = draw_rect,
    .text = draw_text,
    .shape = draw_shape,
    .finish = finish,
    .free = free_canvas,
};
