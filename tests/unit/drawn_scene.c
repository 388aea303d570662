#include "drawn_profile.h"

static void print_string(GString *out, const char *name, const char *text)
{
    if (text == NULL) {
        return;
    }
    g_string_append_printf(out, " %s=\"", name);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\' || *text == '\n') {
            g_string_append_c(out, '\\');
        }
        g_string_append_c(out, *text == '\n' ? 'n' : *text);
    }
    g_string_append_c(out, '"');
}

static void print_paint(GString *out, af_paint paint)
{
    static const char *const names[AF_PAINT_FRAME] = {
        [AF_PAINT_PAGE] = "page",
        [AF_PAINT_INK] = "ink",
        [AF_PAINT_MUTED] = "muted",
        [AF_PAINT_RULE] = "rule",
        [AF_PAINT_ALERT] = "alert",
        [AF_PAINT_LABEL] = "label",
        [AF_PAINT_BLOCK] = "block",
        [AF_PAINT_LABEL_MUTED] = "label-muted",
        [AF_PAINT_FOOT] = "foot",
        [AF_PAINT_GROWN] = "grown",
        [AF_PAINT_SHRUNK] = "shrunk",
        [AF_PAINT_GROWN_PALE] = "grown-pale",
        [AF_PAINT_SHRUNK_PALE] = "shrunk-pale",
    };
    if (paint < AF_PAINT_FRAME) {
        g_string_append_printf(out, " %s", names[paint]);
    } else {
        unsigned number = paint - (unsigned)AF_PAINT_FRAME;
        g_string_append_printf(out, " frame-%u-%u", number / AF_SHADES, number % AF_SHADES);
    }
}

static void print_about(GString *out, const af_scene_about *about)
{
    g_string_append(out, "about");
    print_string(out, "title", about->title);
    print_string(out, "input", about->input);
    print_string(out, "clock", about->clock);
    print_string(out, "unit", about->unit.name);
    print_string(out, "selection", about->selection);
    print_string(out, "app", about->app);
    if (about->date_s >= 0) {
        g_string_append_printf(out, " date=%" G_GINT64_FORMAT, about->date_s);
    }
    print_string(out, "description", about->description);
    print_string(out, "accounts", about->accounts);
    g_string_append(out, about->in_time ? " in-time" : "");
    g_string_append(out, about->compared ? " compared" : "");
    g_string_append(out, about->linked ? " linked" : "");
    g_string_append(out, about->callers_above ? " callers-above" : "");
    g_string_append_c(out, '\n');
}

static void print_text(GString *out, const af_scene_text *text)
{
    g_string_append_printf(out, "text %d,%d size=%d advance=%d", text->x, text->baseline,
                           text->size, text->advance);
    if (text->width_max != 0) {
        g_string_append_printf(out, " width-max=%d", text->width_max);
    }
    print_paint(out, text->paint);
    g_string_append(out, text->bold ? " bold" : "");
    g_string_append(out, text->simple ? "" : " shaped");
    print_string(out, "text", text->text);
}

static void print_times(GString *out, const af_scene_group *group)
{
    static const char *const clocks[AF_SCENE_CLOCKS] = {"wall", "cpu", "wait"};
    for (unsigned clock = 0; clock < AF_SCENE_CLOCKS; clock++) {
        if (group->clocks & 1u << clock) {
            g_string_append_printf(out, " %s%s=%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                                   clocks[clock], clock == group->clock ? "*" : "",
                                   group->self_ns[clock], group->inclusive_ns[clock]);
        }
    }
    if (group->has_runnable) {
        g_string_append_printf(out, " runnable=%" G_GUINT64_FORMAT, group->runnable_ns);
    }
}

