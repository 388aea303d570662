#include "render/svg/hairlines.h"

#include <string.h>

#include "render/sizes.h"

#include "render/svg/svg_parts.h"

typedef struct {
    int32_t x, y, width;
} bar;

/* A rectangle with a dashed edge. */
typedef struct {
    int32_t x, y, width, height;
} edge;

void af_hairlines_init(af_hairlines *lines, gboolean dark, int32_t step)
{
    memset(lines, 0, sizeof *lines);
    lines->dark = dark;
    lines->step = step;
}

void af_hairlines_clear(af_hairlines *lines)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(lines->bars); i++) {
        if (lines->bars[i]) {
            g_array_unref(lines->bars[i]);
        }
    }
    g_clear_pointer(&lines->dots, g_array_unref);
    g_clear_pointer(&lines->edges, g_array_unref);
}

/* Rounds so that neighbours still touch. */
static int32_t round_to(int32_t x, int32_t step)
{
    return (x + step / 2) / step * step;
}

static void append(GArray **to, guint size, const void *item)
{
    *to = *to ? *to : g_array_new(FALSE, FALSE, size);
    g_array_append_vals(*to, item, 1);
}

static bar make_bar(const af_hairlines *lines, int32_t x, int32_t y, int32_t width)
{
    const int32_t x0 = round_to(x, lines->step), x1 = round_to(x + width, lines->step);
    return (bar){x0, y, MAX(x1 - x0, lines->step)};
}

void af_hairlines_add(af_hairlines *lines, af_out *out, const af_scene_rect *rect)
{
    if (rect->height != lines->height) {
        af_hairlines_flush(lines, out);
        lines->height = rect->height;
    }
    const bar next = make_bar(lines, rect->x, rect->y + rect->height / 2, rect->width);
    append(&lines->bars[2 * rect->paint + (rect->hatched ? 1 : 0)], sizeof next, &next);
}

void af_hairlines_add_texture(af_hairlines *lines, const af_scene_rect *rect)
{
    if (rect->texture == AF_TEXTURE_DOTS) {
        const bar dots = {rect->x + AF_DOT_STEP_C / 2, rect->y + AF_DOT_TOP_C,
                          rect->width - AF_DOT_STEP_C};
        append(&lines->dots, sizeof dots, &dots);
        return;
    }
    const int32_t inset = AF_DASHES_C / 2;
    const edge dashes = {rect->x + inset, rect->y + inset, rect->width - 2 * inset,
                         rect->height - 2 * inset};
    append(&lines->edges, sizeof dashes, &dashes);
}

/* Omits the zero before a decimal point: paths do not need it. */
static void write_short(af_out *out, int64_t hundredths)
{
    if (hundredths > 0 && hundredths < 100) {
        const char digits[3] = {'.', (char)('0' + hundredths / 10), (char)('0' + hundredths % 10)};
        af_out_bytes(out, digits, hundredths % 10 == 0 ? 2 : 3);
    } else if (hundredths < 0) {
        af_out_char(out, '-');
        write_short(out, -hundredths);
    } else {
        af_out_hundredths(out, hundredths);
    }
}

/* Each position is relative to the end of the previous bar, so that numbers stay short. */
static void write_bars(const GArray *bars, af_out *out)
{
    int32_t x = 0, y = 0;
    for (guint i = 0; i < bars->len; i++) {
        const bar *b = &g_array_index(bars, bar, i);
        af_out_char(out, i == 0 ? 'M' : 'm');
        write_short(out, (int64_t)b->x - x);
        af_out_char(out, ' ');
        write_short(out, (int64_t)b->y - y);
        af_out_char(out, 'h');
        write_short(out, b->width);
        x = b->x + b->width;
        y = b->y;
    }
}

static void begin_dashed(const af_hairlines *lines, af_out *out, af_paint paint, int32_t width,
                         int32_t dash, int32_t gap)
{
    af_out_text(out, "<path");
    af_svg_paint(out, "t", paint, NULL, lines->dark);
    af_out_text(out, " pointer-events=\"none\" fill=\"none\" stroke-width=\"");
    af_out_hundredths(out, width);
    af_out_text(out, "\" stroke-dasharray=\"");
    af_out_hundredths(out, dash);
    af_out_char(out, ' ');
    af_out_hundredths(out, gap);
    af_out_text(out, dash == 0 ? "\" stroke-linecap=\"round\" d=\"" : "\" d=\"");
}

static void flush_edges(af_hairlines *lines, af_out *out)
{
    if (!lines->edges || lines->edges->len == 0) {
        return;
    }
    begin_dashed(lines, out, AF_PAINT_MUTED, AF_DASHES_C, AF_DASH_C, AF_DASH_STEP_C - AF_DASH_C);
    for (guint i = 0; i < lines->edges->len; i++) {
        const edge *e = &g_array_index(lines->edges, edge, i);
        af_out_char(out, 'M');
        write_short(out, e->x);
        af_out_char(out, ' ');
        write_short(out, e->y);
        af_out_char(out, 'h');
        write_short(out, e->width);
        af_out_char(out, 'v');
        write_short(out, e->height);
        af_out_char(out, 'h');
        write_short(out, -e->width);
        af_out_char(out, 'z');
    }
    af_out_text(out, "\"/>\n");
    g_array_set_size(lines->edges, 0);
}

void af_hairlines_flush(af_hairlines *lines, af_out *out)
{
    flush_edges(lines, out);
    /* Dashes without a length and with round ends are dots. */
    if (lines->dots && lines->dots->len > 0) {
        begin_dashed(lines, out, AF_PAINT_LABEL_MUTED, AF_DOT_SIZE_C, 0, AF_DOT_STEP_C);
        write_bars(lines->dots, out);
        af_out_text(out, "\"/>\n");
        g_array_set_size(lines->dots, 0);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(lines->bars); i++) {
        if (lines->bars[i] && lines->bars[i]->len > 0) {
            af_out_text(out, "<path");
            af_svg_paint(out, i % 2 ? "th" : "t", (af_paint)(i / 2), NULL, lines->dark);
            af_out_text(out, i / 2 == AF_PAINT_FOOT ? " pointer-events=\"none\"" : "");
            af_out_text(out, " fill=\"none\" stroke-width=\"");
            af_out_hundredths(out, lines->height);
            af_out_text(out, "\" d=\"");
            write_bars(lines->bars[i], out);
            af_out_text(out, "\"/>\n");
            g_array_set_size(lines->bars[i], 0);
        }
    }
}
