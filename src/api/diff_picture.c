/* Draws comparisons. */
#include <aflame/diff.h>

#include <string.h>

#include "api/byte_limit.h"
#include "api/carried_sides.h"
#include "api/drawing.h"
#include "api/messages.h"
#include "base/memory_error.h"
#include "compare/diff.h"
#include "model/visible.h"
#include "render/diff/diff_sheet.h"
#include "report/diff/diff_format.h"

/* The comparison with names for pictures. FALSE if memory is refused. */
static gboolean show_names(af_diff *diff, af_arena *arena)
{
    static const size_t of_label[] = {offsetof(af_diff_label, text),
                                      offsetof(af_diff_label, class_name),
                                      offsetof(af_diff_label, source)};
    static const size_t of_thread[] = {offsetof(af_diff_thread, title),
                                       offsetof(af_diff_thread, name[AF_BEFORE]),
                                       offsetof(af_diff_thread, name[AF_AFTER])};
    static const size_t of_input[] = {0};
    af_diff_label *labels = AF_VISIBLE_COPY(arena, diff->labels, diff->n_labels, of_label);
    for (uint32_t i = 0; labels != NULL && i < diff->n_labels; i++) {
        const af_diff_label *from = &diff->labels[i];
        if (labels[i].text != from->text && labels[i].text != NULL) {
            labels[i].length = (uint32_t)strlen(labels[i].text);
            labels[i].class_length = (uint32_t)af_visible_offset(from->text, from->class_length);
            labels[i].method_at = (uint32_t)af_visible_offset(from->text, from->method_at);
        }
    }
    for (unsigned s = 0; s < AF_SIDES; s++) {
        af_diff_side *side = &diff->side[s];
        side->inputs = AF_VISIBLE_COPY(arena, side->inputs, side->n_inputs, of_input);
    }
    diff->threads = AF_VISIBLE_COPY(arena, diff->threads, diff->n_threads, of_thread);
    diff->labels = labels;
    return !af_arena_failed(arena);
}

static af_scene *draw(const af_diff *diff, const af_canvas_class *canvas,
                      const af_picture_options *options, GPtrArray *messages)
{
    const gboolean ticket = options->view == AF_VIEW_SHEET;
    const gboolean interactive = af_drawing_is_interactive(canvas, options) && !ticket;
    g_autofree char *verdict = ticket ? af_diff_say_verdict(diff) : NULL;
    g_autoptr(GPtrArray) sentences = af_diff_describe_whole(diff);
    if (ticket) { /* the verdict has the difference, after the two inputs */
        g_ptr_array_remove_index(sentences, 2);
    }
    g_autoptr(GPtrArray) causes = af_diff_describe_causes(diff);
    g_autofree char *title = af_drawing_clean_name(options->title);
    g_autofree char *sides = af_diff_say_sides(diff);
    g_autofree char *inputs = af_drawing_clean_name(sides);
    const af_diff_sheet_options sheet = {
        .title = title,
        .inputs = inputs,
        .program = AF_DRAWING_PROGRAM,
        .sentences = sentences,
        .causes = causes,
        .verdict = verdict,
        .command = options->command,
        .profiles = diff->shown[AF_BEFORE] != NULL ? diff->shown : NULL,
        .width_c = af_drawing_width_c(options, canvas),
        .height_c = af_drawing_height_c(options, canvas),
        .min_width_c = options->min_width_c,
        .inverted = options->inverted,
        .full_depth = options->full_depth,
        .paged = canvas->paged && !ticket,
        .chosen = options->threads != NULL,
        .fluid = options->width_px == 0 && !ticket,
        .interactive = interactive,
        .packed = interactive && options->data != AF_DATA_NONE,
        .pack_budget = af_drawing_pack_budget(options),
        .jobs = options->jobs,
        .messages = messages,
    };
    return af_diff_sheet_new(diff, &sheet);
}

static gboolean play(const void *subject, const af_canvas_class *canvas,
                     const af_picture_options *known, af_write_func write, void *user,
                     GPtrArray *messages, GError **error)
{
    const af_diff *diff = subject;
    af_arena *names = af_arena_new();
    af_diff visible = *diff;
    af_carried_sides carried = {.bytes = NULL};
    const gboolean carries =
        diff->carried[AF_BEFORE] != NULL && known->data != AF_DATA_NONE && !known->no_profile;
    gboolean ok =
        !carries || af_carried_sides_begin(&carried, diff, af_carried_profile_limit(canvas, known),
                                           known->jobs, error);
    af_scene *scene = NULL;
    if (ok) {
        scene = show_names(&visible, names) ? draw(&visible, canvas, known, messages) : NULL;
        ok = scene != NULL || af_memory_error_set(error);
    }
    ok = ok &&
         (!carries || af_carried_sides_attach(&carried, scene, canvas->binary, messages, error)) &&
         af_drawing_play(scene, canvas, known,
                         known->view != AF_VIEW_SHEET && af_drawing_is_interactive(canvas, known),
                         known->epoch_s, write, user, messages, error);
    if (scene != NULL) {
        af_scene_free(scene);
    }
    af_carried_sides_clear(&carried);
    af_arena_free(names);
    return ok;
}

void af_diff_show_timelines(af_diff *diff, const af_profile *before, const af_profile *after)
{
    diff->shown[AF_BEFORE] = before;
    diff->shown[AF_AFTER] = after;
}

bool af_diff_draw(const af_diff *diff, const char *format, const af_picture_options *options,
                  af_write_func write, void *user, char ***messages, GError **error)
{
    af_picture_options known;
    if (!af_drawing_fill_options(options, FALSE, &known, error)) {
        return FALSE;
    }
    const af_canvas_class *canvas = af_drawing_choose_canvas(format, &known, error);
    af_messages_give(NULL, messages);
    return canvas != NULL && af_drawing_check(&known, error) &&
           af_byte_limit_draw(play, diff, canvas, &known, write, user, messages, error);
}
