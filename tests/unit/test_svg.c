#include <locale.h>
#include <string.h>

#include <gio/gio.h>

#include "base/out.h"
#include "drawn_profile.h"
#include "render/canvas.h"
#include "render/page/sheet.h"
#include "render/sizes.h"
#include "render/svg/script.h"
#include "suite.h"

static char *play_with(const af_scene *scene, const af_canvas_options *options)
{
    GByteArray *bytes = g_byte_array_new();
    GError *error = NULL;
    ck_assert(af_canvas_play(&af_canvas_svg, scene, options, af_out_to_array, bytes, &error));
    ck_assert_ptr_null(error);
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(bytes, FALSE);
}

static char *play(const af_scene *scene, gboolean dark, gboolean both)
{
    return play_with(scene, &(af_canvas_options){.dark = dark,
                                                 .both_themes = both,
                                                 .scale_percent = 100,
                                                 .program = "aflame test"});
}

static char *play_script(const af_scene *scene)
{
    return play_with(
        scene, &(af_canvas_options){.both_themes = TRUE, .program = "aflame test", .script = TRUE});
}

/* Checks that a second program can read it. */
static void check_xml(const char *svg)
{
    GError *error = NULL;
    GSubprocess *lint =
        g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error,
                         "xmllint", "--noout", "--nonet", "--huge", "-", NULL);
    ck_assert_ptr_null(error);
    g_autofree char *said = NULL;
    ck_assert(g_subprocess_communicate_utf8(lint, svg, NULL, NULL, &said, &error));
    ck_assert_msg(g_subprocess_get_successful(lint), "%s", said);
    g_object_unref(lint);
}

static void check_has(const char *svg, const char *part)
{
    ck_assert_msg(strstr(svg, part) != NULL, "no %s", part);
}

static void check_lacks(const char *svg, const char *part)
{
    ck_assert_msg(strstr(svg, part) == NULL, "%s", part);
}

static void add_rect(af_scene *scene, int32_t x, int32_t y, int32_t width, af_paint paint)
{
    af_scene_rect_add(scene, &(af_scene_rect){x, y, width, 1700, paint, FALSE, 0, AF_TEXTURE_NONE});
}

static af_scene *make_page(void)
{
    af_scene *scene = af_scene_new();
    af_scene_page_add(scene, 40000, 10000, NULL, NULL);
    return scene;
}

static af_scene *make_scene(const char *name)
{
    af_scene *scene = af_scene_new();
    af_scene_set_about(scene, &(af_scene_about){.title = name,
                                                .input = name,
                                                .clock = "wall",
                                                .selection = name,
                                                .description = name,
                                                .date_s = -1});
    af_scene_page_add(scene, 40000, 10050, NULL, NULL);
    af_scene_push(
        scene,
        &(af_scene_group){.kind = AF_GROUP_PANEL, .id = "t7", .name = name, .thread = 7, .y = 200});
    af_scene_push(scene, &(af_scene_group){.kind = AF_GROUP_FRAME,
                                           .name = name,
                                           .source = name,
                                           .clocks = 7,
                                           .self_ns = {1000, 500, 400},
                                           .inclusive_ns = {1234567, 234567, 1000000},
                                           .calls = 1234,
                                           .share_of_ns = 2469134,
                                           .clock = AF_WALL});
    add_rect(scene, 1600, 200, 1205, af_paint_frame(0, 2));
    af_scene_rect_add(scene, &(af_scene_rect){2805, 200, 300, 1700, af_paint_frame(1, 4), TRUE, 150,
                                              AF_TEXTURE_NONE});
    af_scene_text_add(scene, &(af_scene_text){.x = 2000,
                                              .baseline = 1460,
                                              .size = 1150,
                                              .width_max = 900,
                                              .advance = 850,
                                              .simple = TRUE,
                                              .paint = AF_PAINT_LABEL,
                                              .text = name});
    af_scene_pop(scene);
    af_scene_pop(scene);
    return scene;
}