static void print_group(GString *out, const af_scene_group *group)
{
    static const char *const kinds[] = {
        [AF_GROUP_PART] = "part",   [AF_GROUP_PANEL] = "panel", [AF_GROUP_FRAME] = "frame",
        [AF_GROUP_BLOCK] = "block", [AF_GROUP_ROWS] = "rows",   [AF_GROUP_MARKER] = "note"};
    g_string_append_printf(out, "push %s", kinds[group->kind]);
    print_string(out, "id", group->id);
    print_string(out, "name", group->name);
    print_string(out, "source", group->source);
    print_string(out, "details", group->details);
    print_string(out, "facts", group->facts);
    print_string(out, "graph-facts", group->graph_facts);
    print_string(out, "chart-facts", group->chart_facts);
    print_string(out, "health", group->health);
    print_times(out, group);
    const struct {
        const char *name;
        uint64_t value;
    } facts[] = {{"of", group->share_of_ns}, {"calls", group->calls},    {"frames", group->frames},
                 {"level", group->level},    {"start", group->start_ns}, {"end", group->end_ns},
                 {"samples", group->samples}};
    for (unsigned i = 0; i < G_N_ELEMENTS(facts); i++) {
        if (facts[i].value != 0) {
            g_string_append_printf(out, " %s=%" G_GUINT64_FORMAT, facts[i].name, facts[i].value);
        }
    }
    if (group->y != 0) {
        g_string_append_printf(out, " y=%d", group->y);
    }
}

static void print_command(GString *out, const af_scene_command *command)
{
    static const char *const textures[] = {
        [AF_TEXTURE_NONE] = "", [AF_TEXTURE_DOTS] = " dots", [AF_TEXTURE_DASHES] = " dashes"};
    switch (command->kind) {
    case AF_SCENE_PAGE:
        g_string_append_printf(out, "page %dx%d", command->page.width, command->page.height);
        print_string(out, "title", command->page.title);
        print_string(out, "label", command->page.label);
        break;
    case AF_SCENE_RECT:
        g_string_append_printf(out, "rect %d,%d %dx%d", command->rect.x, command->rect.y,
                               command->rect.width, command->rect.height);
        print_paint(out, command->rect.paint);
        g_string_append(out, command->rect.hatched ? " hatched" : "");
        g_string_append(out, textures[command->rect.texture]);
        if (command->rect.radius != 0) {
            g_string_append_printf(out, " radius=%d", command->rect.radius);
        }
        break;
    case AF_SCENE_TEXT:
        print_text(out, &command->text);
        break;
    case AF_SCENE_PUSH:
        print_group(out, command->group);
        break;
    case AF_SCENE_POP:
        g_string_append(out, "pop");
        break;
    case AF_SCENE_LINK:
        g_string_append_printf(out, "link %d,%d %dx%d page=%u", command->link.x, command->link.y,
                               command->link.width, command->link.height, command->link.page);
        print_string(out, "target", command->link.target);
        break;
    case AF_SCENE_SHAPE:
        g_string_append(out, "shape");
        print_paint(out, command->shape.paint);
        for (uint32_t i = 0; i < command->shape.n; i++) {
            g_string_append_printf(out, " %d,%d", command->shape.points[i].x,
                                   command->shape.points[i].y);
        }
        break;
    }
    g_string_append_c(out, '\n');
}

static void print_grid(GString *out, const af_scene_grid *grid)
{
    g_string_append_printf(out, "grid min-width=%d%s%s%s\n", grid->min_width,
                           grid->inverted ? " inverted" : "", grid->full_depth ? " full-depth" : "",
                           grid->fluid ? " fluid" : "");
}

char *drawn_print(const af_scene *scene)
{
    GString *out = g_string_new(NULL);
    print_about(out, &scene->about);
    if (scene->has_grid) {
        print_grid(out, &scene->grid);
    }
    for (size_t i = 0; i < scene->n_commands; i++) {
        print_command(out, &scene->commands[i]);
    }
    for (unsigned i = 0; i < scene->attachments->len; i++) {
        const char *name = g_array_index(scene->attachments, af_scene_attachment, i).name;
        GBytes *bytes = af_scene_find_attachment(scene, name, NULL);
        g_string_append_printf(out, "attachment %" G_GSIZE_FORMAT,
                               bytes != NULL ? g_bytes_get_size(bytes) : 0);
        print_string(out, "name", name);
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}
