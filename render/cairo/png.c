#include <math.h>
#include <png.h>
#include "base/aflp.h"
#include "base/number.h"
#include "base/out.h"
#include "render/cairo/shapes.h"
#include "render/cairo/colours.h"
#include "render/cairo/strip.h"
#include "render/canvas.h"

/* Cairo's image surfaces store the length of a side in 16 signed bits. */
#define MOST_SIDE 32767

/* 512 MiB at four bytes a pixel: a reasonable limit for machines that open such a picture. */
#define MOST_PIXELS ((int64_t)128 * 1024 * 1024)

/* Letters are still recognisable shapes at a quarter of their size, and noise below. */
#define LEAST_PERCENT 25

/* Level 6 takes half as long again for files that are a tenth smaller. */
#define COMPRESSION_LEVEL 4

/* For a screen at scale 1; CSS defines an inch by it. */
#define DOTS_PER_INCH 96

struct af_canvas {
    const af_scene_about *about;
    const char *program;
    char *xmp; /* NULL = no alternative text */
    int scale_percent;
    unsigned colours_most; /* 0 = as many as the picture needs */
    af_strip strip;
    af_colour_table *colours; /* NULL: pixels are RGB */
    uint8_t *row;             /* of the file */
    af_out out;
};

static int64_t count_pixels(int64_t length_c, int percent)
{
    return MAX(1, (length_c * percent + 9999) / 10000);
}

static gboolean fits(int64_t width_c, int64_t height_c, int percent)
{
    int64_t width = count_pixels(width_c, percent), height = count_pixels(height_c, percent);
    return width <= MOST_SIDE && height <= MOST_SIDE && width * height <= MOST_PIXELS;
}

/* Reports a reduced scale and the longer side, which caused it. */
static void report_scale(GPtrArray *messages, int64_t width, int64_t height, int asked, int drawn)
{
    char number[AF_NUMBER_SIZE];
    if (messages != NULL) {
        g_ptr_array_add(messages,
                        g_strdup_printf("picture is %s px %s at scale %g; drawn at scale %g",
                                        af_number_count(number, (uint64_t)MAX(width, height)),
                                        height >= width ? "high" : "wide", asked / 100.0,
                                        drawn / 100.0));
    }
}

static void report_cut(GPtrArray *messages, int64_t whole, int drawn, const char *where)
{
    char from[AF_NUMBER_SIZE], to[AF_NUMBER_SIZE];
    if (messages != NULL && whole > drawn) {
        g_ptr_array_add(messages, g_strdup_printf("picture is %s px %s; cut at %s px",
                                                  af_number_count(from, (uint64_t)whole), where,
                                                  af_number_count(to, (uint64_t)drawn)));
    }
}

/* Chooses the largest scale, up to the requested one, at which the picture is within the limits;
 * cuts a picture that is too large even at the smallest scale. */
static void choose_size(af_canvas *canvas, const af_scene *scene, int asked, GPtrArray *messages)
{
    int64_t width_c, height_c;
    af_scene_measure(scene, &width_c, &height_c);
    int percent = asked;
    while (percent > LEAST_PERCENT && !fits(width_c, height_c, percent)) {
        percent--;
    }
    int64_t width = count_pixels(width_c, percent), height = count_pixels(height_c, percent);
    canvas->scale_percent = percent;
    canvas->strip.width = (int)MIN(width, MOST_SIDE);
    canvas->strip.height = (int)MIN(height, MIN(MOST_SIDE, MOST_PIXELS / canvas->strip.width));
    if (percent < asked) {
        report_scale(messages, count_pixels(width_c, asked), count_pixels(height_c, asked), asked,
                     percent);
    }
    report_cut(messages, width, canvas->strip.width, "wide");
    report_cut(messages, height, canvas->strip.height, "high");
}

static void free_canvas(af_canvas *canvas)
{
    if (canvas != NULL) {
        af_strip_clear(&canvas->strip);
        af_colour_table_free(canvas->colours);
        g_free(canvas->row);
        g_free(canvas->xmp);
        g_clear_error(&canvas->out.error);
        g_free(canvas);
    }
}

