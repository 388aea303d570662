#include "render/canvas.h"

#include "base/c_locale.h"
#include "base/memory_error.h"
#include "base/named.h"

#define ADDRESS(name) &af_canvas_##name,
static const af_canvas_class *const canvases[] = {AF_CANVASES(ADDRESS)};

AF_NAMED_TABLE(af_canvas_class, canvases, af_canvas_at, af_canvas_lookup)

static void play_command(const af_canvas_class *class, af_canvas *canvas,
                         const af_scene_command *command)
{
    switch (command->kind) {
    case AF_SCENE_PAGE:
        class->page(canvas, &command->page);
        break;
    case AF_SCENE_RECT:
        class->rect(canvas, &command->rect);
        break;
    case AF_SCENE_TEXT:
        class->text(canvas, &command->text);
        break;
    case AF_SCENE_PUSH:
        if (class->push != NULL) {
            class->push(canvas, command->group);
        }
        break;
    case AF_SCENE_POP:
        if (class->pop != NULL) {
            class->pop(canvas);
        }
        break;
    case AF_SCENE_LINK:
        if (class->link != NULL) {
            class->link(canvas, &command->link);
        }
        break;
    case AF_SCENE_SHAPE:
        class->shape(canvas, &command->shape);
        break;
    }
}

static gboolean play(const af_canvas_class *canvas_class, const af_scene *scene,
                     const af_canvas_options *options, af_write_func write, void *user,
                     GError **error)
{
    if (!af_scene_ok(scene)) {
        return af_memory_error_set(error);
    }
    af_canvas *canvas = canvas_class->begin(scene, options, write, user, error);
    if (canvas == NULL) {
        return FALSE;
    }
    const af_scene_command *commands = scene->commands;
    const size_t n = canvas_class->page != NULL ? scene->n_commands : 0;
    for (size_t i = 0; i < n; i++) {
        play_command(canvas_class, canvas, &commands[i]);
    }
    gboolean done = canvas_class->finish(canvas, error);
    canvas_class->free(canvas);
    return done;
}

gboolean af_canvas_play(const af_canvas_class *canvas_class, const af_scene *scene,
                        const af_canvas_options *options, af_write_func write, void *user,
                        GError **error)
{
    const af_c_locale locale = af_c_locale_begin();
    const gboolean done = play(canvas_class, scene, options, write, user, error);
    af_c_locale_end(&locale);
    return done;
}
