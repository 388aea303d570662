#include "render/palette.h"

/* Rounded from OKLCH, so that the colours do not depend on the machine's libm;
 * tests/unit/test_palette.c computes them again from lightness, chroma and hue of the middle shade,
 * and checks their distances. A search found the values. The last shade of each row is dim. */
static const uint32_t frames[2][AF_CATEGORIES][AF_SHADES] = {
    {
        {0xf38d0c, 0xed9500, 0xf39400, 0xf89317, 0xf19b00, 0xe4b98e}, /* app */
        {0x9dcc6f, 0x8ed17e, 0x97d27a, 0xa1d276, 0x91d785, 0xb2cca6}, /* android */
        {0x30d6f8, 0x47d4ff, 0x41d8ff, 0x3cdbff, 0x50d9ff, 0x97ccde}, /* androidx */
        {0x8f78d6, 0x9d75d1, 0x9a79d6, 0x967ddb, 0xa37ad6, 0xc7bae6}, /* kotlin */
        {0x76a8fa, 0x88a5fd, 0x83a9ff, 0x7dadff, 0x8ea9ff, 0xb0c3ea}, /* java */
        {0xd98ac9, 0xe28abf, 0xe18dc6, 0xe090ce, 0xe88fc3, 0xdcb5ce}, /* library */
        {0xaea170, 0xaaa674, 0xaea675, 0xb3a776, 0xaeab79, 0xc7c3ad}, /* unknown */
        {0xc1c1c1, 0xc3c3c3, 0xc5c5c5, 0xc6c6c6, 0xc8c8c8, 0xc2c2c2}, /* idle */
        {0x7b8991, 0x7e8a94, 0x7f8c95, 0x818e96, 0x838f99, 0xbdc3c8}, /* folded */
        {0xdb603b, 0xda6624, 0xdd6632, 0xe1663e, 0xdf6c27, 0xecb49d}, /* kernel */
        {0xdec161, 0xd5c866, 0xdcc867, 0xe3c768, 0xd9cd6c, 0xccc39c}, /* jit */
        {0x589689, 0x579792, 0x5a9990, 0x5d9b8f, 0x5b9c97, 0xaec9c5}, /* inlined */
        {0xcabbfd, 0xd5bafa, 0xd3bdfe, 0xd1c0ff, 0xdbbeff, 0xc6bdda}, /* waker */
        {0x788893, 0x7c8996, 0x7d8b97, 0x7e8d99, 0x818d9b, 0xbdc3c9}, /* tracer */
    },
    {
        {0xbd4e0c, 0xbb5500, 0xbe5400, 0xc1530f, 0xbe5900, 0x66371b},
        {0x29813e, 0x00844e, 0x198549, 0x2a8543, 0x008853, 0x264f34},
        {0x005e46, 0x006050, 0x00614d, 0x03624b, 0x006354, 0x2b4d43},
        {0x50226e, 0x581f68, 0x56226c, 0x542571, 0x5c226a, 0x523a5d},
        {0x0053b0, 0x284fb3, 0x1953b4, 0x0056b5, 0x2e52b7, 0x2a4471},
        {0x8b2b8b, 0x94287f, 0x932b86, 0x902f8d, 0x992b80, 0x603258},
        {0x794507, 0x764a00, 0x794a03, 0x7c490b, 0x784d00, 0x574027},
        {0x383939, 0x393a3a, 0x3a3b3b, 0x3b3c3c, 0x3c3c3d, 0x454545},
        {0x647384, 0x687386, 0x687587, 0x687788, 0x6c7689, 0x40454e},
        {0x750a12, 0x761100, 0x771006, 0x791013, 0x791600, 0x65362e},
        {0x6d7551, 0x697856, 0x6c7956, 0x707955, 0x6b7c5a, 0x424838},
        {0x1b544d, 0x195554, 0x1c5653, 0x1f5851, 0x1d5857, 0x324a48},
        {0x796b98, 0x806a95, 0x7f6c98, 0x7d6e9b, 0x846d98, 0x494155},
        {0x706f84, 0x746f84, 0x747186, 0x747288, 0x787287, 0x45444d},
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
