#include <png.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "played_scene.h"
#include "render/face.h"
#include "render/palette.h"
#include "suite.h"

/* The last picture as pixels. */
static png_image image;
static uint8_t *pixels;

static void decode(void)
{
    g_free(pixels);
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    ck_assert(png_image_begin_read_from_memory(&image, played.bytes->data, played.bytes->len));
    image.format = PNG_FORMAT_RGB;
    pixels = g_malloc(PNG_IMAGE_SIZE(image));
    ck_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

static void draw_pixels(void)
{
    played_play(&af_canvas_png);
    decode();
}

static gboolean pixel_is(uint32_t x, uint32_t y, af_colour colour)
{
    const uint8_t *pixel = pixels + ((size_t)y * image.width + x) * 3;
    return pixel[0] == colour.red && pixel[1] == colour.green && pixel[2] == colour.blue;
}

static gboolean is_paint(uint32_t x, uint32_t y, af_paint paint)
{
    return pixel_is(x, y, af_palette_colour(paint, played.options.dark));
}

/* The first and the last column with ink; first > last if all is background. */
static void find_ink(uint32_t *first, uint32_t *last)
{
    *first = image.width;
    *last = 0;
    for (uint32_t y = 0; y < image.height; y++) {
        for (uint32_t x = 0; x < image.width; x++) {
            if (!is_paint(x, y, AF_PAINT_PAGE)) {
                *first = MIN(*first, x);
                *last = MAX(*last, x);
            }
        }
    }
}

TEST(canvases_are_found_by_name)
{
    static const char *const names[] = {"svg", "png", "pdf", "svg-outlines", "alt"};
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        ck_assert_ptr_nonnull(af_canvas_at(i));
        ck_assert_str_eq(af_canvas_at(i)->name, names[i]);
        ck_assert_ptr_eq(af_canvas_lookup(names[i]), af_canvas_at(i));
    }
    ck_assert_ptr_null(af_canvas_at(G_N_ELEMENTS(names)));
    ck_assert_ptr_null(af_canvas_lookup("bmp"));
    ck_assert(af_canvas_png.selectable && af_canvas_png.binary && !af_canvas_png.paged);
    ck_assert(af_canvas_pdf.selectable && af_canvas_pdf.binary && af_canvas_pdf.paged);
    ck_assert(!af_canvas_svg_outlines.selectable && !af_canvas_svg_outlines.binary);
    ck_assert_str_eq(af_canvas_svg_outlines.extension, "svg");
}

TEST(png_rectangles_cover_whole_pixels)
{
    af_scene_page_add(played.scene, 5000, 4010, NULL, NULL);
    played_add_rect(1000, 1000, 2000, 500, AF_PAINT_ALERT);
    played.options.scale_percent = 200;
    draw_pixels();
    ck_assert_uint_eq(image.width, 100);
    ck_assert_uint_eq(image.height, 81); /* 80.2: the fraction survives */
    for (uint32_t y = 0; y < image.height; y++) {
        for (uint32_t x = 0; x < image.width; x++) {
            gboolean inside = x >= 20 && x < 60 && y >= 20 && y < 30;
            ck_assert_msg(is_paint(x, y, inside ? AF_PAINT_ALERT : AF_PAINT_PAGE), "pixel %u, %u",
                          x, y);
        }
    }
}

TEST(png_neighbours_touch_at_any_scale)
{
    af_scene_page_add(played.scene, 10000, 300, NULL, NULL);
    int32_t x = 0;
    for (int32_t width = 37; x < 10000; width = 37 + width * 7 % 411) {
        int32_t w = MIN(width, 10000 - x);
        played_add_rect(x, 0, w, 300, x % 2 ? AF_PAINT_ALERT : AF_PAINT_INK);
        x += w;
    }
    for (played.options.scale_percent = 25; played.options.scale_percent <= 225;
         played.options.scale_percent += 17) {
        draw_pixels();
        for (uint32_t i = 0; i < (uint32_t)(100 * played.options.scale_percent / 100); i++) {
            ck_assert_msg(is_paint(i, 0, AF_PAINT_ALERT) || is_paint(i, 0, AF_PAINT_INK),
                          "a gap or a mixed pixel at %u, scale %d", i,
                          played.options.scale_percent);
        }
    }
}

