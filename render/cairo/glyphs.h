/* A row of glyphs, and which bytes of the text each cluster of them stands for: a PDF is searched
 * by these. */
#ifndef AF_RENDER_CAIRO_GLYPHS_H
#define AF_RENDER_CAIRO_GLYPHS_H

#include <cairo.h>
#include <glib.h>

/* All zero is an empty row; it is used again and again, and cleared once. */
typedef struct {
    cairo_glyph_t *glyphs;
    cairo_text_cluster_t *clusters;
    int n_glyphs, n_clusters;
    size_t capacity; /* of both arrays */
    gboolean pixels; /* the surface has pixels: glyphs are put on whole ones */
} af_glyphs;

/* Empties the row and grows it for `n` glyphs and clusters. */
void af_glyphs_begin(af_glyphs *row, size_t n);
void af_glyphs_clear(af_glyphs *row);

static inline void af_glyphs_add(af_glyphs *row, unsigned long glyph, double x, double y)
{
    row->glyphs[row->n_glyphs++] = (cairo_glyph_t){glyph, x, y};
}

static inline void af_glyphs_add_cluster(af_glyphs *row, size_t bytes, int glyphs)
{
    row->clusters[row->n_clusters++] = (cairo_text_cluster_t){(int)bytes, glyphs};
}

/* Cairo refuses texts with noncharacters (U+FFFE, U+FDD0 and the like), which names may hold. A
 * copy with others of as many bytes in their places; NULL if there are none. */
char *af_glyphs_without_noncharacters(const char *text, size_t length);

/* Draws the row with the face, size and source of `cr`. `backward`: the last glyph belongs to the
 * first cluster. */
void af_glyphs_show(af_glyphs *row, cairo_t *cr, const char *text, size_t length,
                    gboolean backward);

#endif
