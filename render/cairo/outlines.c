/* SVG without a script or a font: letters are outlines, drawn by cairo. */
#include "render/cairo/paper.h"

#include <cairo-svg.h>
#include <string.h>

#include "base/aflp.h"

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_canvas *canvas = af_paper_new(scene, options, write, user);
    int64_t width_c, height_c;
    af_scene_measure(scene, &width_c, &height_c);
    const double width = (double)MAX(1, width_c) / 100, height = (double)MAX(1, height_c) / 100;
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(af_paper_write, canvas, width, height);
    if (!af_paper_lay(canvas, surface, 0.01, error)) {
        return NULL;
    }
    cairo_svg_surface_restrict_to_version(surface, CAIRO_SVG_VERSION_1_1);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    af_paper_ground(canvas, width, height);
    return canvas;
}

/* The position after the first `text` in bytes[from .. length); `length` if it is not there. */
static size_t find_end(const af_spool *svg, size_t from, const char *text)
{
    const uint8_t *at = memmem(svg->bytes + from, svg->length - from, text, strlen(text));
    return at == NULL ? svg->length : (size_t)(at - svg->bytes) + strlen(text);
}

/* The profile is in an attribute of the root, which minifiers keep. Cairo numbers the surfaces of a
 * process and names the outermost group after that number, so the second picture would differ from
 * the first: the number is left out. */
static gboolean finish(af_canvas *canvas, GError **error)
{
    if (!af_paper_end(canvas, error)) {
        return FALSE;
    }
    af_out *out = &canvas->out;
    const af_spool *svg = canvas->written;
    GBytes *profile = af_paper_profile(canvas);
    size_t at = find_end(svg, 0, "<svg ");
    af_out_bytes(out, svg->bytes, at);
    if (profile != NULL) {
        gsize length;
        const void *bytes = g_bytes_get_data(profile, &length);
        af_out_text(out, AF_PROFILE_ATTRIBUTE "=\"");
        af_out_base64(out, bytes, length);
        af_out_text(out, "\" ");
    }
    while (at < svg->length) {
        const size_t end = find_end(svg, at, "<g id=\"surface");
        af_out_bytes(out, svg->bytes + at, end - at);
        for (at = end; at < svg->length && g_ascii_isdigit(svg->bytes[at]); at++) {
        }
    }
    af_out_texts(out, "<!-- ", canvas->program, " -->\n");
    return af_out_close(out, error);
}

const af_canvas_class af_canvas_svg_outlines = {
    .name = "svg-outlines",
    .extension = "svg",
    .title = "SVG picture, letters as outlines",
    .begin = begin,
    .page = af_paper_page,
    .rect = af_paper_rect,
    .text = af_paper_text,
    .shape = af_paper_shape,
    .finish = finish,
    .free = af_paper_free,
};