TEST(png_thin_rectangles_stay_visible)
{
    af_scene_page_add(played.scene, 5000, 1000, NULL, NULL);
    for (int32_t i = 0; i < 40; i++) {
        played_add_rect(i * 100 + i * 3, 0, 51, 1000, AF_PAINT_ALERT);
    }
    draw_pixels();
    unsigned n_alerts = 0;
    for (uint32_t x = 0; x < image.width; x++) {
        n_alerts += is_paint(x, 5, AF_PAINT_ALERT);
    }
    ck_assert_uint_eq(n_alerts, 40);
}

TEST(png_corners_are_round_in_the_dark)
{
    played.options.dark = TRUE;
    af_scene_page_add(played.scene, 4000, 4000, NULL, NULL);
    af_scene_rect_add(played.scene, &(af_scene_rect){0, 0, 4000, 4000, AF_PAINT_ALERT, FALSE, 1000,
                                                     AF_TEXTURE_NONE});
    draw_pixels();
    ck_assert(is_paint(0, 0, AF_PAINT_PAGE) && is_paint(39, 39, AF_PAINT_PAGE));
    ck_assert(is_paint(39, 0, AF_PAINT_PAGE) && is_paint(0, 39, AF_PAINT_PAGE));
    ck_assert(is_paint(20, 0, AF_PAINT_ALERT) && is_paint(0, 20, AF_PAINT_ALERT));
    ck_assert(is_paint(20, 20, AF_PAINT_ALERT));
}

static void add_textured(int32_t y, af_texture texture)
{
    af_scene_rect_add(played.scene,
                      &(af_scene_rect){0, y, 10000, 1700, AF_PAINT_INK, FALSE, 0, texture});
}

TEST(png_textures_are_dots_and_dashes)
{
    af_scene_page_add(played.scene, 10000, 4000, NULL, NULL);
    add_textured(0, AF_TEXTURE_DOTS);
    add_textured(2000, AF_TEXTURE_DASHES);
    played.options.scale_percent = 200;
    draw_pixels();
    unsigned dots = 0, dashes = 0, gaps = 0;
    for (uint32_t x = 0; x < image.width; x++) {
        dots += is_paint(x, 3, AF_PAINT_INK);
        dashes += is_paint(x, 40, AF_PAINT_INK);
        gaps += is_paint(x, 40, AF_PAINT_PAGE);
        ck_assert(is_paint(x, 20, AF_PAINT_PAGE));
    }
    ck_assert_uint_eq(dots, 20 * 3);       /* 20 steps of 5 px, dots of 1.5 px */
    ck_assert_uint_eq(dashes, 20 * 6 + 2); /* and the right side */
    ck_assert_uint_eq(gaps, 20 * 4 - 2);
    ck_assert(is_paint(0, 60, AF_PAINT_INK) && is_paint(199, 60, AF_PAINT_INK));
    ck_assert(is_paint(100, 60, AF_PAINT_PAGE));
}

static void add_hatched(int32_t x, int32_t width)
{
    af_scene_rect_add(played.scene, &(af_scene_rect){x, 0, width, 2000, af_paint_frame(0, 0), TRUE,
                                                     0, AF_TEXTURE_NONE});
}

/* One rectangle, or two that meet at `x`. */
static uint8_t *draw_hatched(int32_t x)
{
    played_renew();
    af_scene_page_add(played.scene, 10000, 2000, NULL, NULL);
    if (x > 0) {
        add_hatched(0, x);
    }
    add_hatched(x, 10000 - x);
    draw_pixels();
    return g_steal_pointer(&pixels);
}

TEST(png_hatching_continues_in_the_neighbour)
{
    played.options.scale_percent = 150;
    uint8_t *one = draw_hatched(0), *two = draw_hatched(3200);
    ck_assert_mem_eq(one, two, PNG_IMAGE_SIZE(image));
    pixels = one;
    unsigned ground = 0, stroke = 0;
    for (uint32_t x = 0; x < image.width; x++) {
        ground += pixel_is(x, 7, af_palette_hatch_ground(af_paint_frame(0, 0), FALSE));
        stroke += pixel_is(x, 7, af_palette_colour(af_paint_frame(0, 0), FALSE));
    }
    /* 16 steps of 9 pixels, each with a stroke of 1.8 * sqrt(2) pixels with soft edges */
    ck_assert_uint_ge(stroke, 16);
    ck_assert_uint_ge(ground, 4 * 16);
    g_free(two);
}

