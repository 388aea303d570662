#include "render/cairo/glyphs.h"

#include <math.h>
#include <string.h>

void af_glyphs_begin(af_glyphs *row, size_t n)
{
    row->n_glyphs = row->n_clusters = 0;
    if (n > row->capacity) {
        row->capacity = MAX(n, 2 * row->capacity);
        row->glyphs = g_renew(cairo_glyph_t, row->glyphs, row->capacity);
        row->clusters = g_renew(cairo_text_cluster_t, row->clusters, row->capacity);
    }
}

void af_glyphs_clear(af_glyphs *row)
{
    g_free(row->glyphs);
    g_free(row->clusters);
    *row = (af_glyphs){0};
}

/* Cairo 1.16 rounds to whole pixels itself, later versions round to quarters. */
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

static gboolean is_noncharacter(gunichar c)
{
    return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

char *af_glyphs_without_noncharacters(const char *text, size_t length)
{
    char *copy = NULL;
    for (size_t i = 0; i < length; i += g_utf8_skip[(guint8)text[i]]) {
        if ((guint8)text[i] < 0xEF || !is_noncharacter(g_utf8_get_char(text + i))) {
            continue;
        }
        copy = copy == NULL ? g_strndup(text, length) : copy;
        /* U+FFFD; for four bytes the last character for private use */
        const char *other = g_utf8_skip[(guint8)text[i]] == 3 ? "\xEF\xBF\xBD" : "\xF4\x8F\xBF\xBD";
        memcpy(copy + i, other, strlen(other));
    }
    return copy;
}

void af_glyphs_show(af_glyphs *row, cairo_t *cr, const char *text, size_t length, gboolean backward)
{
    if (row->pixels) {
        snap(row, cr);
        cairo_show_glyphs(cr, row->glyphs, row->n_glyphs);
        return;
    }
    if (row->full != NULL) { /* one cluster; none of its text is left for further runs */
        text = row->full;
        length = strlen(text);
        row->clusters[0] = (cairo_text_cluster_t){(int)length, row->n_glyphs};
        row->n_clusters = MIN(1, row->n_glyphs);
        row->full = "";
    }
    g_autofree char *copy = af_glyphs_without_noncharacters(text, length);
    cairo_show_text_glyphs(cr, copy != NULL ? copy : text, (int)length, row->glyphs, row->n_glyphs,
                           row->clusters, row->n_clusters,
                           backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
}
