#include "render/cairo/colours.h"
#include "render/palette.h"
#include "suite.h"

static uint32_t get_paint(af_paint paint)
{
    const af_colour colour = af_palette_colour(paint, FALSE);
    return (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 | colour.blue;
}

static uint32_t mix(uint32_t a, uint32_t b, unsigned part)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        mixed |= ((a >> shift & 0xff) * (255 - part) + (b >> shift & 0xff) * part) / 255 << shift;
    }
    return mixed;
}

/* The letters of `n_paints` kinds of frames: every level between their colour and that of labels. */
static GArray *make_edges(unsigned n_paints)
{
    GArray *pixels = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (unsigned p = 0; p < n_paints; p++) {
        for (unsigned part = 0; part < 256; part++) {
            const uint32_t colour =
                mix(get_paint((af_paint)(AF_PAINT_FRAME + p)), get_paint(AF_PAINT_LABEL), part);
            g_array_append_val(pixels, colour);
        }
    }
    return pixels;
}

static af_colour_table *choose(const uint32_t *pixels, int n)
{
    g_autofree af_colour_set *set = af_colour_set_new();
    for (int i = 0; i < n; i++) {
        af_colour_set_add(set, pixels[i]);
    }
    af_colour_table *table;
    ck_assert(af_colour_table_choose(set, FALSE, 0, &table));
    return table;
}

static unsigned measure_error(uint32_t a, uint32_t b)
{
    unsigned most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        most = MAX(most, (unsigned)ABS((int)(a >> shift & 255) - (int)(b >> shift & 255)));
    }
    return most;
}

/* The largest error of a channel. */
static unsigned check_row(const af_colour_table *table, const uint32_t *pixels, int n)
{
    unsigned most = 0;
    for (int i = 0; i < n; i++) {
        const unsigned index = af_colour_table_index(table, pixels[i]);
        ck_assert_uint_lt(index, table->n);
        most = MAX(most, measure_error(table->colours[index], pixels[i]));
    }
    return most;
}

TEST(a_smaller_table_has_every_colour_nearby)
{
    g_autoptr(GArray) edges = make_edges(8);
    g_autofree af_colour_set *set = af_colour_set_new();
    const uint32_t *pixels = (const uint32_t *)(void *)edges->data;
    for (guint i = 0; i < edges->len; i++) {
        af_colour_set_add(set, pixels[i]);
    }
    g_autoptr(af_colour_table) table = NULL;
    ck_assert(af_colour_table_choose(set, FALSE, 32, &table));
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_eq(table->n, 32);
    const unsigned error = check_row(table, pixels, (int)edges->len);
    ck_assert_uint_gt(error, AF_COLOURS_LIMIT);
    ck_assert_uint_le(error, 64);
}

TEST(up_to_256_colours_are_exact)
{
    uint32_t pixels[300];
    for (uint32_t i = 0; i < 300; i++) {
        pixels[i] = (i % 256) * 0x010305 & 0xffffff;
    }
    g_autoptr(af_colour_table) table = choose(pixels, 300);
    ck_assert_uint_eq(table->n, 256);
    ck_assert_uint_eq(check_row(table, pixels, 300), 0);
}

/* Black gets entry 0 if the picture has no colour of a paint: its slot then looks like a free one. */
TEST(every_number_of_colours_has_a_slot_for_each)
{
    uint32_t pixels[300];
    for (uint32_t n = 1; n <= 256; n += 3) {
        for (uint32_t i = 0; i < n; i++) {
            pixels[i] = i * 0x010305 * (n % 2 ? 1 : 0x11) & 0xffffff;
        }
        g_autoptr(af_colour_table) table = choose(pixels, (int)n);
        ck_assert_uint_eq(check_row(table, pixels, (int)n), 0);
    }
}

TEST(edges_of_letters_are_within_the_limit_and_paints_are_exact)
{
    GArray *edges = make_edges(24);
    const uint32_t *pixels = (const uint32_t *)(void *)edges->data;
    g_autoptr(af_colour_table) table = choose(pixels, (int)edges->len);
    ck_assert_ptr_nonnull(table);
    ck_assert_uint_eq(table->n, AF_COLOURS_MOST);
    const unsigned error = check_row(table, pixels, (int)edges->len);
    ck_assert_uint_gt(error, 0);
    ck_assert_uint_le(error, AF_COLOURS_LIMIT);
    for (unsigned p = 0; p < 24; p++) {
        ck_assert_uint_eq(check_row(table, pixels + (size_t)p * 256, 1), 0);
    }
    g_array_free(edges, TRUE);
}

/* 17 apart in each channel: no 256 of the 4,096 are near all others. */
TEST(colours_of_a_photograph_need_no_table)
{
    uint32_t pixels[4096];
    for (uint32_t i = 0; i < 4096; i++) {
        pixels[i] = (i >> 8) * 0x110000 | (i >> 4 & 15) * 0x1100 | (i & 15) * 0x11;
    }
    ck_assert_ptr_null(choose(pixels, 4096));
}

TEST(more_colours_than_a_graph_can_have_need_no_table)
{
    g_autofree uint32_t *pixels = g_new(uint32_t, 40000);
    for (uint32_t i = 0; i < 40000; i++) {
        pixels[i] = i;
    }
    ck_assert_ptr_null(choose(pixels, 40000));
    af_colour_table *table = choose(pixels, 30000); /* shades of green and blue are close enough */
    ck_assert_ptr_nonnull(table);
    af_colour_table_free(table);
}
