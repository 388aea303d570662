#include "render/scene.h"

#include <string.h>
#include "base/arena.h"
#include "base/array.h"

static void clear_attachment(gpointer element)
{
    g_clear_pointer(&((af_scene_attachment *)element)->bytes, g_bytes_unref);
}

af_scene *af_scene_new(void)
{
    af_scene *scene = g_new0(af_scene, 1);
    scene->arena = af_arena_new();
    scene->about.date_s = -1;
    scene->attachments = g_array_new(FALSE, FALSE, sizeof(af_scene_attachment));
    g_array_set_clear_func(scene->attachments, clear_attachment);
    for (unsigned bold = 0; bold < 2; bold++) {
        af_array_init(&scene->needed_texts[bold], sizeof(const char *));
    }
    return scene;
}

void af_scene_free(af_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    g_array_unref(scene->attachments);
    for (unsigned bold = 0; bold < 2; bold++) {
        af_array_clear(&scene->needed_texts[bold]);
    }
    g_free(scene->commands);
    af_arena_free(scene->arena);
    g_free(scene);
}

gboolean af_scene_ok(const af_scene *scene)
{
    return !scene->failed;
}

void af_scene_fail(af_scene *scene)
{
    scene->failed = TRUE;
}

const char *af_scene_string(af_scene *scene, const char *text)
{
    const char *copy = af_arena_copy(scene->arena, text, strlen(text));
    if (copy == NULL) {
        scene->failed = TRUE;
        return "";
    }
    return copy;
}

static const char *copy_or_null(af_scene *scene, const char *text)
{
    return text == NULL ? NULL : af_scene_string(scene, text);
}

void af_scene_set_about(af_scene *scene, const af_scene_about *about)
{
    scene->about = *about;
    const char **const strings[] = {
        &scene->about.title,       &scene->about.input,    &scene->about.clock,
        &scene->about.selection,   &scene->about.app,      &scene->about.thread_word,
        &scene->about.description, &scene->about.accounts, &scene->about.unit.name,
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        *strings[i] = copy_or_null(scene, *strings[i]);
    }
}

/* Appends a command; NULL if memory is refused. */
static af_scene_command *add_command(af_scene *scene, af_scene_kind kind)
{
    if (scene->failed) {
        return NULL;
    }
    if (scene->n_commands == scene->capacity) {
        const size_t capacity = MAX(256, scene->capacity * 2);
        af_scene_command *commands = g_try_realloc_n(scene->commands, capacity, sizeof *commands);
        if (commands == NULL) {
            scene->failed = TRUE;
            return NULL;
        }
        scene->commands = commands;
        scene->capacity = capacity;
    }
    af_scene_command *command = &scene->commands[scene->n_commands++];
    command->kind = kind;
    return command;
}

void af_scene_page_add(af_scene *scene, int32_t width, int32_t height, const char *title,
                       const char *label)
{
    af_scene_command *command = add_command(scene, AF_SCENE_PAGE);
    if (command != NULL) {
        command->page =
            (af_scene_page){width, height, copy_or_null(scene, title), copy_or_null(scene, label)};
        scene->last_page = scene->n_commands - 1;
        scene->n_pages++;
    }
}

void af_scene_page_resize(af_scene *scene, int32_t width, int32_t height)
{
    if (scene->n_pages > 0) {
        af_scene_page *page = &scene->commands[scene->last_page].page;
        page->width = width;
        page->height = height;
    }
}

void af_scene_rect_add(af_scene *scene, const af_scene_rect *rect)
{
    af_scene_command *command = add_command(scene, AF_SCENE_RECT);
    if (command != NULL) {
        command->rect = *rect;
    }
}

void af_scene_text_add(af_scene *scene, const af_scene_text *text)
{
    af_scene_command *command = add_command(scene, AF_SCENE_TEXT);
    if (command != NULL) {
        command->text = *text;
        command->text.text = af_scene_string(scene, text->text);
    }
}

void af_scene_push(af_scene *scene, const af_scene_group *group)
{
    af_scene_group *copy = af_arena_alloc(scene->arena, sizeof *copy);
    if (copy == NULL) {
        scene->failed = TRUE;
        return;
    }
    *copy = *group;
    af_scene_command *command = add_command(scene, AF_SCENE_PUSH);
    if (command != NULL) {
        command->group = copy;
    }
}

void af_scene_pop(af_scene *scene)
{
    add_command(scene, AF_SCENE_POP);
}

void af_scene_link_add(af_scene *scene, const af_scene_link *link)
{
    af_scene_command *command = add_command(scene, AF_SCENE_LINK);
    if (command != NULL) {
        command->link = *link;
    }
}

void af_scene_shape_add(af_scene *scene, const af_scene_shape *shape)
{
    const size_t bytes = shape->n * sizeof *shape->points;
    af_scene_point *points = af_arena_alloc(scene->arena, bytes);
    if (points == NULL) {
        scene->failed = TRUE;
        return;
    }
    memcpy(points, shape->points, bytes);
    af_scene_command *command = add_command(scene, AF_SCENE_SHAPE);
    if (command != NULL) {
        command->shape = (af_scene_shape){shape->paint, shape->n, points};
    }
}

void af_scene_attach(af_scene *scene, const char *name, GBytes *bytes, size_t plain_length)
{
    const af_scene_attachment it = {.name = af_scene_string(scene, name),
                                    .bytes = g_bytes_ref(bytes),
                                    .plain_length = plain_length};
    g_array_append_val(scene->attachments, it);
}

void af_scene_attach_later(af_scene *scene, const char *name, GBytes *(*take)(void *user),
                           void *user)
{
    const af_scene_attachment it = {
        .name = af_scene_string(scene, name), .take = take, .user = user};
    g_array_append_val(scene->attachments, it);
}

GBytes *af_scene_find_attachment(const af_scene *scene, const char *name, size_t *plain_length)
{
    for (unsigned i = 0; i < scene->attachments->len; i++) {
        af_scene_attachment *it = &g_array_index(scene->attachments, af_scene_attachment, i);
        if (strcmp(it->name, name) == 0) {
            if (it->take != NULL) {
                GBytes *bytes = it->take(it->user);
                it->bytes = bytes != NULL ? g_bytes_ref(bytes) : NULL;
                it->take = NULL;
            }
            if (plain_length != NULL) {
                *plain_length = it->plain_length;
            }
            return it->bytes;
        }
    }
    return NULL;
}

void af_scene_measure(const af_scene *scene, int64_t *width, int64_t *height)
{
    *width = *height = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        if (scene->commands[i].kind == AF_SCENE_PAGE) {
            *width = MAX(*width, scene->commands[i].page.width);
            *height += scene->commands[i].page.height;
        }
    }
}

void af_scene_set_grid(af_scene *scene, const af_scene_grid *grid)
{
    scene->grid = *grid;
    scene->has_grid = TRUE;
}

void af_scene_need_paint(af_scene *scene, af_paint paint, gboolean hatched)
{
    scene->needed_paints[hatched ? 1 : 0][paint] = TRUE;
}

void af_scene_need_text(af_scene *scene, gboolean bold, const char *text)
{
    if (!af_array_append(&scene->needed_texts[bold ? 1 : 0], &text)) {
        scene->failed = TRUE;
    }
}
