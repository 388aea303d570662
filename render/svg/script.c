#include "render/svg/script.h"

#include <string.h>

#include "base/embed.h"
#include "base/hash.h"
#include "render/face.h"
#include "render/svg/svg_parts.h"

/* whole.js and graph.js, bundled. */
AF_EMBED(char, af_svg_script_js, AFLAME_SCRIPT);
AF_EMBED(char, af_svg_graph_js, AFLAME_GRAPH_SCRIPT);

const char *af_svg_script_text(af_script script)
{
    return script == AF_SCRIPT_GRAPH ? af_svg_graph_js : af_svg_script_js;
}

char *af_svg_script_hash(af_script script)
{
    return af_hash_policy(af_svg_script_text(script));
}

void af_svg_grid(af_out *out, const af_scene *scene, int64_t width)
{
    const af_scene_grid *grid = &scene->grid;
    if (!scene->has_grid) {
        return;
    }
    af_out_text(out, grid->fluid ? "" : " data-fixed=\"1\"");
    af_svg_number(out, "data-width", width);
    af_svg_number(out, "data-min-width", grid->min_width);
    af_out_text(out, grid->inverted ? " data-inverted=\"1\"" : "");
    af_out_text(out, grid->full_depth ? " data-full-depth=\"1\"" : "");
    af_out_text(out, grid->chosen ? " data-chosen=\"1\"" : "");
    if (grid->n_tall > 0) {
        af_svg_number(out, "data-tall", 100 * (int64_t)grid->n_tall);
    }
    if (grid->first_rows > 0) {
        af_svg_number(out, "data-rows", 100 * (int64_t)grid->first_rows);
    }
    af_svg_string(out, "data-method", grid->method);
    af_svg_string(out, "data-hues", grid->hues);
    /* Writes the widths of letters, so that the script measures as the sheet does. */
    af_svg_number(out, "data-em", 100 * (int64_t)af_face_em(AF_FACE_REGULAR));
    af_out_text(out, " data-advances=\"");
    for (uint32_t c = 0x20; c <= 0x7E; c++) {
        af_out_u64(out, af_face_glyph_at(AF_FACE_REGULAR, c).advance);
        af_out_char(out, ' ');
    }
    af_out_u64(out, af_face_glyph_at(AF_FACE_REGULAR, 0x2026).advance);
    af_out_char(out, '"');
}

/* In base64, and then the text. */
static void write_bytes(af_out *out, const GBytes *bytes, const char *after)
{
    gsize length;
    const char *at = g_bytes_get_data((GBytes *)bytes, &length);
    af_out_base64(out, at, length);
    af_out_text(out, after);
}

void af_svg_profile(af_out *out, const af_scene *scene)
{
    const GBytes *bytes = af_scene_find_attachment(scene, AF_ATTACHED_PROFILE, NULL);
    if (bytes != NULL) {
        af_out_text(out, " " AF_PROFILE_ATTRIBUTE "=\"");
        write_bytes(out, bytes, "\"");
    }
}

gboolean af_svg_has_more(const af_scene *scene)
{
    const af_scene_about *about = &scene->about;
    return about->has_chart || about->compared;
}

void af_svg_trees(af_out *out, const af_scene *scene)
{
    size_t plain_length;
    const GBytes *trees = af_scene_find_attachment(scene, AF_ATTACHED_TREES, &plain_length);
    if (trees != NULL) {
        af_out_text(out, "<metadata id=\"" AF_ATTACHED_TREES "\" data-bytes=\"");
        af_out_u64(out, plain_length);
        af_out_text(out, "\">");
        write_bytes(out, trees, "</metadata>\n");
    }
}

void af_svg_script(af_out *out, const af_scene *scene)
{
    const af_script script = af_svg_has_more(scene) ? AF_SCRIPT_ALL : AF_SCRIPT_GRAPH;
    af_out_texts(out, "<script><![CDATA[", af_svg_script_text(script), "]]></script>\n");
}
