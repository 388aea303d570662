#include "render/boxes.h"

#include "base/number.h"
#include "render/face.h"

/* Whether a text has a character that neither bundled face has. */
static gboolean has_boxes(const char *text)
{
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
        const gunichar c = (unsigned char)*at < 0x80 ? 'a' : g_utf8_get_char(at);
        if (c >= 0x80 && !g_unichar_iszerowidth(c) &&
            af_face_glyph_at(AF_FACE_REGULAR, c).glyph == 0 &&
            af_face_glyph_at(AF_FACE_FALLBACK, c).glyph == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

void af_boxes_report(const af_scene *scene, GPtrArray *messages)
{
    GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);
    const af_scene_command *commands = scene->commands;
    const char *title = scene->about.title;
    const char *named = NULL; /* the frame or panel of a text, which may show a part of its name */
    for (size_t i = 0; i < scene->n_commands; i++) {
        const af_scene_command *c = &commands[i];
        if (c->kind == AF_SCENE_PUSH) {
            const gboolean names_it = c->group->kind == AF_GROUP_FRAME ||
                                      c->group->kind == AF_GROUP_PANEL ||
                                      c->group->kind == AF_GROUP_MARKER;
            named = names_it ? c->group->name : NULL;
        } else if (c->kind == AF_SCENE_TEXT && named != NULL && !c->text.simple &&
                   has_boxes(c->text.text)) {
            g_hash_table_add(names, (gpointer)named);
        }
    }
    if (title != NULL && has_boxes(title)) {
        g_hash_table_add(names, (gpointer)title);
    }
    const guint n = g_hash_table_size(names);
    if (n > 0) {
        char number[AF_NUMBER_SIZE];
        g_ptr_array_add(messages,
                        g_strdup_printf("%s %s characters that the bundled face lacks, drawn "
                                        "as boxes; --system-fonts draws them with this "
                                        "machine's fonts",
                                        af_number_count(number, n),
                                        n == 1 ? "name has" : "names have"));
    }
    g_hash_table_destroy(names);
}
