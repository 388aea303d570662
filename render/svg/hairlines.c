#include "render/svg/hairlines.h"

#include <string.h>

#include "render/svg/svg_parts.h"

typedef struct {
    int32_t x, y, width;
} bar;

void af_hairlines_init(af_hairlines *lines)
{
    memset(lines, 0, sizeof *lines);
}

void af_hairlines_clear(af_hairlines *lines)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(lines->bars); i++) {
        if (lines->bars[i]) {
            g_array_unref(lines->bars[i]);
        }
    }
}

void af_hairlines_add(af_hairlines *lines, af_out *out, const af_scene_rect *rect)
{
    if (rect->height != lines->height) {
        af_hairlines_flush(lines, out);
        lines->height = rect->height;
    }
    GArray **bars = &lines->bars[2 * rect->paint + (rect->hatched ? 1 : 0)];
    if (!*bars) {
        *bars = g_array_new(FALSE, FALSE, sizeof(bar));
    }
    const bar next = {rect->x, rect->y + rect->height / 2, rect->width};
    g_array_append_val(*bars, next);
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

void af_hairlines_flush(af_hairlines *lines, af_out *out)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(lines->bars); i++) {
        if (lines->bars[i] && lines->bars[i]->len > 0) {
            af_out_text(out, i % 2 ? "<path class=\"th" : "<path class=\"t");
            af_svg_class(out, (af_paint)(i / 2));
            af_out_text(out, i / 2 == AF_PAINT_FOOT ? "\" pointer-events=\"none" : "");
            af_out_text(out, "\" fill=\"none\" stroke-width=\"");
            af_out_hundredths(out, lines->height);
            af_out_text(out, "\" d=\"");
            write_bars(lines->bars[i], out);
            af_out_text(out, "\"/>\n");
            g_array_set_size(lines->bars[i], 0);
        }
    }
}