/* The alternative text where IPTC puts it, which publishing systems read. Free with g_free(). */
static char *write_xmp(const char *text)
{
    return text == NULL
               ? NULL
               : g_markup_printf_escaped(
                     "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF"
                     " xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description"
                     " rdf:about=\"\" xmlns:Iptc4xmpCore=\"http://iptc.org/std/Iptc4xmpCore/1.0/"
                     "xmlns/\"><Iptc4xmpCore:AltTextAccessibility><rdf:Alt><rdf:li"
                     " xml:lang=\"x-default\">%s</rdf:li></rdf:Alt>"
                     "</Iptc4xmpCore:AltTextAccessibility></rdf:Description></rdf:RDF>"
                     "</x:xmpmeta>",
                     text);
}

static af_canvas *begin(const af_scene *scene, const af_canvas_options *options,
                        af_write_func write, void *user, GError **error)
{
    af_canvas *canvas = g_new0(af_canvas, 1);
    canvas->strip.scene = scene;
    canvas->about = &scene->about;
    canvas->program = options->program;
    canvas->colours_most = options->colours;
    canvas->xmp = write_xmp(canvas->about->description);
    choose_size(canvas, scene, MAX(1, options->scale_percent), options->messages);
    canvas->strip.unit = canvas->scale_percent / 10000.0;
    canvas->strip.dark = options->dark;
    canvas->strip.system_fonts = options->system_fonts;
    af_out_open(&canvas->out, write, user);
    return canvas;
}

static void write_bytes(png_structp png, png_bytep bytes, png_size_t length)
{
    af_out *out = png_get_io_ptr(png);
    af_out_bytes(out, bytes, length);
    if (out->error != NULL) {
        png_error(png, "output failed");
    }
}

static void flush_bytes(png_structp png)
{
}

/* libpng must not print; the paper knows the reason, and otherwise it is memory. */
static void leave_png(png_structp png, png_const_charp message)
{
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
}

/* Describes the picture, for people who cannot see it or find the file later. */
static void write_texts(png_structp png, png_infop info, const af_canvas *canvas)
{
    const struct {
        const char *key, *text;
        gboolean international;
    } facts[] = {
        {"Title", canvas->about->title, FALSE},   {"Source", canvas->about->input, FALSE},
        {"Clock", canvas->about->clock, FALSE},   {"Selection", canvas->about->selection, FALSE},
        {"Software", canvas->program, FALSE},     {"Description", canvas->about->description, TRUE},
        {"XML:com.adobe.xmp", canvas->xmp, TRUE},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(facts); i++) {
        if (facts[i].text == NULL || facts[i].text[0] == '\0') {
            continue;
        }
        /* tEXt is Latin-1 by definition, iTXt UTF-8 */
        png_text text = {
            .compression = facts[i].international || !g_str_is_ascii(facts[i].text)
                               ? PNG_ITXT_COMPRESSION_NONE
                               : PNG_TEXT_COMPRESSION_NONE,
            .key = (char *)facts[i].key,
            .text = (char *)facts[i].text,
            .lang = (char *)"",
            .lang_key = (char *)"",
        };
        png_set_text(png, info, &text, 1);
    }
}

static void set_palette(png_structp png, png_infop info, const af_colour_table *colours)
{
    png_color entries[AF_COLOURS_MOST];
    for (unsigned i = 0; i < colours->n; i++) {
        const uint32_t colour = colours->colours[i];
        entries[i] =
            (png_color){(png_byte)(colour >> 16), (png_byte)(colour >> 8), (png_byte)colour};
    }
    png_set_PLTE(png, info, entries, (int)colours->n);
}

