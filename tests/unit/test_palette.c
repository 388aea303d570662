#include <math.h>

#include "model/category.h"
#include "render/palette.h"
#include "render/sizes.h"
#include "suite.h"

/* Colours as linear light, 0 to 1. The matrices are Ottosson's (OKLab) and those of Machado,
 * Oliveira and Fernandes (2009) for eyes without one type of cone. */
typedef struct {
    double r, g, b;
} light;

typedef struct {
    double l, a, b;
} lab;

static double to_linear(uint8_t channel)
{
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static light get_light(af_colour c)
{
    return (light){to_linear(c.red), to_linear(c.green), to_linear(c.blue)};
}

static lab get_lab(light c)
{
    const double x = cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
    const double y = cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
    const double z = cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
    return (lab){0.2104542553 * x + 0.7936177850 * y - 0.0040720468 * z,
                 1.9779984951 * x - 2.4285922050 * y + 0.4505937099 * z,
                 0.0259040371 * x + 0.7827717662 * y - 0.8086757660 * z};
}

static double luminance(af_colour colour)
{
    const light c = get_light(colour);
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

/* As WCAG defines it. */
static double contrast(af_colour one, af_colour other)
{
    const double a = luminance(one), b = luminance(other);
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

enum { DIM = AF_SHADES - 1 };

TEST_EACH(labels_are_readable, 2)
{
    const gboolean dark = _i;
    for (unsigned category = 0; category < AF_CATEGORIES; category++) {
        const gboolean muted = category == AF_CATEGORY_IDLE;
        for (unsigned shade = 0; shade < AF_SHADES; shade++) {
            const af_paint text = muted || shade == DIM ? AF_PAINT_LABEL_MUTED : AF_PAINT_LABEL;
            const af_colour label = af_palette_colour(text, dark);
            const af_paint paint = af_paint_frame(category, shade);
            ck_assert_double_ge(contrast(label, af_palette_colour(paint, dark)), 4.5);
            ck_assert_double_ge(contrast(label, af_palette_hatch_ground(paint, dark)), 4.5);
        }
    }
    ck_assert_double_ge(contrast(af_palette_colour(AF_PAINT_LABEL_MUTED, dark),
                                 af_palette_colour(AF_PAINT_BLOCK, dark)),
                        4.5);
}

TEST_EACH(text_is_readable_on_the_page, 2)
{
    static const af_paint texts[] = {AF_PAINT_INK, AF_PAINT_MUTED, AF_PAINT_ALERT};
    const gboolean dark = _i;
    const af_colour page = af_palette_colour(AF_PAINT_PAGE, dark);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        ck_assert_double_ge(contrast(af_palette_colour(texts[i], dark), page), 4.5);
    }
    /* frames and blocks contrast with the background, and hatching with both */
    ck_assert_double_ge(contrast(af_palette_colour(AF_PAINT_BLOCK, dark), page), 1.6);
    for (unsigned paint = AF_PAINT_FRAME; paint < AF_PAINT_COUNT; paint++) {
        const af_paint p = (af_paint)paint;
        ck_assert_msg(contrast(af_palette_colour(p, dark), page) >= 1.6, "paint %u: %f", paint,
                      contrast(af_palette_colour(p, dark), page));
        ck_assert_double_ge(contrast(af_palette_colour(p, dark), af_palette_hatch_ground(p, dark)),
                            1.2);
        ck_assert_double_ge(
            contrast(af_palette_colour(AF_PAINT_FOOT, dark), af_palette_colour(p, dark)), 3.0);
    }
}

/* As a display shows it, which has no negative light. */
static light see(const double m[3][3], light c)
{
    const double r = m[0][0] * c.r + m[0][1] * c.g + m[0][2] * c.b,
                 g = m[1][0] * c.r + m[1][1] * c.g + m[1][2] * c.b,
                 b = m[2][0] * c.r + m[2][1] * c.g + m[2][2] * c.b;
    return (light){CLAMP(r, 0, 1), CLAMP(g, 0, 1), CLAMP(b, 0, 1)};
}

/* Annotated folded stacks show JVM code or native Linux programs, so such a picture has no frames
 * of Android or its tracer, nor frames that --fold creates from Android's. The tracer occurs in
 * instrumented method traces, which have no kernel frames. */
static gboolean can_meet(unsigned one, unsigned other)
{
    const gboolean annotated =
        one == AF_CATEGORY_JIT || one == AF_CATEGORY_INLINED || one == AF_CATEGORY_WAKER;
    switch (other) {
    case AF_CATEGORY_ANDROID:
    case AF_CATEGORY_ANDROIDX:
    case AF_CATEGORY_IDLE:
    case AF_CATEGORY_BLOCKED:
    case AF_CATEGORY_FOLDED:
        return !annotated && !(other == AF_CATEGORY_FOLDED && one == AF_CATEGORY_TRACER);
    case AF_CATEGORY_TRACER:
        return !annotated && one != AF_CATEGORY_KERNEL;
    default:
        return TRUE;
    }
}

static const double eyes[3][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
};
static double measure_distance(af_paint one, af_paint other, int eye, gboolean dark)
{
    const lab a = get_lab(see(eyes[eye], get_light(af_palette_colour(one, dark))));
    const lab b = get_lab(see(eyes[eye], get_light(af_palette_colour(other, dark))));
    return sqrt(pow(a.l - b.l, 2) + pow(a.a - b.a, 2) + pow(a.b - b.b, 2));
}

/* A part of a comparison differs from the dim colours of all categories, which the part that both
 * sides have in common shows, and from the other part; pale parts have an edge in addition. */
TEST_EACH(parts_of_comparisons_are_distinguishable, 6)
{
    static const double least[3] = {0.12, 0.08, 0.08}, least_pale[3] = {0.09, 0.06, 0.06};
    static const af_paint parts[] = {AF_PAINT_GROWN, AF_PAINT_SHRUNK, AF_PAINT_GROWN_PALE,
                                     AF_PAINT_SHRUNK_PALE};
    const gboolean dark = _i % 2;
    const int eye = _i / 2;
    for (unsigned p = 0; p < G_N_ELEMENTS(parts); p++) {
        const double wanted = p < 2 ? least[eye] : least_pale[eye];
        ck_assert_double_ge(measure_distance(parts[p], AF_PAINT_BLOCK, eye, dark), wanted);
        for (unsigned category = 0; category < AF_CATEGORIES; category++) {
            const double distance =
                measure_distance(parts[p], af_paint_frame(category, DIM), eye, dark);
            ck_assert_msg(distance >= wanted, "eye %d, part %u and category %u: %f", eye, p,
                          category, distance);
        }
        ck_assert_double_ge(measure_distance(parts[p], parts[(p + 1) % 2 + (p & 2u)], eye, dark),
                            wanted / (p < 2 ? 1 : 2));
        ck_assert_double_ge(measure_distance(parts[p], parts[p ^ 2u], eye, dark), wanted);
    }
}

TEST_EACH(labels_are_readable_on_parts_of_comparisons, 2)
{
    static const af_paint parts[] = {AF_PAINT_GROWN, AF_PAINT_SHRUNK, AF_PAINT_GROWN_PALE,
                                     AF_PAINT_SHRUNK_PALE};
    const gboolean dark = _i;
    const af_colour label = af_palette_colour(AF_PAINT_LABEL, dark);
    for (unsigned p = 0; p < G_N_ELEMENTS(parts); p++) {
        ck_assert_double_ge(contrast(label, af_palette_colour(parts[p], dark)), 4.5);
        ck_assert_double_ge(contrast(label, af_palette_hatch_ground(parts[p], dark)), 4.5);
    }
    /* orange is the app's */
    ck_assert_double_ge(
        measure_distance(AF_PAINT_GROWN, af_paint_frame(AF_CATEGORY_APP, 2), 0, dark), 0.12);
    const af_colour page = af_palette_colour(AF_PAINT_PAGE, dark);
    ck_assert_double_ge(contrast(af_palette_colour(AF_PAINT_GROWN, dark), page), 1.6);
    ck_assert_double_ge(contrast(af_palette_colour(AF_PAINT_SHRUNK, dark), page), 1.6);
}

TEST_EACH(categories_are_distinguishable, 6)
{
    static const double least[3] = {0.12, 0.08, 0.08};
    const gboolean dark = _i % 2;
    const int eye = _i / 2;
    for (unsigned i = 0; i < AF_CATEGORIES; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (!can_meet(i, j) || !can_meet(j, i)) {
                continue;
            }
            const double distance =
                measure_distance(af_paint_frame(i, 2), af_paint_frame(j, 2), eye, dark);
            ck_assert_msg(distance >= least[eye], "eye %d, categories %u and %u: %f", eye, i, j,
                          distance);
        }
    }
}

/* Orange is the app's in graphs of waiting too. */
TEST_EACH(reasons_of_waiting_are_distinguishable, 6)
{
    static const unsigned hues[] = {AF_WAIT_HUE_IDLE,  AF_WAIT_HUE_MONITOR, AF_WAIT_HUE_LOCK,
                                    AF_WAIT_HUE_SLEEP, AF_WAIT_HUE_BINDER,  AF_WAIT_HUE_NETWORK,
                                    AF_WAIT_HUE_FILE,  AF_WAIT_HUE_DRAWING, AF_WAIT_HUE_OTHER,
                                    AF_WAIT_HUE_GC};
    static const double least[3] = {0.12, 0.08, 0.08};
    const gboolean dark = _i % 2;
    const int eye = _i / 2;
    for (unsigned i = 0; i < G_N_ELEMENTS(hues); i++) {
        ck_assert_uint_ne(hues[i], AF_CATEGORY_APP);
        for (unsigned j = 0; j < i; j++) {
            const double distance =
                measure_distance(af_paint_frame(hues[i], 2), af_paint_frame(hues[j], 2), eye, dark);
            ck_assert_msg(distance >= least[eye], "eye %d, hues %u and %u: %f", eye, hues[i],
                          hues[j], distance);
        }
    }
}

/* Orange is the app's: no other category has a strong colour near its hue. */
TEST_EACH(only_the_app_is_orange, 2)
{
    for (unsigned category = 0; category < AF_CATEGORIES; category++) {
        const lab c = get_lab(get_light(af_palette_colour(af_paint_frame(category, 2), _i)));
        const double away = fabs(remainder(atan2(c.b, c.a) * 180 / M_PI - 60, 360));
        ck_assert_msg(category == AF_CATEGORY_APP ? away < 24 : away > 24 || hypot(c.a, c.b) < 0.06,
                      "category %u is %f degrees from orange", category, away);
    }
}
