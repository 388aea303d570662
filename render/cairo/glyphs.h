/* A row of glyphs, and the bytes of text that each cluster represents, which PDF viewers use for
 * searching. */
#pragma once

#include <cairo.h>
#include <glib.h>

/* A row of all zeros is empty; it can be used repeatedly and is cleared once. */
typedef struct {
    cairo_glyph_t *glyphs;
    cairo_text_cluster_t *clusters;
    int n_glyphs, n_clusters;
    size_t capacity;  /* of both arrays */
    const char *full; /* the text of all glyphs, if they show a shorter one; NULL = the clusters' */
    gboolean pixels;  /* the surface has pixels: glyphs are placed on whole ones */
} af_glyphs;

/* Empties the row and reserves space for `n` glyphs and clusters. */
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

/* Cairo rejects texts with noncharacters (U+FFFE, U+FDD0 and others), which names may contain.
 * Returns a copy with replacements of the same length in bytes; NULL if there are none. */
char *af_glyphs_without_noncharacters(const char *text, size_t length);

/* Draws the row with the face, size and source of `cr`. `backward`: the last glyph belongs to the
 * first cluster. */
void af_glyphs_show(af_glyphs *row, cairo_t *cr, const char *text, size_t length,
                    gboolean backward);
