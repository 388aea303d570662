/* SVG without a script or a font: letters are outlines, drawn by cairo. */
#include "render/cairo/paper.h"

#include <cairo-svg.h>
#include <string.h>

#include "base/aflp.h"

/* Cairo numbers the surfaces of a process and names the outermost group after that number, so the
 * second picture would differ from the first. The canvas removes the number. */
#define NUMBERED "<g id=\"surface"

static cairo_status_t write_unnumbered(void *closure, const unsigned char *bytes, unsigned length)
{
    af_canvas *canvas = closure;
    const size_t whole = sizeof NUMBERED - 1;
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    unsigned written = 0; /* number of bytes written */
    for (unsigned i = 0; i < length && status == CAIRO_STATUS_SUCCESS; i++) {
        if (canvas->matched == whole && g_ascii_isdigit(bytes[i])) {
            status = af_paper_write(canvas, bytes + written, i - written);
            written = i + 1;
        } else if (canvas->matched < whole &&
                   bytes[i] == (unsigned char)NUMBERED[canvas->matched]) {
            canvas->matched++;
        } else {
            canvas->matched = bytes[i] == '<';
        }
    }
    return status != CAIRO_STATUS_SUCCESS
               ? status
               : af_paper_write(canvas, bytes + written, length - written);
}

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_canvas *canvas = af_paper_new(options, write, user);
    int64_t width_c, height_c;
    af_scene_measure(scene, &width_c, &height_c);
    const double width = (double)MAX(1, width_c) / 100, height = (double)MAX(1, height_c) / 100;
    af_paper_hold(canvas, scene);
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(write_unnumbered, canvas, width, height);
    if (!af_paper_lay(canvas, surface, 0.01, error)) {
        return NULL;
    }
    cairo_svg_surface_restrict_to_version(surface, CAIRO_SVG_VERSION_1_1);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    af_paper_ground(canvas, width, height);
    return canvas;
}

/* In an attribute of the root, which minifiers keep. */
static void embed_profile(af_canvas *canvas)
{
    static const char root[] = "<svg ";
    af_out *out = &canvas->out;
    const af_spool *svg = canvas->held;
    const uint8_t *begin = memmem(svg->bytes, svg->length, root, sizeof root - 1);
    const size_t head = begin == NULL ? 0 : (size_t)(begin - svg->bytes) + sizeof root - 1;
    gsize length;
    const void *profile = g_bytes_get_data(canvas->profile, &length);
    af_out_bytes(out, svg->bytes, head);
    if (begin != NULL) {
        af_out_text(out, AF_PROFILE_ATTRIBUTE "=\"");
        af_out_base64(out, profile, length);
        af_out_text(out, "\" ");
    }
    af_out_bytes(out, svg->bytes + head, svg->length - head);
}

static gboolean finish(af_canvas *canvas, GError **error)
{
    if (!af_paper_end(canvas, error)) {
        return FALSE;
    }
    if (canvas->profile != NULL) {
        embed_profile(canvas);
    }
    af_out_texts(&canvas->out, "<!-- ", canvas->program, " -->\n");
    return af_out_close(&canvas->out, error);
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