TEST(png_pages_are_stacked_vertically)
{
    af_scene_page_add(played.scene, 1000, 1000, NULL, NULL);
    af_scene_page_add(played.scene, 2000, 500, NULL, NULL);
    played_add_rect(1000, 0, 1000, 500, AF_PAINT_ALERT);
    draw_pixels();
    ck_assert_uint_eq(image.width, 20);
    ck_assert_uint_eq(image.height, 15);
    ck_assert(is_paint(9, 12, AF_PAINT_PAGE) && is_paint(15, 9, AF_PAINT_PAGE));
    ck_assert(is_paint(10, 10, AF_PAINT_ALERT) && is_paint(19, 14, AF_PAINT_ALERT));
}

TEST(png_text_is_as_wide_as_measured)
{
    const char *const text = "HandlerHandlerHandlerHandlerH";
    const uint32_t advance = (uint32_t)af_face_advance(FALSE, 1200, text, strlen(text)) * 2 / 100;
    uint32_t first, last;
    played.options.scale_percent = 200;
    af_scene_page_add(played.scene, 40000, 3000, NULL, NULL);
    played_add_text(1000, 0, text);
    draw_pixels();
    find_ink(&first, &last);
    /* an H has a 0.1 em margin on each side */
    ck_assert_uint_ge(first, 20);
    ck_assert_uint_le(first, 20 + 4);
    ck_assert_uint_le(last, 20 + advance);
    ck_assert_uint_ge(last, 20 + advance - 5);
}

/* Ligatures, right-to-left text, several faces, unknown characters: always ink, never beyond the
 * width. */
TEST(png_shaped_text_stays_within_its_width)
{
    static const char *const texts[] = {
        "com.example.שלום.onCreate",
        "مرحبا بالعالم",
        "n\xcc\x81",
        "漢字漢字漢字",
        "a→b\xe2\x80\xae"
        "cde",
        "नमस्ते",
        "\xe2\x80\x8b"
        "x",
        "squeezed but simple",
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        played_renew();
        af_scene_page_add(played.scene, 20000, 3000, NULL, NULL);
        played_add_text(1000, 3000, texts[i]);
        draw_pixels();
        uint32_t first, last;
        find_ink(&first, &last);
        ck_assert_msg(first <= last, "%s: nothing drawn", texts[i]);
        ck_assert_msg(first >= 10 && last <= 40, "%s: %u to %u", texts[i], first, last);
    }
}

TEST(shaped_latin_is_drawn_like_simple_latin)
{
    const char *const text = "AVAVA Tomato.";
    uint8_t *drawn[2];
    for (int simple = 0; simple < 2; simple++) {
        played_renew();
        af_scene_page_add(played.scene, 20000, 3000, NULL, NULL);
        af_scene_text_add(played.scene, &(af_scene_text){.x = 1000,
                                                         .baseline = 2000,
                                                         .size = 1200,
                                                         .simple = simple,
                                                         .paint = AF_PAINT_INK,
                                                         .text = text});
        draw_pixels();
        drawn[simple] = pixels;
        pixels = NULL;
    }
    ck_assert_mem_eq(drawn[0], drawn[1], PNG_IMAGE_SIZE(image));
    g_free(drawn[0]);
    g_free(drawn[1]);
}

typedef struct {
    const uint8_t *at;
    size_t left;
} chunk_source;

static void read_chunk_bytes(png_structp png, png_bytep to, size_t length)
{
    chunk_source *source = png_get_io_ptr(png);
    ck_assert_uint_le(length, source->left);
    memcpy(to, source->at, length);
    source->at += length;
    source->left -= length;
}

