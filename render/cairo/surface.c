#include "render/cairo/surface.h"

#include "render/cairo/paper.h"
#include "render/cairo/shapes.h"

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_surface_target *target = user;
    int64_t width_c, height_c;
    af_scene_measure(scene, &width_c, &height_c);
    target->width = (double)width_c / 100;
    target->height = (double)height_c / 100;
    af_canvas *paper = af_paper_new(scene, options, NULL, NULL);
    if (target->cr == NULL) {
        return paper;
    }
    paper->cr = cairo_reference(target->cr);
    paper->surface = cairo_surface_reference(cairo_get_target(target->cr));
    paper->unit = 0.01;
    if (!af_paper_check(paper, error)) {
        af_paper_free(paper);
        return NULL;
    }
    cairo_save(paper->cr);
    cairo_new_path(paper->cr);
    cairo_set_operator(paper->cr, CAIRO_OPERATOR_OVER);
    af_shapes_pin_letters(paper->cr);
    af_paper_ground(paper, target->width, target->height);
    return paper;
}

static gboolean finish(af_canvas *paper, GError **error)
{
    if (paper->cr == NULL) {
        return TRUE;
    }
    cairo_restore(paper->cr);
    cairo_new_path(paper->cr);
    return af_paper_check(paper, error);
}

const af_canvas_class af_canvas_surface = {
    .name = "surface",
    .extension = "",
    .title = "a surface of cairo",
    .begin = begin,
    .page = af_paper_page,
    .rect = af_paper_rect,
    .text = af_paper_text,
    .shape = af_paper_shape,
    .finish = finish,
    .free = af_paper_free,
};
