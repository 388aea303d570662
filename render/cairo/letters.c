#include "render/cairo/letters.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MODULE_H
#include <stdlib.h>
#include <string.h>
#include "render/cairo/glyphs.h"
#include "render/cairo/shaping.h"

struct af_letters {
    FT_Library library;
    cairo_font_face_t *faces[AF_FACES];
    gboolean system_fonts;
    PangoContext *shaper; /* made for the first text that needs it */
    af_glyphs row;
};

af_letters *af_letters_new(gboolean system_fonts, gboolean pixels)
{
    af_letters *letters = g_new0(af_letters, 1);
    letters->system_fonts = system_fonts;
    letters->row.pixels = pixels;
    return letters;
}

void af_letters_free(af_letters *letters)
{
    if (letters == NULL) {
        return;
    }
    g_clear_object(&letters->shaper);
    for (int i = 0; i < AF_FACES; i++) {
        if (letters->faces[i] != NULL) {
            cairo_font_face_destroy(letters->faces[i]);
        }
    }
    if (letters->library != NULL) {
        FT_Done_Library(letters->library);
    }
    af_glyphs_clear(&letters->row);
    g_free(letters);
}

static void *allocate(FT_Memory memory, long size)
{
    return malloc((size_t)size);
}

static void give_back(FT_Memory memory, void *block)
{
    free(block);
}

static void *resize(FT_Memory memory, long old_size, long size, void *block)
{
    return realloc(block, (size_t)size);
}

/* FT_Init_FreeType() allocates more than the library, which only FT_Done_FreeType() frees, without
 * checking whether faces are still in use; it also reads the environment. */
static FT_Library open_library(void)
{
    static struct FT_MemoryRec_ memory = {NULL, allocate, give_back, resize};
    FT_Library library;
    if (FT_New_Library(&memory, &library) != 0) {
        return NULL;
    }
    FT_Add_Default_Modules(library);
    return library;
}

/* Cairo caches a face after its last use, so the face holds the library. */
static void free_face(void *user)
{
    FT_Face face = user;
    FT_Library library = face->glyph->library;
    FT_Done_Face(face);
    FT_Done_Library(library);
}

static cairo_font_face_t *open_face(FT_Library library, af_face_id id)
{
    static const cairo_user_data_key_t key;
    size_t length;
    const unsigned char *bytes = af_face_bytes(id, &length);
    FT_Face face;
    if (FT_New_Memory_Face(library, bytes, (FT_Long)length, 0, &face) != 0) {
        return NULL;
    }
    FT_Reference_Library(library);
    cairo_font_face_t *font_face =
        cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
    if (cairo_font_face_set_user_data(font_face, &key, face, free_face) != CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(font_face);
        free_face(face);
        return NULL;
    }
    return font_face;
}

cairo_font_face_t *af_letters_face(af_letters *letters, af_face_id face)
{
    if (letters->library == NULL) {
        letters->library = open_library();
    }
    if (letters->library == NULL) {
        return NULL;
    }
    if (letters->faces[face] == NULL) {
        letters->faces[face] = open_face(letters->library, face);
    }
    return letters->faces[face];
}

/* Places a glyph for each character, from the origin. Returns the width. */
static double position_glyphs(af_glyphs *row, af_face_id face, const char *text, size_t length,
                              double size)
{
    const double em = af_face_em(face);
    int64_t units = 0; /* an integer, so that errors do not accumulate */
    af_glyphs_begin(row, length);
    for (const char *end = text + length; text < end;) {
        const char *next = g_utf8_next_char(text);
        af_face_glyph glyph = af_face_glyph_at(face, g_utf8_get_char(text));
        af_glyphs_add(row, glyph.glyph, (double)units * size / em, 0);
        af_glyphs_add_cluster(row, (size_t)(next - text), 1);
        units += glyph.advance;
        text = next;
    }
    return (double)units * size / em;
}

/* Moves the origin to the start of the text, and compresses the text to `width_max`. */
static void begin_text(cairo_t *cr, double x, double baseline, double width, double width_max)
{
    cairo_save(cr);
    cairo_translate(cr, x, baseline);
    if (width_max > 0 && width > width_max) {
        cairo_scale(cr, width_max / width, 1);
    }
}

static gboolean draw_simple(af_letters *letters, cairo_t *cr, const af_scene_text *text, double x,
                            double baseline, double unit)
{
    const af_face_id face = text->bold ? AF_FACE_BOLD : AF_FACE_REGULAR;
    const double size = text->size * unit;
    cairo_font_face_t *font_face = af_letters_face(letters, face);
    if (font_face == NULL) {
        return FALSE;
    }
    const size_t length = strlen(text->text);
    double width = position_glyphs(&letters->row, face, text->text, length, size);
    /* the advance in the scene is rounded to a hundredth: a smaller excess fits */
    double width_max = text->width_max > 0 ? (text->width_max + 1) * unit : 0;
    begin_text(cr, x, baseline, width, width_max);
    cairo_set_font_face(cr, font_face);
    cairo_set_font_size(cr, size);
    af_glyphs_show(&letters->row, cr, text->text, length, FALSE);
    cairo_restore(cr);
    return TRUE;
}

static gboolean draw_shaped(af_letters *letters, cairo_t *cr, const af_scene_text *text, double x,
                            double baseline, double unit)
{
    if (letters->shaper == NULL) {
        letters->shaper = af_shaper_new(letters->system_fonts);
    }
    af_glyph_run *shaped =
        af_shaper_shape(letters->shaper, text->text, text->bold, text->size * unit);
    begin_text(cr, x, baseline, af_glyph_run_width(shaped), text->width_max * unit);
    gboolean drawn = af_glyph_run_draw(shaped, &letters->row, cr, letters);
    cairo_restore(cr);
    af_glyph_run_free(shaped);
    return drawn;
}

void af_letters_abbreviate(af_letters *letters, const char *full)
{
    letters->row.full = full;
}

gboolean af_letters_draw(af_letters *letters, cairo_t *cr, const af_scene_text *text, double x,
                         double baseline, double unit)
{
    gboolean drawn = TRUE;
    if (text->text[0] != '\0') {
        drawn = text->simple ? draw_simple(letters, cr, text, x, baseline, unit)
                             : draw_shaped(letters, cr, text, x, baseline, unit);
    }
    letters->row.full = NULL;
    return drawn;
}