TEST(png_has_a_title_and_a_description)
{
    af_scene_set_about(played.scene, &(af_scene_about){.title = "größe",
                                                       .input = "app.trace",
                                                       .clock = "wall",
                                                       .selection = "main",
                                                       .description = "A picture & more.",
                                                       .date_s = 5});
    af_scene_page_add(played.scene, 1000, 1000, NULL, NULL);
    played.options.scale_percent = 150;
    played_play(&af_canvas_png);

    chunk_source source = {played.bytes->data, played.bytes->len};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_read_fn(png, &source, read_chunk_bytes);
    png_read_info(png, info);
    static const char *const expected[][2] = {
        {"Title", "größe"},    {"Source", "app.trace"},      {"Clock", "wall"},
        {"Selection", "main"}, {"Software", "aflame 0.1.0"}, {"Description", "A picture & more."},
    };
    png_textp texts = NULL;
    int n = png_get_text(png, info, &texts, NULL);
    ck_assert_int_eq(n, G_N_ELEMENTS(expected) + 1);
    for (int i = 0; i < n - 1; i++) {
        ck_assert_str_eq(texts[i].key, expected[i][0]);
        ck_assert_str_eq(texts[i].text, expected[i][1]);
    }
    ck_assert_int_eq(texts[0].compression, PNG_ITXT_COMPRESSION_NONE);
    ck_assert_int_eq(texts[1].compression, PNG_TEXT_COMPRESSION_NONE);
    ck_assert_int_eq(texts[5].compression, PNG_ITXT_COMPRESSION_NONE);
    ck_assert_str_eq(texts[6].key, "XML:com.adobe.xmp");
    ck_assert_ptr_nonnull(strstr(texts[6].text, "<Iptc4xmpCore:AltTextAccessibility>"));
    ck_assert_ptr_nonnull(strstr(texts[6].text, ">A picture &amp; more.</rdf:li>"));
    /* 144 dots an inch */
    ck_assert_uint_eq(png_get_x_pixels_per_meter(png, info), 5669);
    ck_assert_uint_eq(png_get_y_pixels_per_meter(png, info), 5669);
    ck_assert_int_eq(png_get_color_type(png, info), PNG_COLOR_TYPE_PALETTE);
    ck_assert(!png_get_valid(png, info, PNG_INFO_tIME));
    png_destroy_read_struct(&png, &info, NULL);
}

/* The byte of the first chunk that says whether a pixel is RGB or an index into a palette. */
static unsigned get_colour_type(void)
{
    return played.bytes->data[25];
}

/* `n` kinds of frames, with a label each. */
static void add_labelled_frames(unsigned n)
{
    af_scene_page_add(played.scene, 20000, (int32_t)(n * 3000), NULL, NULL);
    for (unsigned i = 0; i < n; i++) {
        const int32_t y = (int32_t)(i * 3000);
        played_add_rect(0, y, 20000, 3000, (af_paint)(AF_PAINT_FRAME + i));
        for (int32_t shift = 0; shift < 10; shift++) {
            af_scene_text_add(played.scene,
                              &(af_scene_text){.x = 500 + shift * 1930,
                                               .baseline = y + 2000,
                                               .size = 1200 + shift * 17,
                                               .simple = TRUE,
                                               .paint = shift % 2 ? AF_PAINT_LABEL : AF_PAINT_PAGE,
                                               .text = "ABCSO"});
        }
    }
}

TEST(png_has_a_palette_unless_it_would_lose_something_visible)
{
    add_labelled_frames(6);
    draw_pixels();
    ck_assert_uint_eq(get_colour_type(), PNG_COLOR_TYPE_PALETTE);
    ck_assert(is_paint(1, 1, AF_PAINT_FRAME));
    ck_assert(is_paint(1, 151, AF_PAINT_FRAME + 5));
    played_renew();
    add_labelled_frames(AF_PAINT_COUNT - AF_PAINT_FRAME);
    draw_pixels();
    ck_assert_uint_eq(get_colour_type(), PNG_COLOR_TYPE_RGB);
    for (unsigned i = 0; i < AF_PAINT_COUNT - AF_PAINT_FRAME; i++) {
        ck_assert(is_paint(1, 30 * i + 1, (af_paint)(AF_PAINT_FRAME + i)));
    }
}

