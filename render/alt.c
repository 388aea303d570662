/* The alternative text of a picture as an output of its own: a line of text instead of a
 * drawing. */
#include "base/out.h"
#include "render/canvas.h"

struct af_canvas {
    const af_scene *scene;
    af_out out;
};

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_canvas *canvas = g_new0(af_canvas, 1);
    canvas->scene = scene;
    af_out_open(&canvas->out, write, user);
    return canvas;
}

static gboolean finish(af_canvas *canvas, GError **error)
{
    const char *text = canvas->scene->about.description;
    af_out_text(&canvas->out, text != NULL ? text : "");
    af_out_char(&canvas->out, '\n');
    return af_out_close(&canvas->out, error);
}

static void free_canvas(af_canvas *canvas)
{
    g_clear_error(&canvas->out.error);
    g_free(canvas);
}

const af_canvas_class af_canvas_alt = {
    .name = "alt",
    .extension = "txt",
    .title = "alternative text",
    .begin = begin,
    .finish = finish,
    .free = free_canvas,
};
