#include "render/palette.h"

/* Rounded from OKLCH, so that no machine's libm decides a colour; tests/unit/test_palette.c
 * computes them again. Lightness, chroma and hue of the middle shade in the light theme:
 *   app .796 .134 60 · android .85 .09 147 · androidx .80 .083 205 · kotlin .745 .09 311 ·
 *   java .79 .092 262 · library .82 .10 357 · unknown .795 .047 96 · idle .895 .003 250 ·
 *   folded .863 .075 240 · kernel .70 .13 24 · JIT .86 .15 96 · inlined .70 .03 180 ·
 *   waker .70 .15 282
 * The dark theme is .315 darker; idle is put at .36 there, near the ground, and folded at .305; the
 * last four are .34 .11 36, .40 .07 84, .32 .07 150 and .42 .15 288 there. The
 * hues were chosen by a search for the largest least distance as seen by normal, red-blind and
 * green-blind eyes. The last of each row is dim: lightness .895 and half the chroma, in the dark
 * theme .34 and .6. */
static const uint32_t frames[2][AF_CATEGORIES][AF_SHADES] = {
    {
        {0xf49b5a, 0xf4a554, 0xfba65d, 0xffa866, 0xffb260, 0xfed3b0}, /* app */
        {0xa4d49e, 0x9fdbac, 0xa7deac, 0xafe1ab, 0xaae8b9, 0xcae5cc}, /* android */
        {0x70c5ca, 0x76c9d7, 0x79ced7, 0x7dd2d8, 0x83d5e4, 0xbde5e9}, /* androidx */
        {0xb295d1, 0xbe98d0, 0xbf9cd7, 0xbfa1dd, 0xcba3dc, 0xe6d5f3}, /* kotlin */
        {0x8cb4ec, 0x9bb6f2, 0x9abbf6, 0x9ac0fa, 0xa8c2ff, 0xccddfc}, /* java */
        {0xeda0c2, 0xf7a5bc, 0xf9a9c5, 0xfcadce, 0xffb1c7, 0xf9cfdd}, /* library */
        {0xbeb392, 0xbfba97, 0xc5bd9b, 0xcbc09e, 0xcbc6a3, 0xe1ddcb}, /* unknown */
        {0xd2d3d5, 0xd7d8da, 0xdbdcde, 0xdfe0e2, 0xe3e5e7, 0xdbdcdd}, /* idle */
        {0x99d1f3, 0xa4d4fc, 0xa5d9ff, 0xa6deff, 0xb1e0ff, 0xc7e0f3}, /* folded */
        {0xda7276, 0xe0796d, 0xe47c76, 0xe87f80, 0xed8576, 0xffccc8}, /* kernel */
        {0xecc33f, 0xe4cf4a, 0xeed04c, 0xf8d14f, 0xefdc59, 0xebdda4}, /* jit */
        {0x839c95, 0x87a19d, 0x8ba59f, 0x8fa9a1, 0x92ada9, 0xd2e0dd}, /* inlined */
        {0x808bf0, 0x948af2, 0x9190f8, 0x8d97fe, 0xa196ff, 0xd4d7ff}, /* waker */
    },
    {
        {0x8e3e00, 0x8d4600, 0x924600, 0x974700, 0x954e00, 0x552c00},
        {0x487543, 0x407a4f, 0x487b4e, 0x4f7d4c, 0x478258, 0x244027},
        {0x00676c, 0x006976, 0x006c75, 0x046f75, 0x11717e, 0x103f44},
        {0x573c71, 0x603d6f, 0x604074, 0x5f4479, 0x684476, 0x41304d},
        {0x345789, 0x41588d, 0x3f5b90, 0x3c5f92, 0x4a5f96, 0x283855},
        {0x894565, 0x8f485f, 0x914a65, 0x924d6c, 0x984f65, 0x502a38},
        {0x625739, 0x615c3d, 0x655e3f, 0x695f41, 0x686444, 0x3c3827},
        {0x373839, 0x3a3b3c, 0x3c3d3f, 0x3e3f41, 0x414243, 0x373839},
        {0x002f4a, 0x00304f, 0x003351, 0x003652, 0x073657, 0x213b4d},
        {0x5f1309, 0x611a00, 0x651b05, 0x681c10, 0x692200, 0x552a1f},
        {0x563d0f, 0x554311, 0x594414, 0x5e4517, 0x5c4a19, 0x42361e},
        {0x133716, 0x0a3b20, 0x133c1f, 0x1a3e1e, 0x124227, 0x283e2c},
        {0x413594, 0x503393, 0x4d3898, 0x493d9d, 0x583b9b, 0x372e63},
    },
};

static const uint32_t roles[2][AF_PAINT_FRAME] = {
    {
        [AF_PAINT_PAGE] = 0xffffff,
        [AF_PAINT_INK] = 0x1b1f24,
        [AF_PAINT_MUTED] = 0x57606a,
        [AF_PAINT_RULE] = 0xdfe3e8,
        [AF_PAINT_ALERT] = 0xb42318,
        [AF_PAINT_LABEL] = 0x1b1f24,
        [AF_PAINT_LABEL_MUTED] = 0x4b535c,
        [AF_PAINT_BLOCK] = 0xdde1e7,
        [AF_PAINT_FOOT] = 0x68717c,
    },
    {
        [AF_PAINT_PAGE] = 0x17191e,
        [AF_PAINT_INK] = 0xeceef1,
        [AF_PAINT_MUTED] = 0x9da6b1,
        [AF_PAINT_RULE] = 0x343940,
        [AF_PAINT_ALERT] = 0xff8f7d,
        [AF_PAINT_LABEL] = 0xffffff,
        [AF_PAINT_LABEL_MUTED] = 0xc9ced5,
        [AF_PAINT_BLOCK] = 0x2f333a,
        [AF_PAINT_FOOT] = 0xaeb6c0,
    },
};

/* How much of the page is mixed into the colour of a hatched rectangle, in percent. */
enum { GROUND_PERCENT = 62, STROKE_PERCENT = 28 };

af_colour af_palette_colour(af_paint paint, gboolean dark)
{
    const unsigned theme = dark ? 1 : 0;
    uint32_t rgb;
    if (paint < AF_PAINT_FRAME) {
        rgb = roles[theme][paint];
    } else {
        const unsigned number = MIN(paint, AF_PAINT_COUNT - 1) - AF_PAINT_FRAME;
        rgb = frames[theme][number / AF_SHADES][number % AF_SHADES];
    }
    return (af_colour){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
}

static uint8_t mix_channel(unsigned colour, unsigned page, unsigned percent)
{
    return (uint8_t)((colour * (100 - percent) + page * percent + 50) / 100);
}

static af_colour mix_page(af_paint paint, gboolean dark, unsigned percent)
{
    const af_colour colour = af_palette_colour(paint, dark);
    const af_colour page = af_palette_colour(AF_PAINT_PAGE, dark);
    return (af_colour){
        mix_channel(colour.red, page.red, percent),
        mix_channel(colour.green, page.green, percent),
        mix_channel(colour.blue, page.blue, percent),
    };
}

af_colour af_palette_hatch_ground(af_paint paint, gboolean dark)
{
    return mix_page(paint, dark, GROUND_PERCENT);
}

af_colour af_palette_hatch_stroke(af_paint paint, gboolean dark)
{
    return mix_page(paint, dark, STROKE_PERCENT);
}