TEST(a_frame_is_written_compactly)
{
    g_autoptr(af_scene) scene = make_scene("a.B.c");
    g_autofree char *svg = play(scene, FALSE, FALSE);
    check_xml(svg);
    check_has(svg, "width=\"400\" height=\"100.5\" viewBox=\"0 0 400 100.5\" ");
    check_has(svg, "data-program=\"aflame test\" data-input=\"a.B.c\" data-clock=\"wall\" "
                   "data-threads=\"a.B.c\"");
    check_has(svg, "<title>a.B.c</title>\n<desc>a.B.c</desc>\n");
    check_has(svg, "<g id=\"t7\" aria-label=\"a.B.c\">\n"
                   "<g><title>a.B.c\n"
                   "1.235 ms wall, self 0.001 ms, 50.0 % of the thread\n"
                   "0.235 ms CPU, self 0.001 ms\n"
                   "1.000 ms waiting\n"
                   "1,234 calls\n"
                   "a.B.c</title>"
                   "<rect class=\"a2\" fill=\"#fc9400\" x=\"16\" y=\"2\" "
                   "width=\"12.05\" height=\"17\"/>"
                   "<rect class=\"hb4\" fill=\"url(#hb4)\" x=\"28.05\" y=\"2\" "
                   "width=\"3\" height=\"17\" rx=\"1.5\"/>"
                   "<text class=\"L\" x=\"20\" y=\"14.6\" textLength=\"8.5\" "
                   "lengthAdjust=\"spacingAndGlyphs\">a.B.c</text></g>\n</g>\n</g>\n</svg>\n");
}

TEST_EACH(names_never_become_markup, 14)
{
    static const char *const names[] = {"</script><script>alert(1)</script>",
                                        "]]>",
                                        "a & b \"c\" 'd' <e>",
                                        "--><!--",
                                        "&#0;",
                                        "esc \x1b[31m bel \x07 cr \r",
                                        "tab\tnewline\nend",
                                        "\342\200\256evil", /* not hex: \xaee */
                                        "bad \xff\xc0\x80\xed\xa0\x80 \xe2\x82",
                                        "\xef\xbf\xbe\xef\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\x7f\xc2\x85",
                                        "\xf0\x9f\x98\x80",
                                        ""};
    g_autoptr(af_scene) scene = make_scene(names[_i]);
    g_autofree char *svg = play(scene, FALSE, TRUE);
    check_xml(svg);
    ck_assert(g_utf8_validate(svg, -1, NULL));
    check_lacks(svg, "<script");
    g_autofree char *live = play_script(scene);
    check_xml(live);
    const char *script = strstr(live, "<script");
    ck_assert_ptr_nonnull(script);
    ck_assert_ptr_null(strstr(script + 1, "<script"));
    for (const char *p = svg; *p; p++) {
        ck_assert((unsigned char)*p >= 0x20 || *p == '\n');
    }
}

/* The text between the tags must match the script byte for byte, or its hash in the policy does
 * not. */
TEST(the_script_comes_last_and_whole)
{
    g_autoptr(af_scene) scene = make_scene("a.B.c");
    g_autoptr(GBytes) block = g_bytes_new_static("abcd", 4);
    af_scene_attach(scene, "af-block", block, 77);
    const char *text = af_svg_script_text(AF_SCRIPT_GRAPH);
    ck_assert_ptr_null(strstr(text, "]]>"));
    ck_assert_ptr_null(strchr(text, '\r'));
    ck_assert(g_utf8_validate(text, -1, NULL));
    /* the SVG of a tiny trace, with the letters of the face, stays below 200 kB */
    ck_assert_uint_lt(strlen(text), 130000);
    g_autofree char *end =
        g_strconcat("</g>\n<metadata id=\"af-block\" data-bytes=\"77\">YWJjZA==</metadata>\n"
                    "<script><![CDATA[",
                    text, "]]></script>\n</svg>\n", NULL);
    g_autofree char *svg = play_script(scene);
    check_xml(svg);
    ck_assert(g_str_has_suffix(svg, end));
    g_autofree char *bare = play(scene, FALSE, TRUE);
    check_lacks(bare, "<metadata");
    check_lacks(bare, "<script");
}

