#include "render/cairo/facemap.h"
#include "suite.h"

enum { EM = 20 * PANGO_SCALE };

static PangoFontMap *map;
static PangoContext *context;
static PangoFontDescription *description;

static void set_up(void)
{
    map = af_facemap_new(NULL);
    context = pango_font_map_create_context(map);
    description = pango_font_description_new();
    pango_font_description_set_family_static(description, "any");
    pango_font_description_set_absolute_size(description, EM);
}

static void tear_down(void)
{
    pango_font_description_free(description);
    g_object_unref(context);
    g_object_unref(map);
}

AROUND_EACH(set_up, tear_down)

TEST(fonts_are_chosen_by_weight)
{
    static const PangoWeight weights[] = {PANGO_WEIGHT_LIGHT, PANGO_WEIGHT_NORMAL,
                                          PANGO_WEIGHT_SEMIBOLD, PANGO_WEIGHT_ULTRABOLD};
    for (unsigned i = 0; i < G_N_ELEMENTS(weights); i++) {
        const gboolean bold = i >= 2;
        af_face_id face;
        pango_font_description_set_weight(description, weights[i]);
        PangoFont *font = pango_font_map_load_font(map, context, description);
        ck_assert(af_facemap_font_face(font, &face));
        ck_assert_int_eq(face, bold ? AF_FACE_BOLD : AF_FACE_REGULAR);
        PangoFontDescription *found = pango_font_describe_with_absolute_size(font);
        ck_assert_str_eq(pango_font_description_get_family(found), "Noto Sans SemiCondensed");
        ck_assert_int_eq(pango_font_description_get_weight(found),
                         bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
        ck_assert_int_eq(pango_font_description_get_size(found), EM);
        pango_font_description_free(found);
        g_object_unref(font);
    }
}

/* The width of an n is 559 thousandths of an em. */
TEST(glyphs_are_as_wide_as_measured)
{
    PangoFont *font = pango_font_map_load_font(map, context, description);
    PangoRectangle ink, logical;
    pango_font_get_glyph_extents(font, af_face_glyph_at(AF_FACE_REGULAR, 'n').glyph, &ink,
                                 &logical);
    ck_assert_int_eq(logical.width, (EM * 559 + 500) / 1000);
    ck_assert_mem_eq(&ink, &logical, sizeof ink);
    pango_font_get_glyph_extents(font, PANGO_GLYPH_EMPTY, NULL, &logical);
    ck_assert_int_eq(logical.width, 0);
    pango_font_get_glyph_extents(font, PANGO_GET_UNKNOWN_GLYPH(0x10fffe), &ink, NULL);
    ck_assert_int_eq(ink.width, EM);
    ck_assert_int_eq(ink.height, EM);
    ck_assert_int_eq(ink.y, -EM);
    g_object_unref(font);
}

TEST(fonts_know_their_characters)
{
    PangoFont *font = pango_font_map_load_font(map, context, description);
    ck_assert(pango_font_has_char(font, 'n'));
    ck_assert(!pango_font_has_char(font, 0x6f22));
    PangoFontMetrics *metrics = pango_font_get_metrics(font, NULL);
    ck_assert_int_gt(pango_font_metrics_get_ascent(metrics), 0);
    pango_font_metrics_unref(metrics);
    ck_assert_ptr_null(pango_font_get_font_map(font));
    g_object_unref(font);
}

static void expect_face(PangoFontset *fonts, guint character, af_face_id expected)
{
    af_face_id face;
    PangoFont *font = pango_fontset_get_font(fonts, character);
    ck_assert(af_facemap_font_face(font, &face));
    ck_assert_int_eq(face, expected);
    g_object_unref(font);
}

static gboolean add_face(PangoFontset *fonts, PangoFont *font, gpointer faces)
{
    af_face_id face;
    ck_assert(af_facemap_font_face(font, &face));
    g_array_append_val((GArray *)faces, face);
    return FALSE;
}

/* An arrow is in the fallback face only; a character without a face becomes a box of the first. */
TEST(characters_choose_the_first_face_that_has_them)
{
    PangoLanguage *language = pango_language_from_string("en");
    PangoFontset *fonts = pango_font_map_load_fontset(map, context, description, language);
    expect_face(fonts, 'n', AF_FACE_REGULAR);
    expect_face(fonts, 0x2192, AF_FACE_FALLBACK);
    expect_face(fonts, 0x6f22, AF_FACE_REGULAR);
    g_autoptr(GArray) faces = g_array_new(FALSE, FALSE, sizeof(af_face_id));
    pango_fontset_foreach(fonts, add_face, faces);
    ck_assert_uint_eq(faces->len, 2);
    ck_assert_int_eq(g_array_index(faces, af_face_id, 0), AF_FACE_REGULAR);
    ck_assert_int_eq(g_array_index(faces, af_face_id, 1), AF_FACE_FALLBACK);
    PangoFontMetrics *metrics = pango_fontset_get_metrics(fonts);
    ck_assert_int_gt(pango_font_metrics_get_ascent(metrics), 0);
    pango_font_metrics_unref(metrics);
    g_object_unref(fonts);

    g_autofree PangoFontFamily **families = NULL;
    int n = -1;
    pango_font_map_list_families(map, &families, &n);
    ck_assert_int_eq(n, 0);
}
