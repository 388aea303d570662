/* Page breaks for browsers that print without a script. They print the root as one image, and
 * pages would cut panels. So panels that a page would cut move down to the next one, and the
 * root grows. */
#include "render/svg/svg_parts.h"

/* Of A4, without its margins. A page is a little shorter, so that rounding cannot cut a title. */
enum { WIDTH_MM = 190, HEIGHT_UM = 276800 };

typedef struct {
    const char *id;
    int64_t top, moved; /* hundredths of a pixel, as all here */
} part;

/* The panels and everything after the first one, from top to bottom. */
static GArray *list_parts(const af_scene *scene)
{
    const af_scene_command *commands = scene->commands;
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(part));
    int64_t lower = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        if (commands[i].kind != AF_SCENE_PUSH || commands[i].group->id == NULL) {
            continue;
        }
        const af_scene_group *group = commands[i].group;
        lower = MAX(lower, group->lower_c);
        if (group->kind == AF_GROUP_PANEL || (group->kind == AF_GROUP_PART && parts->len > 0)) {
            g_array_append_val(parts, ((part){group->id, group->y + lower, 0}));
        }
    }
    return parts;
}

/* The height of all pages; 0 if there are several, which need no breaks. */
static int64_t measure_page(const af_scene *scene, int64_t *width)
{
    const af_scene_command *commands = scene->commands;
    int64_t height = 0;
    for (size_t i = 0; i < scene->n_commands; i++) {
        if (commands[i].kind == AF_SCENE_PAGE && height > 0) {
            return 0;
        }
        if (commands[i].kind == AF_SCENE_PAGE) {
            *width = commands[i].page.width;
            height = commands[i].page.height;
        }
    }
    return height;
}

/* The parts, with how far each moves: the last one furthest. NULL if none moves. */
static GArray *move_parts(const af_scene *scene, int64_t *width, int64_t *height)
{
    int64_t moved = 0;
    *height = measure_page(scene, width);
    const int64_t page = *width * HEIGHT_UM / WIDTH_MM / 1000;
    g_autoptr(GArray) parts = list_parts(scene);
    for (guint i = 0; i<parts->len && * height> page && page > 0; i++) {
        part *it = &g_array_index(parts, part, i);
        const int64_t end = i + 1 < parts->len ? it[1].top : *height;
        const int64_t next = ((it->top + moved) / page + 1) * page;
        if (end + moved > next && end - it->top <= page) {
            moved = next - it->top;
        }
        it->moved = moved;
    }
    return moved > 0 ? g_steal_pointer(&parts) : NULL;
}

gboolean af_svg_breaks_pages(const af_scene *scene)
{
    int64_t width = 0, height;
    g_autoptr(GArray) parts = move_parts(scene, &width, &height);
    return parts != NULL;
}

void af_svg_page_breaks(af_out *out, const af_scene *scene, gboolean script)
{
    int64_t width = 0, height;
    g_autoptr(GArray) parts = move_parts(scene, &width, &height);
    if (parts == NULL) {
        return;
    }
    height += g_array_index(parts, part, parts->len - 1).moved;
    af_out_text(out, script ? "@media print and (scripting:none){" : "@media print{");
    af_out_text(out, "@page{size:A4;margin:10mm}"
                     ":root.aflame{width:100%;height:auto;aspect-ratio:");
    af_out_hundredths(out, width);
    af_out_char(out, '/');
    af_out_hundredths(out, height);
    af_out_text(out, "}:root.aflame>rect{height:");
    af_out_hundredths(out, height);
    af_out_text(out, "px}");
    for (guint i = 0; i < parts->len; i++) {
        const part *it = &g_array_index(parts, part, i);
        if (it->moved > 0) {
            af_out_texts(out, "[id=\"", it->id,
                         "\"]{transform:translateY("); /* ids may have full stops */
            af_out_hundredths(out, it->moved);
            af_out_text(out, "px)}");
        }
    }
    af_out_text(out, "}\n");
}