/* Browsers then show the first screen before they have read the panels below it. */
TEST(panels_below_the_first_screen_follow_the_data)
{
    static const int64_t tops_c[] = {300, 160000, 160100, 300000};
    g_autoptr(af_scene) scene = make_scene("a.B.c");
    g_autoptr(GBytes) block = g_bytes_new_static("abcd", 4);
    af_scene_attach(scene, "af-block", block, 77);
    af_scene_page_add(scene, 40000, 400000, NULL, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(tops_c); i++) {
        af_scene_push(scene, &(af_scene_group){
                                 .kind = AF_GROUP_PANEL, .thread = 20 + i, .y = tops_c[i] - 10050});
        af_scene_pop(scene);
    }
    g_autofree char *live = play_script(scene), *bare = play(scene, FALSE, TRUE);
    check_xml(live);
    check_has(live, "data-y=\"1499.5\">\n</g>\n<metadata");
    check_has(live, "</metadata>\n<g class=\"panel\" data-thread=\"22\"");
    check_has(live, "data-y=\"2899.5\">\n</g>\n</g>\n<script>");
    check_xml(bare);
    check_lacks(bare, "<metadata");
}

TEST(the_root_has_the_settings_of_the_sheet)
{
    g_autoptr(af_scene) scene = make_scene("a.B.c");
    af_scene_grid grid = {.min_width = 50, .fluid = TRUE};
    af_scene_set_grid(scene, &grid);
    char *svg = play_script(scene);
    check_has(svg, " width=\"400\" height=\"100.5\" viewBox=\"0 0 400 100.5\"");
    check_has(svg, " data-width=\"400\" data-min-width=\"0.5\" data-em=\"");
    check_has(svg,
              "<g id=\"t7\" class=\"panel\" data-thread=\"7\" data-y=\"2\" aria-label=\"a.B.c\">");
    check_lacks(svg, " data-fixed=\"1\" data-width");
    g_free(svg);
    grid.fluid = FALSE;
    grid.inverted = grid.full_depth = TRUE;
    af_scene_set_grid(scene, &grid);
    svg = play_script(scene);
    check_has(svg, " width=\"400\" height=\"100.5\"");
    check_has(svg, " data-fixed=\"1\" data-width");
    check_has(svg, " data-inverted=\"1\" data-full-depth=\"1\" data-em");
    g_free(svg);
    g_autofree char *bare = play(scene, FALSE, TRUE);
    check_lacks(bare, "data-width");
    check_lacks(bare, "data-y");
}

TEST(deferred_elements_are_included)
{
    g_autoptr(af_scene) scene = make_scene("a.B.c");
    g_autofree char *without = play_script(scene);
    check_lacks(without, ".aflame .d3{");
    af_scene_need_paint(scene, af_paint_frame(3, 3), FALSE);
    af_scene_need_paint(scene, af_paint_frame(4, 1), TRUE);
    af_scene_need_text(scene, FALSE, "\xd0\x96\xd0\x97\xd0\x98\xd0\x99");
    af_scene_need_text(scene, TRUE, "bold");
    g_autofree char *with = play_script(scene), *bare = play(scene, FALSE, TRUE);
    check_has(with, ".aflame .d3{");
    check_has(with, "<linearGradient id=\"he1\"");
    check_has(with, "font-weight:700;src");
    check_lacks(bare, ".aflame .d3{");
    check_lacks(bare, "font-weight:700;src");
    ck_assert_uint_gt(strlen(with), strlen(without) + 500); /* four letters and one hatching */
}

static void add_bar(af_scene *scene, int32_t x, int32_t y, int32_t width, unsigned shade)
{
    af_scene_push(scene, &(af_scene_group){.kind = AF_GROUP_FRAME, .name = "narrow"});
    add_rect(scene, x, y, width, af_paint_frame(0, shade));
    af_scene_pop(scene);
}

TEST(frames_too_narrow_to_point_at_share_a_path)
{
    g_autoptr(af_scene) scene = make_page();
    add_bar(scene, 1600, 200, 50, 1);
    add_bar(scene, 1700, 200, 5, 2);
    add_bar(scene, 1710, 200, 99, 1);
    add_bar(scene, 1900, 200, 100, 1);
    add_bar(scene, 1600, 2000, 7, 1);
    g_autofree char *bare = play(scene, FALSE, FALSE), *live = play_script(scene);
    check_xml(bare);
    check_has(bare, "<path class=\"ta1\" stroke=\"#f79500\" fill=\"none\" stroke-width=\"17\" "
                    "d=\"M16 10.5h.5m.6 0h.99m-2.09 18h.07\"/>\n"
                    "<path class=\"ta2\" stroke=\"#fc9400\" fill=\"none\" stroke-width=\"17\" "
                    "d=\"M17 10.5h.05\"/>\n</g>\n");
    check_has(bare, ".aflame .ta2{stroke:#");
    check_has(
        bare,
        "<g><title>narrow</title><rect class=\"a1\" fill=\"#f79500\" x=\"19\" y=\"2\" width=\"1\"");
    check_has(live, "<path class=\"ta1\" stroke=\"#f79500\" fill=\"none\" stroke-width=\"17\" "
                    "d=\"M16 10.5h.5m.6 0h1m.9 0h1m-4 18h.1\"/>"); /* in tenths */
    check_lacks(live, "<title>narrow");
}