/* Rows of a RGB picture that are wider than the window of deflate are stored as differences. */
TEST(png_may_be_wide_and_have_many_colours)
{
    add_labelled_frames(AF_PAINT_COUNT - AF_PAINT_FRAME);
    draw_pixels();
    const png_image narrow = image;
    g_autofree uint8_t *expected = g_steal_pointer(&pixels);
    played_renew();
    af_scene_page_add(played.scene, 1200000, 100, NULL, NULL);
    add_labelled_frames(AF_PAINT_COUNT - AF_PAINT_FRAME);
    draw_pixels();
    ck_assert_uint_eq(get_colour_type(), PNG_COLOR_TYPE_RGB);
    ck_assert_uint_eq(image.width, 12000);
    ck_assert_uint_eq(image.height, narrow.height + 1);
    for (uint32_t y = 0; y < narrow.height; y++) {
        ck_assert_mem_eq(pixels + (size_t)(y + 1) * image.width * 3,
                         expected + (size_t)y * narrow.width * 3, (size_t)narrow.width * 3);
    }
}

/* "WIDTH HEIGHT PERCENT" => the size of the picture, and the messages */
static char *show_size(const char *input)
{
    int width_px, height_px;
    ck_assert_int_eq(
        sscanf(input, "%d %d %d", &width_px, &height_px, &played.options.scale_percent), 3);
    played_renew();
    af_scene_page_add(played.scene, width_px * 100, height_px * 100, NULL, NULL);
    draw_pixels();
    g_autofree char *messages = played_take_messages();
    return g_strdup_printf("%u %u%s%s", image.width, image.height, *messages != '\0' ? "; " : "",
                           messages);
}

TEST(png_beyond_the_limits_is_scaled_down_or_cropped)
{
    cases_map("sizes of PNG pictures", show_size);
}

/* Pages whose rectangles, rounded corners, hatching and letters cross the edges of bands. */
static void add_crossing_marks(void)
{
    static const char *const texts[] = {"Handler.dispatchMessage", "com.example.שלום.onCreate",
                                        "漢字 नमस्ते Ağ\xcc\x88\xcc\x81\xcc\x82"};
    af_scene_page_add(played.scene, 30000, 70000, NULL, NULL);
    for (int32_t i = 0; i < 60; i++) {
        const int32_t y = i * 1131;
        const af_paint paint = af_paint_frame((unsigned)i % AF_CATEGORIES, (unsigned)i % AF_SHADES);
        af_scene_rect_add(played.scene,
                          &(af_scene_rect){500 + i * 37, y, 14000, 1700 + i * 13, paint, i % 3 == 0,
                                           i % 4 * 200, (af_texture)(i % 3)});
        af_scene_text_add(played.scene, &(af_scene_text){.x = 600 + i * 41,
                                                         .baseline = y + 1200,
                                                         .size = 900 + i * 31,
                                                         .width_max = i % 5 == 0 ? 9000 : 0,
                                                         .bold = i % 2,
                                                         .simple = i % 3 == 0,
                                                         .paint = AF_PAINT_INK,
                                                         .text = texts[i % 3]});
    }
}

/* A wider page has lower bands. Its left part must be the same. */
TEST(png_bands_are_invisible)
{
    add_crossing_marks();
    played.options.scale_percent = 170;
    draw_pixels();
    g_autofree uint8_t *narrow = pixels;
    const png_image size = image;
    pixels = NULL;
    for (int32_t width_px = 1900; width_px <= 12100; width_px += 5100) {
        played_renew();
        add_crossing_marks();
        af_scene_page_add(played.scene, width_px * 100, 100, NULL, NULL);
        draw_pixels();
        ck_assert_uint_gt(image.width, size.width);
        for (uint32_t y = 0; y < size.height; y++) {
            ck_assert_msg(memcmp(narrow + (size_t)y * size.width * 3,
                                 pixels + (size_t)y * image.width * 3, (size_t)size.width * 3) == 0,
                          "row %u, page %d px wide", y, width_px);
        }
    }
}

static void tear_down(void)
{
    g_clear_pointer(&pixels, g_free);
    played_tear_down();
}

AROUND_EACH(played_set_up, tear_down)
