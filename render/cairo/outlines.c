/* SVG without a script or a font: letters are outlines, drawn by cairo. */
#include "render/cairo/paper.h"

#include <cairo-svg.h>
#include <string.h>

#include "base/aflp.h"

/* Cairo numbers the surfaces of a process and names the outermost group after that number, so the
 * second picture would differ from the first. The canvas removes the number. */
#define NUMBERED "<g id=\"surface"

struct af_canvas {
    af_paper paper;
    GBytes *profile; /* to be embedded; NULL = none */
    double next_top;
    size_t matched; /* bytes of NUMBERED matched so far */
};

static cairo_status_t write_unnumbered(void *closure, const unsigned char *bytes, unsigned length)
{
    af_canvas *canvas = closure;
    const size_t whole = sizeof NUMBERED - 1;
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
    unsigned written = 0; /* number of bytes written */
    for (unsigned i = 0; i < length && status == CAIRO_STATUS_SUCCESS; i++) {
        if (canvas->matched == whole && g_ascii_isdigit(bytes[i])) {
            status = af_paper_write(&canvas->paper, bytes + written, i - written);
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
               : af_paper_write(&canvas->paper, bytes + written, length - written);
}

static void free_canvas(af_canvas *canvas)
{
    if (canvas != NULL) {
        af_paper_clear(&canvas->paper);
        g_free(canvas);
    }
}

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_canvas *canvas = g_new0(af_canvas, 1);
    int64_t width_c, height_c;
    af_paper_measure(scene, &width_c, &height_c);
    const double width = (double)MAX(1, width_c) / 100, height = (double)MAX(1, height_c) / 100;
    canvas->profile = af_scene_find_attachment(scene, AF_ATTACHED_PROFILE);
    canvas->paper.held = canvas->profile != NULL ? af_spool_new(NULL) : NULL;
    af_paper_open(&canvas->paper, options, write, user);
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(write_unnumbered, canvas, width, height);
    if (!af_paper_lay(&canvas->paper, surface, 0.01, error)) {
        free_canvas(canvas);
        return NULL;
    }
    canvas->paper.tail = g_strdup_printf("<!-- %s -->\n", options->program);
    cairo_svg_surface_restrict_to_version(surface, CAIRO_SVG_VERSION_1_1);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    af_paper_ground(&canvas->paper, width, height);
    return canvas;
}

/* Pages follow below each other, because SVG has no pages. */
static void begin_page(af_canvas *canvas, const af_scene_page *page)
{
    canvas->paper.top = canvas->next_top;
    canvas->next_top += page->height * canvas->paper.unit;
}

static void draw_rect(af_canvas *canvas, const af_scene_rect *rect)
{
    af_paper_rect(&canvas->paper, rect);
}

static void draw_shape(af_canvas *canvas, const af_scene_shape *shape)
{
    af_paper_shape(&canvas->paper, shape);
}

static void draw_text(af_canvas *canvas, const af_scene_text *text)
{
    af_paper_text(&canvas->paper, text);
}

/* In an attribute of the root, which minifiers keep. */
static void embed_profile(af_canvas *canvas)
{
    static const char root[] = "<svg ";
    af_out *out = &canvas->paper.out;
    const af_spool *svg = canvas->paper.held;
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
    if (!af_paper_end(&canvas->paper, error)) {
        return FALSE;
    }
    if (canvas->profile != NULL) {
        embed_profile(canvas);
    }
    return af_paper_close(&canvas->paper, error);
}

const af_canvas_class af_canvas_svg_outlines = {
    .name = "svg-outlines",
    .extension = "svg",
    .title = "SVG picture, letters as outlines",
    .begin = begin,
    .page = begin_page,
    .rect = draw_rect,
    .text = draw_text,
    .shape = draw_shape,
    .finish = finish,
    .free = free_canvas,
};