TEST(textures_share_a_path_each)
{
    g_autoptr(af_scene) scene = make_page();
    for (unsigned i = 0; i < 4; i++) {
        af_scene_rect_add(scene, &(af_scene_rect){1600, 200 + 1800 * (int32_t)(i / 2), 3000, 1700,
                                                  AF_PAINT_MUTED, FALSE, 0,
                                                  i % 2 ? AF_TEXTURE_DOTS : AF_TEXTURE_DASHES});
    }
    g_autofree char *svg = play(scene, FALSE, FALSE);
    check_xml(svg);
    check_has(svg, "<path class=\"tM\" stroke=\"#57606a\" pointer-events=\"none\" fill=\"none\" "
                   "stroke-width=\"0.75\" stroke-dasharray=\"3 2\" "
                   "d=\"M16.37 2.37h29.26v16.26h-29.26zM16.37 20.37h29.26v16.26h-29.26z\"/>\n");
    check_has(svg, "<path class=\"tQ\" stroke=\"#343a42\" pointer-events=\"none\" fill=\"none\" "
                   "stroke-width=\"1.5\" stroke-dasharray=\"0 5\" stroke-linecap=\"round\" "
                   "d=\"M18.5 3h25m-25 18h25\"/>\n");
    check_has(svg, ".aflame .tM{stroke:#");
}

static unsigned count_parts(const char *text, const char *part)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

/* 200 frames of each width from 1 to 30 px. */
TEST(with_a_script_the_widest_600_frames_have_facts)
{
    g_autoptr(af_scene) scene = make_page();
    for (int32_t i = 0; i < 30 * 200; i++) {
        add_bar(scene, 0, i * 10, (i % 30 + 1) * 100, 1);
    }
    g_autofree char *bare = play(scene, FALSE, FALSE), *live = play_script(scene);
    ck_assert_uint_eq(count_parts(bare, "<title>narrow"), 30 * 200);
    ck_assert_uint_eq(count_parts(live, "<title>narrow"), 3 * 200);
    ck_assert_uint_eq(count_parts(live, "width=\"28\""), 200);
    check_lacks(live, " width=\"27\"");
    check_has(live, "h27m");

    g_autoptr(af_scene) equal = make_page(); /* of one width: all, not none */
    for (int32_t i = 0; i < 1000; i++) {
        add_bar(equal, 0, i * 10, 110000, 1);
    }
    g_autofree char *all = play_script(equal);
    ck_assert_uint_eq(count_parts(all, "<title>narrow"), 1000);
}

/* 700 frames of 50 px with labels and 700 wider ones: the labels are above the path. */
TEST(labels_of_frames_without_facts_are_above_them)
{
    g_autoptr(af_scene) scene = make_page();
    for (int32_t i = 0; i < 1400; i++) {
        const gboolean wide = i % 2 == 1;
        af_scene_push(scene, &(af_scene_group){.kind = AF_GROUP_FRAME, .name = "frame"});
        add_rect(scene, 0, i * 10, wide ? 9000 : 5000, af_paint_frame(0, 1));
        af_scene_text_add(
            scene, &(af_scene_text){.x = 400,
                                    .baseline = i * 10 + 1200,
                                    .size = AF_LABEL_C,
                                    .width_max = 4000,
                                    .advance = 3000,
                                    .paint = i % 4 == 0 ? AF_PAINT_LABEL_MUTED : AF_PAINT_LABEL,
                                    .text = wide ? "wide" : "narrow"});
        af_scene_pop(scene);
    }
    g_autofree char *live = play_script(scene), *bare = play(scene, FALSE, FALSE);
    check_xml(live);
    ck_assert_uint_eq(count_parts(live, "<title>frame"), 700);
    ck_assert_uint_eq(count_parts(live, ">narrow</text>"), 700);
    ck_assert_uint_eq(
        count_parts(live, "textLength=\"30\" lengthAdjust=\"spacingAndGlyphs\">wide</text></g>"),
        700);
    check_has(live, "<g class=\"L\" pointer-events=\"none\"><text x=\"4\" y=\"12.2\" "
                    "textLength=\"30\" lengthAdjust=\"spacingAndGlyphs\">narrow</text><text ");
    check_has(live, "<g class=\"Q\" fill=\"#343a42\" pointer-events=\"none\"><text ");
    ck_assert(strstr(live, "<path class=\"ta1\"") < strstr(live, "<g class=\"L\""));
    ck_assert_uint_eq(count_parts(bare, "<title>frame"), 1400);
    check_lacks(bare, "<g class=\"L\"");
}

