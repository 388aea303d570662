#include "render/cairo/paper.h"

#include "render/cairo/shapes.h"
#include "render/sizes.h"

af_canvas *af_paper_new(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user)
{
    af_canvas *paper = g_new0(af_canvas, 1);
    paper->scene = scene;
    paper->dark = options->dark;
    paper->program = options->program;
    paper->messages = options->messages;
    paper->letters = af_letters_new(options->system_fonts, FALSE);
    paper->written = af_spool_new(NULL);
    af_out_open(&paper->out, write, user);
    return paper;
}

gboolean af_paper_lay(af_canvas *paper, cairo_surface_t *surface, double unit, GError **error)
{
    paper->surface = surface;
    paper->unit = unit;
    paper->cr = cairo_create(surface);
    af_shapes_pin_letters(paper->cr);
    const gboolean ok = af_shapes_report(cairo_surface_status(surface), error) &&
                        af_shapes_report(cairo_status(paper->cr), error);
    if (!ok) {
        af_paper_free(paper);
    }
    return ok;
}

cairo_status_t af_paper_write(void *closure, const unsigned char *bytes, unsigned length)
{
    af_canvas *paper = closure;
    paper->refused = paper->refused || !af_spool_add(paper->written, bytes, length, NULL);
    /* never an error for cairo: 1.16 aborts if writing fails while it ends a document */
    return CAIRO_STATUS_SUCCESS;
}

void af_paper_ground(af_canvas *paper, double width, double height)
{
    af_shapes_colour(paper->cr, af_palette_colour(AF_PAINT_PAGE, paper->dark));
    cairo_rectangle(paper->cr, 0, paper->top, width, height);
    cairo_fill(paper->cr);
}

static void draw_hatched(af_canvas *paper, const af_box *box, af_paint paint)
{
    cairo_t *cr = paper->cr;
    af_shapes_colour(cr, af_palette_hatch_ground(paint, paper->dark));
    af_shapes_box(cr, box);
    cairo_fill(cr);
    cairo_save(cr);
    af_shapes_box(cr, box);
    cairo_clip(cr);
    af_shapes_colour(cr, af_palette_colour(paint, paper->dark));
    cairo_set_line_width(cr, AF_HATCH_STROKE_C * paper->unit);
    af_shapes_strokes(cr, box, AF_HATCH_STEP_C * paper->unit, paper->top);
    cairo_stroke(cr);
    cairo_restore(cr);
}

static void draw_texture(const af_canvas *paper, const af_scene_rect *rect)
{
    cairo_t *cr = paper->cr;
    const double unit = paper->unit;
    const gboolean dots = rect->texture == AF_TEXTURE_DOTS;
    const double inset = dots ? AF_DOT_STEP_C / 2.0 : AF_DASHES_C / 2.0;
    const double dashes[2] = {dots ? 0 : AF_DASH_C * unit,
                              (dots ? AF_DOT_STEP_C : AF_DASH_STEP_C - AF_DASH_C) * unit};
    const double x = (rect->x + inset) * unit, width = (rect->width - 2 * inset) * unit;
    cairo_save(cr);
    af_shapes_colour(cr, af_palette_colour(rect->paint, paper->dark));
    cairo_set_dash(cr, dashes, 2, 0);
    cairo_set_line_width(cr, (dots ? AF_DOT_SIZE_C : AF_DASHES_C) * unit);
    if (dots) {
        const double y = paper->top + (rect->y + AF_DOT_TOP_C) * unit;
        cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
    } else {
        cairo_rectangle(cr, x, paper->top + (rect->y + inset) * unit, width,
                        (rect->height - 2 * inset) * unit);
    }
    cairo_stroke(cr);
    cairo_restore(cr);
}

void af_paper_page(af_canvas *paper, const af_scene_page *page)
{
    paper->top = paper->next_top;
    paper->next_top += page->height * paper->unit;
}

void af_paper_rect(af_canvas *paper, const af_scene_rect *rect)
{
    if (rect->width <= 0 || rect->height <= 0 || paper->cr == NULL) {
        return;
    }
    if (rect->texture != AF_TEXTURE_NONE) {
        draw_texture(paper, rect);
        return;
    }
    const af_box box = {
        .x0 = rect->x * paper->unit,
        .y0 = paper->top + rect->y * paper->unit,
        .x1 = ((double)rect->x + rect->width) * paper->unit,
        .y1 = paper->top + ((double)rect->y + rect->height) * paper->unit,
        .radius = rect->radius * paper->unit,
    };
    if (rect->hatched) {
        draw_hatched(paper, &box, rect->paint);
    } else {
        af_shapes_colour(paper->cr, af_palette_colour(rect->paint, paper->dark));
        af_shapes_box(paper->cr, &box);
        cairo_fill(paper->cr);
    }
}

void af_paper_shape(af_canvas *paper, const af_scene_shape *shape)
{
    if (paper->cr != NULL) {
        af_shapes_colour(paper->cr, af_palette_colour(shape->paint, paper->dark));
        af_shapes_polygon(paper->cr, shape, paper->unit, paper->top);
        cairo_fill(paper->cr);
    }
}

void af_paper_text(af_canvas *paper, const af_scene_text *text)
{
    const double baseline = paper->top + text->baseline * paper->unit;
    if (paper->cr == NULL) {
        return;
    }
    af_shapes_colour(paper->cr, af_palette_colour(text->paint, paper->dark));
    if (!af_letters_draw(paper->letters, paper->cr, text, text->x * paper->unit, baseline,
                         paper->unit)) {
        paper->refused = TRUE;
    }
}

gboolean af_paper_check(af_canvas *paper, GError **error)
{
    return af_shapes_report(paper->refused ? CAIRO_STATUS_NO_MEMORY : cairo_status(paper->cr),
                            error) &&
           af_shapes_report(cairo_surface_status(paper->surface), error);
}

gboolean af_paper_end(af_canvas *paper, GError **error)
{
    if (!af_paper_check(paper, error)) {
        return FALSE;
    }
    cairo_destroy(paper->cr);
    paper->cr = NULL;
    cairo_surface_finish(paper->surface);
    return af_shapes_report(
        paper->refused ? CAIRO_STATUS_NO_MEMORY : cairo_surface_status(paper->surface), error);
}

GBytes *af_paper_profile(const af_canvas *paper)
{
    return af_scene_find_attachment(paper->scene, AF_ATTACHED_PROFILE, NULL);
}

void af_paper_free(af_canvas *paper)
{
    if (paper->cr != NULL) {
        cairo_destroy(paper->cr);
    }
    if (paper->surface != NULL) {
        cairo_surface_destroy(paper->surface);
    }
    af_letters_free(paper->letters);
    af_spool_free(paper->written); /* the surface may have written until it was destroyed */
    g_clear_error(&paper->out.error);
    g_free(paper);
}
