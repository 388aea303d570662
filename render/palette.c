#include "render/palette.h"

/* Rounded from OKLCH, so that the colours do not depend on the machine's libm;
 * tests/unit/test_palette.c computes them again from lightness, chroma and hue of the middle shade,
 * and checks their distances. A search found the values. The last shade of each row is dim. */
static const uint32_t frames[2][AF_CATEGORIES][AF_SHADES] = {
    {
        {0xffa500, 0xf7ae00, 0xfead00, 0xffac00, 0xfbb400, 0xe0bc88}, /* app */
        {0x9fd375, 0x90d885, 0x99d980, 0xa3d97c, 0x93de8c, 0xb0cca6}, /* android */
        {0x07d6f4, 0x31d5ff, 0x29d8ff, 0x22dcfc, 0x3cdaff, 0x94cdde}, /* androidx */
        {0x8c75ec, 0x9d72e7, 0x9876ec, 0x937af2, 0xa376ec, 0xc5b9f0}, /* kotlin */
        {0x57a9f8, 0x6da6fe, 0x67abff, 0x5fafff, 0x74abff, 0xa7c5ec}, /* java */
        {0xd87ed8, 0xe37ccc, 0xe17fd4, 0xdf83dc, 0xe981cf, 0xdfb2d7}, /* library */
        {0xb6a463, 0xb0a967, 0xb5aa68, 0xbbaa69, 0xb4af6d, 0xc8c4a7}, /* unknown */
        {0xc1c1c1, 0xc3c3c3, 0xc5c5c5, 0xc7c7c7, 0xc8c8c8, 0xc2c2c2}, /* idle */
        {0x6e8d98, 0x728e9d, 0x72909d, 0x73929e, 0x7792a2, 0xb7c5cc}, /* folded */
        {0xdd6235, 0xdc691a, 0xdf692b, 0xe36839, 0xe16f1e, 0xecb49b}, /* kernel */
        {0x93d281, 0x84d790, 0x8ed88c, 0x97d888, 0x87dc97, 0xadcdab}, /* jit */
        {0x58958a, 0x579792, 0x5a9991, 0x5d9b90, 0x5c9b98, 0xaec9c5}, /* inlined */
        {0xc9bafa, 0xd4b9f7, 0xd2bcfc, 0xd0bfff, 0xdabdfc, 0xc6bdda}, /* waker */
        {0x6e8d98, 0x728e9d, 0x73909e, 0x73929e, 0x7793a2, 0xb7c5cb}, /* tracer */
        {0xe84a83, 0xee4b70, 0xef4d7c, 0xef5087, 0xf45173, 0xf5abb8}, /* blocked */
    },
    {
        {0xba5017, 0xb85600, 0xbb5502, 0xbe5419, 0xbb5a00, 0x65371d},
        {0x238040, 0x008350, 0x0e844a, 0x248445, 0x008754, 0x254f35},
        {0x005d8a, 0x115b90, 0x005e8f, 0x00608f, 0x195e93, 0x294960},
        {0x601372, 0x680f69, 0x66136e, 0x641774, 0x6c136b, 0x59355d},
        {0x3e62ce, 0x555dce, 0x4d61d0, 0x4465d2, 0x5a60d2, 0x354173},
        {0x3d36a4, 0x4c31a1, 0x4735a4, 0x4139a7, 0x5034a4, 0x403e71},
        {0x7e4513, 0x7c4a07, 0x7f490f, 0x824917, 0x7f4d0b, 0x583f29},
        {0x3c3937, 0x3d3a37, 0x3e3b39, 0x3f3c3a, 0x403d3a, 0x464543},
        {0x677089, 0x6c708a, 0x6c728b, 0x6b748d, 0x70738d, 0x414450},
        {0x7b0011, 0x7c0300, 0x7e0203, 0x7f0212, 0x800a00, 0x68342d},
        {0x6b7452, 0x687757, 0x6b7756, 0x6f7856, 0x6a7a5a, 0x424839},
        {0x1d534b, 0x1c5452, 0x1e5550, 0x21574f, 0x1f5755, 0x334a48},
        {0x796995, 0x816893, 0x7f6a96, 0x7e6d99, 0x846b96, 0x4a4054},
        {0x6c6f85, 0x716f86, 0x717188, 0x707389, 0x757289, 0x44444e},
        {0x8b3369, 0x91325e, 0x903464, 0x90366b, 0x953660, 0x603549},
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
        [AF_PAINT_FOOT] = 0x24292f,
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
        [AF_PAINT_FOOT] = 0xd0d7de,
        [AF_PAINT_GROWN] = 0xdb2c65,
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