static void write_head(png_structp png, png_infop info, const af_canvas *canvas)
{
    png_set_IHDR(png, info, (png_uint_32)canvas->strip.width, (png_uint_32)canvas->strip.height, 8,
                 canvas->colours == NULL ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (canvas->colours != NULL) {
        set_palette(png, info, canvas->colours);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    } else {
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    }
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    const double dots = DOTS_PER_INCH * canvas->scale_percent / 100.0;
    const png_uint_32 dots_per_metre = (png_uint_32)(dots / 0.0254 + 0.5);
    png_set_pHYs(png, info, dots_per_metre, dots_per_metre, PNG_RESOLUTION_METER);
    write_texts(png, info, canvas);
    png_write_info(png, info);
}

/* Draws the whole picture to choose its palette. Memory must not follow the height of the picture, so the
 * bands are drawn again when they are written. */
static gboolean choose_colours(af_canvas *canvas)
{
    g_autofree af_colour_set *set = af_colour_set_new();
    while (set != NULL && af_strip_next(&canvas->strip)) {
        for (int y = 0; y < canvas->strip.rows; y++) {
            const uint32_t *pixels = af_strip_row(&canvas->strip, y);
            uint32_t last = ~pixels[0];
            for (int x = 0; x < canvas->strip.width; x++) {
                if (pixels[x] != last) {
                    last = pixels[x];
                    af_colour_set_add(set, last & 0xffffff);
                }
            }
        }
    }
    return set != NULL && canvas->strip.status == CAIRO_STATUS_SUCCESS &&
           af_colour_table_choose(set, canvas->strip.dark, canvas->colours_most, &canvas->colours);
}

static void write_row(png_structp png, const af_canvas *canvas, const uint32_t *pixels)
{
    uint8_t *to = canvas->row;
    uint32_t last = ~pixels[0];
    uint8_t index = 0;
    for (int x = 0; x < canvas->strip.width; x++) {
        if (canvas->colours == NULL) {
            *to++ = (uint8_t)(pixels[x] >> 16);
            *to++ = (uint8_t)(pixels[x] >> 8);
            *to++ = (uint8_t)pixels[x];
        } else {
            if (pixels[x] != last) {
                last = pixels[x];
                index = af_colour_table_index(canvas->colours, last & 0xffffff);
            }
            *to++ = index;
        }
    }
    png_write_row(png, canvas->row);
}

static gboolean write_bands(png_structp png, af_canvas *canvas)
{
    while (af_strip_next(&canvas->strip)) {
        for (int y = 0; y < canvas->strip.rows; y++) {
            write_row(png, canvas, af_strip_row(&canvas->strip, y));
        }
    }
    return canvas->strip.status == CAIRO_STATUS_SUCCESS;
}

/* Chunks that editors keep without knowing them: private, ancillary and safe to copy. */
static void write_profile(png_structp png, const af_canvas *canvas)
{
    enum { MOST = 1000000 };
    GBytes *profile = af_scene_find_attachment(canvas->strip.scene, AF_ATTACHED_PROFILE, NULL);
    gsize length = 0;
    png_const_bytep bytes = profile == NULL ? NULL : g_bytes_get_data(profile, &length);
    for (gsize at = 0; at < length; at += MOST) {
        png_write_chunk(png, (png_const_bytep)AF_AFLP_CHUNK, bytes + at, MIN(length - at, MOST));
    }
}

/* FALSE if libpng failed, or a band could not be drawn. */
static gboolean encode(png_structp png, png_infop info, af_canvas *canvas)
{
    if (setjmp(png_jmpbuf(png))) {
        return FALSE;
    }
    png_set_write_fn(png, &canvas->out, write_bytes, flush_bytes);
    write_head(png, info, canvas);
    if (!write_bands(png, canvas)) {
        return FALSE;
    }
    write_profile(png, canvas);
    png_write_end(png, NULL);
    return TRUE;
}

static gboolean write_png(af_canvas *canvas)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave_png, ignore_warning);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    gboolean done = info != NULL && encode(png, info, canvas);
    png_destroy_write_struct(&png, &info);
    return done;
}

static gboolean finish(af_canvas *canvas, GError **error)
{
    af_strip_open(&canvas->strip);
    canvas->row = g_try_malloc((size_t)canvas->strip.width * 3);
    if ((canvas->row != NULL && choose_colours(canvas) && write_png(canvas)) ||
        canvas->out.error != NULL) {
        return af_out_close(&canvas->out, error);
    }
    const cairo_status_t status = canvas->strip.status;
    return af_shapes_report(status != CAIRO_STATUS_SUCCESS ? status : CAIRO_STATUS_NO_MEMORY,
                            error);
}

const af_canvas_class af_canvas_png = {
    .name = "png",
    .extension = "png",
    .title = "PNG picture",
    .binary = TRUE,
    .selectable = TRUE,
    .begin = begin,
    .finish = finish,
    .free = free_canvas,
};
