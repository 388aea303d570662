#include "render/palette.h"

/* Rounded from OKLCH, so that the colours do not depend on the machine's libm;
 * tests/unit/test_palette.c computes them again from lightness, chroma and hue of the middle shade,
 * and checks their distances. A search found the values. The last shade of each row is dim. */
static const uint32_t frames[2][AF_CATEGORIES][AF_SHADES] = {
    {
        {0xfc8c11, 0xf79500, 0xfc9400, 0xff931a, 0xfb9b00, 0xe7b88d}, /* app */
        {0xa1d16f, 0x92d67f, 0x9bd77a, 0xa5d776, 0x95dc85, 0xb2cca4}, /* android */
        {0x24d8f0, 0x39d7fd, 0x35dbfb, 0x32def8, 0x43dcff, 0x95cddb}, /* androidx */
        {0x9679c6, 0xa277c1, 0x9f7ac7, 0x9d7ecb, 0xa87cc6, 0xcbbade}, /* kotlin */
        {0x2586f8, 0x4f81fc, 0x4286fd, 0x328bfe, 0x5785ff, 0xa3c4fb}, /* java */
        {0xdd87cc, 0xe687c2, 0xe58ac9, 0xe48dd1, 0xec8cc5, 0xdeb4d0}, /* library */
        {0xa3822f, 0x9d8832, 0xa28833, 0xa88835, 0xa08d38, 0xcec2a0}, /* unknown */
        {0xc8c0be, 0xcac2bf, 0xccc4c1, 0xcec6c3, 0xcfc7c4, 0xc5c1c0}, /* idle */
        {0x729f8e, 0x71a196, 0x74a395, 0x77a594, 0x75a69b, 0xb3c8c1}, /* folded */
        {0x6fadf8, 0x81abfc, 0x7baffd, 0x76b2fe, 0x87afff, 0xadc4e8}, /* kernel */
        {0x4dcf87, 0x2bd29a, 0x40d495, 0x51d58f, 0x2fd8a1, 0x9bd1b4}, /* jit */
        {0x4ca58b, 0x46a797, 0x4ba894, 0x51aa92, 0x4bac9d, 0xa7ccc2}, /* inlined */
        {0xc9c0e2, 0xd0c0e1, 0xcfc3e5, 0xcfc5e8, 0xd5c5e6, 0xc5bfcf}, /* waker */
        {0x68a28d, 0x65a496, 0x69a594, 0x6da793, 0x6aa99b, 0xafc9c1}, /* tracer */
        {0xf9617c, 0xfc6468, 0xfe6574, 0xff677f, 0xff6a6b, 0xf4adae}, /* blocked */
    },
    {
        {0xbe4d20, 0xbc5300, 0xbf5211, 0xc25222, 0xc05700, 0x67361f},
        {0x1c8044, 0x008353, 0x00844e, 0x1e8449, 0x008758, 0x244f37},
        {0x0d7993, 0x22789a, 0x1d7a99, 0x177c98, 0x287b9e, 0x274a59},
        {0x3f1a9c, 0x4c1397, 0x48199b, 0x431e9f, 0x50179a, 0x453a73},
        {0x004dc1, 0x2346c4, 0x0d4bc5, 0x0050c5, 0x2a49c8, 0x26437a},
        {0x680271, 0x700066, 0x6f026d, 0x6d0974, 0x750168, 0x5e335b},
        {0x654a00, 0x5f4e00, 0x644e00, 0x684d00, 0x625200, 0x4e4427},
        {0x3c383a, 0x3d393a, 0x3e3a3b, 0x3f3b3d, 0x403c3d, 0x464445},
        {0x6f465e, 0x734759, 0x73485d, 0x734a61, 0x764a5c, 0x533e48},
        {0x5b6aca, 0x6b66c9, 0x6669cc, 0x606dce, 0x7069cc, 0x3d406c},
        {0x707057, 0x6e725a, 0x71735a, 0x74745b, 0x71765d, 0x45463b},
        {0x005e4f, 0x005f57, 0x006055, 0x056153, 0x00625b, 0x2b4c47},
        {0x873c95, 0x903a8b, 0x8e3d91, 0x8b4097, 0x943d8d, 0x5a355b},
        {0x75465b, 0x784756, 0x79485a, 0x794a5e, 0x7c4a58, 0x553d45},
        {0xca2b95, 0xd22782, 0xd12b8d, 0xcf3097, 0xd72c84, 0x6d284d},
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

/* The share of the page's colour in the ground of a hatched rectangle. */
enum { GROUND_PERCENT = 60 };

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

static uint8_t mix_channel(unsigned colour, unsigned page)
{
    return (uint8_t)((colour * (100 - GROUND_PERCENT) + page * GROUND_PERCENT + 50) / 100);
}

af_colour af_palette_hatch_ground(af_paint paint, gboolean dark)
{
    const af_colour colour = af_palette_colour(paint, dark);
    const af_colour page = af_palette_colour(AF_PAINT_PAGE, dark);
    return (af_colour){mix_channel(colour.red, page.red), mix_channel(colour.green, page.green),
                       mix_channel(colour.blue, page.blue)};
}
