/* Draws comparisons. */
#include <aflame/diff.h>

#include "api/drawing.h"
#include "base/memory_error.h"
#include "compare/diff.h"
#include "render/diff/diff_sheet.h"
#include "report/diff/diff_format.h"

/* Budget for the union in base64. */
#define AUTO_BUDGET ((size_t)900000)

static af_scene *draw(const af_diff *diff, const af_canvas_class *canvas,
                      const af_picture_options *options, GPtrArray *messages)
{
    const gboolean interactive = af_drawing_is_interactive(canvas, options);
    GPtrArray *sentences = af_diff_describe_whole(diff);
    GPtrArray *causes = af_diff_describe_causes(diff);
    char *title = af_drawing_clean_name(options->title);
    char *sides = af_diff_say_sides(diff);
    char *inputs = af_drawing_clean_name(sides);
    const af_diff_sheet_options sheet = {
        .title = title,
        .inputs = inputs,
        .program = AF_DRAWING_PROGRAM,
        .sentences = sentences,
        .causes = causes,
        .width_c = af_drawing_width_c(options),
        .min_width_c = options->min_width_c,
        .inverted = options->inverted,
        .full_depth = options->full_depth,
        .paged = canvas->paged,
        .chosen = options->threads != NULL,
        .fluid = options->width_px == 0,
        .interactive = interactive,
        .packed = interactive && options->data != AF_DATA_NONE,
        .pack_budget = options->data != AF_DATA_AUTO ? 0
                       : options->data_budget == 0   ? AUTO_BUDGET
                                                     : options->data_budget,
        .jobs = options->jobs,
        .messages = messages,
    };
    af_scene *scene = af_diff_sheet_new(diff, &sheet);
    g_free(inputs);
    g_free(sides);
    g_free(title);
    g_ptr_array_unref(causes);
    g_ptr_array_unref(sentences);
    return scene;
}

gboolean af_diff_draw(const af_diff *diff, const char *format, const af_picture_options *options,
                      af_write_func write, void *user, GPtrArray **messages, GError **error)
{
    const af_picture_options known = af_drawing_fill_options(options);
    const af_canvas_class *canvas = af_drawing_choose_canvas(format, &known, error);
    if (canvas == NULL || !af_drawing_check(&known, error)) {
        return FALSE;
    }
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    af_scene *scene = draw(diff, canvas, &known, list);
    if (scene == NULL) {
        g_ptr_array_unref(list);
        af_memory_error_set(error);
        return FALSE;
    }
    const gboolean ok =
        af_drawing_play(scene, canvas, &known, af_drawing_is_interactive(canvas, &known),
                        known.epoch_s, write, user, list, error);
    af_scene_free(scene);
    if (messages != NULL && ok) {
        *messages = list;
    } else {
        g_ptr_array_unref(list);
    }
    return ok;
}