TEST(a_very_long_name_is_complete)
{
    g_autofree char *name = g_strnfill(70000, 'x');
    g_autoptr(af_scene) scene = make_scene(name);
    g_autofree char *svg = play(scene, FALSE, FALSE);
    check_xml(svg);
    check_has(svg, name);
}

TEST(themes_are_css_rules)
{
    g_autoptr(af_scene) scene = make_scene("a.B.c");
    g_autofree char *light = play(scene, FALSE, FALSE), *dark = play(scene, TRUE, FALSE);
    g_autofree char *both = play(scene, FALSE, TRUE);
    check_has(light, ".aflame .a2{fill:#fc9400}");
    check_lacks(light, "prefers-color-scheme");
    check_has(dark, ".aflame .a2{fill:#bf5211}");
    check_lacks(dark, ".aflame .a2{fill:#fc9400}");
    check_has(both, ".aflame .a2{fill:#fc9400}");
    const char *media = strstr(both, "@media screen and (prefers-color-scheme:dark){");
    ck_assert_ptr_nonnull(media);
    check_has(media, ".aflame .a2{fill:#bf5211}");
    check_lacks(both, ".aflame .c0{"); /* no rules for absent elements */
}

TEST(the_font_is_embedded)
{
    /* only the fallback face has an arrow */
    g_autoptr(af_scene) scene = make_scene("a.B.c \xe2\x86\x92");
    g_autofree char *svg = play(scene, FALSE, FALSE);
    check_has(svg,
              "@font-face{font-family:'Noto Sans SemiCondensed';src:url(data:font/woff;base64,");
    ck_assert_ptr_null(strstr(svg, "font-weight:700;src")); /* no bold text */
    ck_assert_uint_lt(strlen(svg), 60000);
}

TEST(pages_are_stacked_vertically)
{
    g_autoptr(af_scene) scene = af_scene_new();
    for (unsigned i = 0; i < 3; i++) {
        af_scene_page_add(scene, 10000 + (int32_t)i * 100, 5000, "page", "page");
        af_scene_link_add(scene,
                          &(af_scene_link){.x = 100, .width = 200, .height = 300, .page = 2});
    }
    g_autofree char *svg = play(scene, FALSE, FALSE);
    check_xml(svg);
    check_has(svg, "width=\"102\" height=\"150\"");
    check_has(svg, "<g id=\"page1\">\n");
    check_has(svg, "<g id=\"page3\" transform=\"translate(0 100)\">\n");
    check_has(
        svg,
        "<a href=\"#page3\"><rect fill=\"#000\" fill-opacity=\"0\" x=\"1\" y=\"0\" width=\"2\"");
}

TEST(a_sheet_is_reproducible)
{
    g_autoptr(af_profile) profile = drawn_app_start();
    const uint32_t threads[] = {0, 1, 2, 3, 4};
    const af_sheet_options options = {.clock = AF_WALL,
                                      .threads = threads,
                                      .n_threads = 5,
                                      .input = "app.trace",
                                      .width_c = 120000,
                                      .min_width_c = 100};
    g_autofree char *before = g_strdup(setlocale(LC_ALL, NULL));
    af_scene *scene = af_sheet_new(profile, &options);
    g_autofree char *one = play(scene, FALSE, TRUE);
    af_scene_free(scene);
    setlocale(LC_ALL, "de_DE.UTF-8"); /* if the machine has it: decimal commas */
    scene = af_sheet_new(profile, &options);
    g_autofree char *other = play(scene, FALSE, TRUE);
    af_scene_free(scene);
    setlocale(LC_ALL, before);
    check_xml(one);
    ck_assert_str_eq(one, other);
}
