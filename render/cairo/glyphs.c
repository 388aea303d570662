#include "render/cairo/glyphs.h"

#include <math.h>

void af_glyphs_begin(af_glyphs *row, size_t n)
{
    row->n_glyphs = row->n_clusters = 0;
    if (n > row->room) {
        row->room = MAX(n, 2 * row->room);
        row->glyphs = g_renew(cairo_glyph_t, row->glyphs, row->room);
        row->clusters = g_renew(cairo_text_cluster_t, row->clusters, row->room);
    }
}

void af_glyphs_clear(af_glyphs *row)
{
    g_free(row->glyphs);
    g_free(row->clusters);
    *row = (af_glyphs){0};
}

/* Cairo 1.16 rounds to whole pixels itself, later ones to quarters. */
static void snap(af_glyphs *row, cairo_t *cr)
{
    for (int i = 0; i < row->n_glyphs; i++) {
        cairo_glyph_t *glyph = &row->glyphs[i];
        cairo_user_to_device(cr, &glyph->x, &glyph->y);
        glyph->x = floor(glyph->x + 0.5);
        glyph->y = floor(glyph->y + 0.5);
        cairo_device_to_user(cr, &glyph->x, &glyph->y);
    }
}

void af_glyphs_show(af_glyphs *row, cairo_t *cr, const char *text, size_t length, gboolean backward)
{
    if (row->pixels) {
        snap(row, cr);
    }
    cairo_show_text_glyphs(cr, text, (int)length, row->glyphs, row->n_glyphs, row->clusters,
                           row->n_clusters, backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
}
