/* The cairo canvases beyond pixels: metadata, links, and how files end. */
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "base/out.h"
#include "played_scene.h"
#include "suite.h"

AROUND_EACH(played_set_up, played_tear_down)

static unsigned count_bytes(const char *part)
{
    const size_t length = strlen(part);
    unsigned n = 0;
    for (size_t at = 0; at + length <= played.bytes->len; at++) {
        n += memcmp(played.bytes->data + at, part, length) == 0;
    }
    return n;
}

static gboolean has_bytes(const char *part)
{
    return count_bytes(part) > 0;
}

static void add_document(void)
{
    af_scene_set_about(played.scene, &(af_scene_about){.title = "app.trace",
                                                       .input = "app.trace",
                                                       .description = "Two threads.",
                                                       .app = "com.example",
                                                       .date_s = 1500000000});
    af_scene_page_add(played.scene, 40000, 20000, "First thread", "main");
    played_add_text(1000, 0, "com.example.Foo.onCreate");
    played_add_text(1000, 9000, "שלום → 漢");
    af_scene_link_add(played.scene, &(af_scene_link){1000, 1000, 4000, 2000, 1, NULL});
    af_scene_page_add(played.scene, 80000, 10000, "Second thread", "Binder");
    af_scene_rect_add(played.scene, &(af_scene_rect){0, 0, 999, 999, af_paint_frame(1, 1), TRUE,
                                                     150, AF_TEXTURE_NONE});
    af_scene_link_add(played.scene, &(af_scene_link){1000, 1000, 4000, 2000, 0, NULL});
}

TEST(pdf_pages_have_the_size_of_the_scene_pages)
{
    add_document();
    played_play(&af_canvas_pdf);
    ck_assert_mem_eq(played.bytes->data, "%PDF-1.5", 8);
    ck_assert(has_bytes("/MediaBox [ 0 0 300 150 ]"));
    ck_assert(has_bytes("/MediaBox [ 0 0 600 75 ]"));
    ck_assert_uint_eq(count_bytes("/MediaBox"), 2);
    ck_assert(has_bytes("/Title (First thread)"));
    ck_assert(has_bytes("/Title (Second thread)"));
    ck_assert(has_bytes("/PageLabels"));
    ck_assert(has_bytes("/P (main)"));
    ck_assert(has_bytes("/P (Binder)"));
    /* forward and back; 7.5 pt from the upper left corner, widened to whole points */
    ck_assert_uint_eq(count_bytes("/Subtype /Link"), 2);
    ck_assert(has_bytes("/Dest (page-1)") && has_bytes("/Dest (page-2)"));
    ck_assert(has_bytes("(page-1) [") && has_bytes("(page-2) [")); /* their targets */
    ck_assert(has_bytes("/Rect [ 7 127 38 143 ]"));
    ck_assert_uint_eq(played.options.messages->len, 0);
}

TEST(pdf_embeds_the_faces)
{
    add_document();
    played_play(&af_canvas_pdf);
    ck_assert(has_bytes("+NotoSans-SemiCondensed"));
    ck_assert(has_bytes("+DejaVuSansCondensed"));
    ck_assert(has_bytes("/FontFile2"));
    ck_assert(has_bytes("/ToUnicode"));
}

TEST(pdf_has_a_title_and_a_description)
{
    add_document();
    played_play(&af_canvas_pdf);
    ck_assert(has_bytes("/Title (app.trace)"));
    ck_assert(has_bytes("/Author (aflame)"));
    ck_assert(has_bytes("/Subject (Two threads.)"));
    ck_assert(has_bytes("/Creator (aflame 0.1.0)"));
    ck_assert(has_bytes("com.example"));
}

/* A label in several faces, which cairo draws in several runs. */
TEST(a_shortened_label_in_several_runs_has_its_full_text_once)
{
    add_document();
    af_scene_push(played.scene,
                  &(af_scene_group){.kind = AF_GROUP_FRAME, .name = "com.example.שלום → 漢"});
    played_add_text(1000, 3000,
                    "שלום…漢\xE2\x80\x82"
                    "5 s");
    af_scene_pop(played.scene);
    played_play(&af_canvas_pdf);
    ck_assert(has_bytes("/MarkInfo << /Marked true >>"));
    ck_assert(has_bytes("/S /Sect"));
}

