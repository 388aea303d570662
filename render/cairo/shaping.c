#include "render/cairo/shaping.h"

#include <pango/pangocairo.h>
#include <string.h>
#include "render/cairo/facemap.h"

struct af_glyph_run {
    char *text;
    GSList *runs; /* of PangoGlyphItem, from left to right */
    int width;    /* pango units */
    double size;
};

PangoContext *af_shaper_new(gboolean system_fonts)
{
    PangoContext *behind = NULL;
    if (system_fonts) {
        PangoFontMap *machine = pango_cairo_font_map_new();
        behind = pango_font_map_create_context(machine);
        g_object_unref(machine);
    }
    PangoFontMap *map = af_facemap_new(behind);
    PangoContext *shaper = pango_font_map_create_context(map);
    g_object_unref(map);
    pango_context_set_round_glyph_positions(shaper, FALSE);
    /* not the language of the locale */
    pango_context_set_language(shaper, pango_language_from_string("en"));
    return shaper;
}

static void set_font(PangoContext *shaper, gboolean bold, double size)
{
    PangoFontDescription *description = pango_font_description_new();
    pango_font_description_set_family_static(description, "sans-serif");
    pango_font_description_set_weight(description, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(description, size * PANGO_SCALE);
    pango_context_set_font_description(shaper, description);
    pango_font_description_free(description);
}

af_glyph_run *af_shaper_shape(PangoContext *shaper, const char *text, gboolean bold, double size)
{
    const int length = (int)strlen(text);
    af_glyph_run *shaped = g_new0(af_glyph_run, 1);
    shaped->text = g_strdup(text);
    shaped->size = size;
    set_font(shaper, bold, size);
    /* labels start on the left, whatever their first letter */
    GList *logical = pango_itemize_with_base_dir(shaper, PANGO_DIRECTION_LTR, shaped->text, 0,
                                                 length, NULL, NULL);
    GList *visual = pango_reorder_items(logical);
    for (GList *i = visual; i != NULL; i = i->next) {
        PangoItem *item = i->data;
        /* for a script with several languages pango would use the user's settings */
        item->analysis.language = pango_language_from_string("en");
        PangoGlyphItem *run = g_slice_new0(PangoGlyphItem);
        run->item = item;
        run->glyphs = pango_glyph_string_new();
        pango_shape_with_flags(shaped->text + item->offset, item->length, shaped->text, length,
                               &item->analysis, run->glyphs, PANGO_SHAPE_NONE);
        shaped->width += pango_glyph_string_get_width(run->glyphs);
        shaped->runs = g_slist_prepend(shaped->runs, run);
    }
    shaped->runs = g_slist_reverse(shaped->runs);
    g_list_free(logical);
    g_list_free(visual);
    return shaped;
}

static void free_run(gpointer run)
{
    pango_glyph_item_free(run);
}

void af_glyph_run_free(af_glyph_run *shaped)
{
    g_slist_free_full(shaped->runs, free_run);
    g_free(shaped->text);
    g_free(shaped);
}

double af_glyph_run_width(const af_glyph_run *shaped)
{
    return (double)shaped->width / PANGO_SCALE;
}

/* Selects the run's font. FALSE if the face is unavailable. */
static gboolean select_font(const af_glyph_run *shaped, PangoFont *font, cairo_t *cr,
                            af_letters *letters)
{
    af_face_id id;
    if (af_facemap_font_face(font, &id)) {
        cairo_font_face_t *face = af_letters_face(letters, id);
        if (face == NULL) {
            return FALSE;
        }
        cairo_set_font_face(cr, face);
        cairo_set_font_size(cr, shaped->size);
        return TRUE;
    }
    cairo_scaled_font_t *scaled = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font));
    if (scaled != NULL) {
        cairo_matrix_t matrix;
        cairo_scaled_font_get_font_matrix(scaled, &matrix);
        cairo_set_font_face(cr, cairo_scaled_font_get_font_face(scaled));
        cairo_set_font_matrix(cr, &matrix);
    }
    return scaled != NULL;
}

static void add_glyphs(af_glyphs *row, const PangoGlyphItem *run, double x)
{
    for (int i = 0; i < run->glyphs->num_glyphs; i++) {
        const PangoGlyphInfo *info = &run->glyphs->glyphs[i];
        if (info->glyph & PANGO_GLYPH_UNKNOWN_FLAG) {
            /* Adds the box for a character that no face has (.notdef), in the middle of its em. */
            PangoRectangle box;
            pango_font_get_glyph_extents(run->item->analysis.font, 0, NULL, &box);
            af_glyphs_add(row, 0, x + (double)(info->geometry.width - box.width) / 2 / PANGO_SCALE,
                          0);
        } else if (info->glyph != PANGO_GLYPH_EMPTY) {
            af_glyphs_add(row, info->glyph, x + (double)info->geometry.x_offset / PANGO_SCALE,
                          (double)info->geometry.y_offset / PANGO_SCALE);
        }
        x += (double)info->geometry.width / PANGO_SCALE;
    }
}

static void add_clusters(af_glyphs *row, PangoGlyphItem *run, const char *text)
{
    PangoGlyphItemIter iter;
    for (gboolean more = pango_glyph_item_iter_init_start(&iter, run, text); more;
         more = pango_glyph_item_iter_next_cluster(&iter)) {
        /* from right to left the glyph indices decrease */
        const gboolean down = iter.end_glyph < iter.start_glyph;
        const int low = down ? iter.end_glyph + 1 : iter.start_glyph;
        const int high = down ? iter.start_glyph + 1 : iter.end_glyph;
        int n = 0;
        for (int i = low; i < high; i++) {
            n += run->glyphs->glyphs[i].glyph != PANGO_GLYPH_EMPTY;
        }
        af_glyphs_add_cluster(row, (size_t)(iter.end_index - iter.start_index), n);
    }
}

gboolean af_glyph_run_draw(const af_glyph_run *shaped, af_glyphs *row, cairo_t *cr,
                           af_letters *letters)
{
    double x = 0;
    for (const GSList *i = shaped->runs; i != NULL; i = i->next) {
        PangoGlyphItem *run = i->data;
        const PangoItem *item = run->item;
        if (!select_font(shaped, item->analysis.font, cr, letters)) {
            return FALSE;
        }
        af_glyphs_begin(row, (size_t)MAX(run->glyphs->num_glyphs, item->num_chars));
        add_glyphs(row, run, x);
        add_clusters(row, run, shaped->text);
        af_glyphs_show(row, cr, shaped->text + item->offset, (size_t)item->length,
                       item->analysis.level % 2);
        x += (double)pango_glyph_string_get_width(run->glyphs) / PANGO_SCALE;
    }
    return TRUE;
}
