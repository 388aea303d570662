#include "render/palette.h"

/* Rounded from OKLCH, so that the colours do not depend on the machine's libm;
 * tests/unit/test_palette.c computes them again from lightness, chroma and hue of the middle shade,
 * and checks their distances. A search found the values. The last shade of each row is dim. */
static const uint32_t frames[2][AF_CATEGORIES][AF_SHADES] = {
    {
        {0xf89415, 0xf29c00, 0xf89b03, 0xfe9a1e, 0xf6a200, 0xe4ba8e}, /* app */
        {0x90dd66, 0x77e37d, 0x85e475, 0x93e46e, 0x7ae984, 0xa8d0a0}, /* android */
        {0x00d7f4, 0x18d6ff, 0x02d9ff, 0x00ddfb, 0x2adbff, 0x92cede}, /* androidx */
        {0x847cf1, 0x9678ed, 0x917cf2, 0x8b81f7, 0x9c7cf2, 0xc0bbf2}, /* kotlin */
        {0x5aabf9, 0x6fa8fe, 0x69acff, 0x62b0ff, 0x76acff, 0xa7c5eb}, /* java */
        {0xd383d4, 0xdd81ca, 0xdc84d1, 0xda88d9, 0xe486cd, 0xdcb4d6}, /* library */
        {0xabb369, 0xa3b872, 0xa9b870, 0xb0b96f, 0xa6bd77, 0xbfc7a7}, /* unknown */
        {0xc7c1c1, 0xc8c3c2, 0xcac5c4, 0xccc7c6, 0xcec8c7, 0xc4c2c1}, /* idle */
        {0x759095, 0x789199, 0x79939a, 0x7b959b, 0x7d969e, 0xb9c5c8}, /* folded */
        {0xe0642e, 0xde6b06, 0xe26b21, 0xe66a31, 0xe3710e, 0xedb499}, /* kernel */
        {0xe1bbab, 0xe1bea9, 0xe4bfad, 0xe6c1b0, 0xe6c3ae, 0xcfbfb6}, /* jit */
        {0x589689, 0x579791, 0x5a9990, 0x5d9b8f, 0x5b9c97, 0xaec9c5}, /* inlined */
        {0xb6bffc, 0xc1befb, 0xbfc1ff, 0xbdc4ff, 0xc8c3ff, 0xbec0dc}, /* waker */
        {0x758f95, 0x789199, 0x79939a, 0x7a959b, 0x7d959e, 0xb9c5c8}, /* tracer */
        {0xef4e82, 0xf4516e, 0xf5527a, 0xf65485, 0xfa5671, 0xf6abb5}, /* blocked */
    },
    {
        {0xbb4e18, 0xb95500, 0xbc5403, 0xbf531a, 0xbc5900, 0x66371d},
        {0x228040, 0x008350, 0x0c844a, 0x238445, 0x008754, 0x254f35},
        {0x684c97, 0x714a92, 0x6f4d96, 0x6c4f9a, 0x764d95, 0x4c3d5f},
        {0x600e76, 0x69086c, 0x670e73, 0x651378, 0x6d0d6e, 0x5a355f},
        {0x0061c1, 0x2a5cc5, 0x1960c5, 0x0064c6, 0x315fc9, 0x274572},
        {0x312f9d, 0x412a9b, 0x3c2e9e, 0x3532a0, 0x452d9e, 0x3d3e72},
        {0x7d4513, 0x7b4a07, 0x7e490f, 0x814916, 0x7d4d0b, 0x583f29},
        {0x3a3936, 0x3a3b37, 0x3c3c38, 0x3d3d39, 0x3d3e3a, 0x454543},
        {0x5e7385, 0x627387, 0x627588, 0x627788, 0x66768a, 0x3d464f},
        {0x7a0012, 0x7b0500, 0x7d0405, 0x7e0413, 0x7f0c00, 0x67342e},
        {0x6d7451, 0x697755, 0x6d7755, 0x707855, 0x6c7a59, 0x434738},
        {0x1a544d, 0x195554, 0x1b5653, 0x1e5751, 0x1c5857, 0x324a48},
        {0x7a6996, 0x826893, 0x806a96, 0x7f6c99, 0x856b96, 0x4a4054},
        {0x5e7485, 0x627487, 0x627588, 0x627789, 0x66778b, 0x3d464f},
        {0x97106d, 0x9e0a5e, 0x9d1066, 0x9c166f, 0xa3115f, 0x682e4b},
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
        [AF_PAINT_LABEL_MUTED] = 0x343a42,
        [AF_PAINT_BLOCK] = 0xc5cbd2,
        [AF_PAINT_FOOT] = 0x444b54,
        [AF_PAINT_GROWN] = 0xf25000,
        [AF_PAINT_SHRUNK] = 0x2987f8,
        [AF_PAINT_GROWN_PALE] = 0xfee6d4,
        [AF_PAINT_SHRUNK_PALE] = 0xd4ecfe,
    },
    {
        [AF_PAINT_PAGE] = 0x101216,
        [AF_PAINT_INK] = 0xeceef1,
        [AF_PAINT_MUTED] = 0x9da6b1,
        [AF_PAINT_RULE] = 0x343940,
        [AF_PAINT_ALERT] = 0xff8f7d,
        [AF_PAINT_LABEL] = 0xffffff,
        [AF_PAINT_LABEL_MUTED] = 0xc9ced5,
        [AF_PAINT_BLOCK] = 0x343941,
        [AF_PAINT_FOOT] = 0x969da7,
        [AF_PAINT_GROWN] = 0xba5700,
        [AF_PAINT_SHRUNK] = 0x386af1,
        [AF_PAINT_GROWN_PALE] = 0x4f0300,
        [AF_PAINT_SHRUNK_PALE] = 0x00196b,
    },
};

/* The share of the page's colour in the colour of a hatched rectangle, in percent. */
enum { GROUND_PERCENT = 60, STROKE_PERCENT = 0 };

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