TEST(pdf_dates_are_never_the_current_time)
{
    add_document();
    played_play(&af_canvas_pdf);
    ck_assert(has_bytes("/CreationDate (20170714024000Z)") ||
              has_bytes("/CreationDate (D:20170714024000Z)"));
    ck_assert_uint_eq(count_bytes("20170714024000Z"), 2);
    played.options.date_s = 0;
    played_play(&af_canvas_pdf);
    ck_assert_uint_eq(count_bytes("19700101000000Z"), 2);
    af_scene_set_about(played.scene, &(af_scene_about){.date_s = -1});
    played.options.date_s = -1;
    played_play(&af_canvas_pdf);
    ck_assert(!has_bytes("Date"));
    played.options.date_s = INT64_MAX; /* beyond the year 9999 */
    played_play(&af_canvas_pdf);
    ck_assert(!has_bytes("Date"));
}

TEST(a_pdf_page_that_is_too_long_is_scaled_down)
{
    af_scene_page_add(played.scene, 120000, 3840000, NULL, NULL);
    played_play(&af_canvas_pdf);
    ck_assert(has_bytes("/MediaBox [ 0 0 900 14400 ]")); /* as wide as the other pages */
    g_autofree char *messages = played_take_messages();
    ck_assert_str_eq(messages, "page 1 is 28,800 pt long; drawn smaller, as 14,400 pt");
}

TEST(outlines_need_neither_font_nor_script)
{
    add_document();
    played_play(&af_canvas_svg_outlines);
    g_byte_array_append(played.bytes, (const guint8 *)"", 1);
    ck_assert(g_str_has_prefix((const char *)played.bytes->data, "<?xml"));
    ck_assert(has_bytes("width=\"800px\"") && has_bytes("height=\"300px\""));
    ck_assert(!has_bytes("<text") && !has_bytes("<script") && !has_bytes("font-family"));
    ck_assert(!has_bytes("<image"));
    GMarkupParser parser = {0};
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    ck_assert(g_markup_parse_context_parse(context, (const char *)played.bytes->data, -1, NULL));
    ck_assert(g_markup_parse_context_end_parse(context, NULL));
    g_markup_parse_context_free(context);
}

static const af_canvas_class *const all[] = {&af_canvas_png, &af_canvas_pdf, &af_canvas_svg,
                                             &af_canvas_svg_outlines};

static bool expect_own_locale(void *user, const void *from, size_t length, GError **error)
{
    const locale_t locale = uselocale((locale_t)0);
    ck_assert(locale != LC_GLOBAL_LOCALE);
    ck_assert_str_eq(nl_langinfo_l(RADIXCHAR, locale), ".");
    ++*(unsigned *)user;
    return TRUE;
}

/* cairo reads the numbers of a font with the decimal point of the locale, and crashes on a comma */
TEST(a_canvas_runs_with_a_decimal_point)
{
    unsigned calls = 0;
    add_document();
    ck_assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    ck_assert(af_canvas_play(&af_canvas_pdf, played.scene, &played.options, expect_own_locale,
                             &calls, NULL));
    ck_assert_uint_gt(calls, 0);
    ck_assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
}

TEST_EACH(a_scene_without_pages_is_a_valid_file, G_N_ELEMENTS(all))
{
    played_play(all[_i]);
}

TEST_EACH(free_before_finish_writes_no_more_bytes, G_N_ELEMENTS(all))
{
    add_document();
    GError *error = NULL;
    af_canvas *canvas =
        all[_i]->begin(played.scene, &played.options, af_out_to_array, played.bytes, &error);
    ck_assert_ptr_nonnull(canvas);
    if (all[_i]->page != NULL) {
        all[_i]->page(canvas, &played.scene->commands[0].page);
    }
    const guint before = played.bytes->len;
    all[_i]->free(canvas);
    ck_assert_uint_eq(played.bytes->len, before);
}
