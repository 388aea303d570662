/* Bands of pixels are coded and inflated again with zlib. */
#include <string.h>
#include <zlib.h>

#include "render/cairo/coder.h"
#include "suite.h"

Suite *af_suite_coder(void);

enum { WIDTH = 200, ROWS = 40, REACH = 32768 };

static uint32_t band[ROWS * WIDTH];
static af_repeats repeats;
static af_coder coder;
static uint64_t state;

static unsigned draw_number(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static af_colour_table *choose_colours(const uint32_t *pixels, size_t n)
{
    af_colour_set *set = af_colour_set_new();
    for (size_t i = 0; i < n; i++) {
        af_colour_set_add(set, pixels[i] & 0xffffff);
    }
    af_colour_table *table;
    ck_assert(af_colour_table_choose(set, FALSE, &table));
    ck_assert_ptr_nonnull(table);
    g_free(set);
    return table;
}

/* The rows of a band as a PNG without compression. */
static GByteArray *list_bytes(const af_coding *coding, const uint32_t *pixels, int rows)
{
    GByteArray *bytes = g_byte_array_new();
    for (int y = 0; y < rows; y++) {
        const guint8 filter = coding->subtracted && y > 0 ? 2 : 0;
        g_byte_array_append(bytes, &filter, 1);
        for (int x = 0; x < coding->width; x++) {
            const uint32_t colour = pixels[y * coding->width + x] & 0xffffff;
            guint8 rgb[] = {(guint8)(colour >> 16), (guint8)(colour >> 8), (guint8)colour};
            if (coding->colours != NULL) {
                rgb[0] = af_colour_table_index(coding->colours, colour);
            }
            g_byte_array_append(bytes, rgb, coding->colours != NULL ? 1 : 3);
        }
    }
    return bytes;
}

static void code(const af_coding *coding, const uint32_t *pixels, int rows, gboolean last)
{
    const size_t stride = (size_t)coding->width;
    af_repeats_find(&repeats, pixels, stride, coding->width, rows, af_coding_reach(coding));
    ck_assert(!repeats.refused);
    ck_assert(af_coder_code(&coder, coding, repeats.items, repeats.n, rows, last));
    GByteArray *expected = list_bytes(coding, pixels, rows);
    ck_assert_uint_eq(coder.plain_length, expected->len);
    ck_assert_mem_eq(coder.plain, expected->data, expected->len);
    g_byte_array_unref(expected);
}

/* `packed` must be a complete stream. */
static void check_stream(const GByteArray *packed, const GByteArray *expected)
{
    g_autofree guint8 *plain = g_malloc(expected->len + 1);
    z_stream z = {.next_in = packed->data,
                  .avail_in = packed->len,
                  .next_out = plain,
                  .avail_out = expected->len + 1};
    ck_assert_int_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
    ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(z.avail_in, 0);
    ck_assert_uint_eq(z.total_out, expected->len);
    ck_assert_mem_eq(plain, expected->data, expected->len);
    inflateEnd(&z);
}

/* Codes the band as a stream of its own, returns the number of bytes. */
static size_t check_band(const af_coding *coding, const uint32_t *pixels, int rows)
{
    code(coding, pixels, rows, TRUE);
    GByteArray *expected = list_bytes(coding, pixels, rows);
    GByteArray *packed = g_byte_array_new();
    g_byte_array_append(packed, coder.bytes, (guint)coder.length);
    check_stream(packed, expected);
    g_byte_array_unref(packed);
    g_byte_array_unref(expected);
    return coder.length;
}

static void check_both(const uint32_t *pixels, int width, int rows)
{
    af_colour_table *table = choose_colours(pixels, (size_t)width * (size_t)rows);
    check_band(&(af_coding){.colours = table, .width = width}, pixels, rows);
    check_band(&(af_coding){.width = width}, pixels, rows);
    af_colour_table_free(table);
}

static void clear(void)
{
    af_repeats_clear(&repeats);
    af_coder_clear(&coder);
}

/* Frames with letters of random pixels, and diagonals. */
static void draw_band(uint32_t *pixels, int width, int rows)
{
    for (int i = 0; i < width * rows; i++) {
        const int x = i % width, y = i / width;
        const uint32_t frame = 0x204060 * (uint32_t)(x / 23 % 4 + y / 9 % 2 + 1);
        const gboolean letter = x % 23 < 12 && y % 9 > 2 && y % 9 < 7;
        pixels[i] = letter && draw_number(3) == 0       ? 0x111111 * draw_number(12)
                    : x > width / 2 && (x + y) % 5 == 0 ? 0xffffff
                                                        : frame;
    }
}

START_TEST(bands_are_the_same_after_inflating)
{
    static const int widths[] = {1, 2, 3, 4, 5, 16, 17, 31, 100, WIDTH};
    for (unsigned w = 0; w < G_N_ELEMENTS(widths); w++) {
        for (int rows = 1; rows <= ROWS; rows += 13) {
            draw_band(band, widths[w], rows);
            check_both(band, widths[w], rows);
        }
    }
    clear();
}
END_TEST

START_TEST(noise_is_the_same_after_inflating)
{
    enum { LARGE_WIDTH = 1000, LARGE_ROWS = 40 }; /* more items than a block has */
    uint32_t *noise = g_new(uint32_t, LARGE_WIDTH * LARGE_ROWS);
    for (unsigned n = 2; n <= 250; n += 124) {
        for (int i = 0; i < LARGE_WIDTH * LARGE_ROWS; i++) {
            noise[i] = 0x010203 * draw_number(n) % 0xffffff;
        }
        check_both(noise, LARGE_WIDTH, LARGE_ROWS);
    }
    g_free(noise);
    clear();
}
END_TEST

START_TEST(empty_pictures_take_hardly_any_space)
{
    enum { LARGE_WIDTH = 32767, LARGE_ROWS = 12 }; /* the widest picture */
    uint32_t *empty = g_new0(uint32_t, LARGE_WIDTH * LARGE_ROWS);
    af_colour_table *table = choose_colours(empty, 1);
    const af_coding coding = {.colours = table, .width = LARGE_WIDTH};
    ck_assert_uint_lt(check_band(&coding, empty, LARGE_ROWS), 3000);
    ck_assert_uint_le(repeats.n, 12);
    empty[5 * LARGE_WIDTH + 7] = 0x123456;
    af_colour_table_free(table);
    table = choose_colours(empty, LARGE_WIDTH * LARGE_ROWS);
    const af_coding spot = {.colours = table, .width = LARGE_WIDTH};
    ck_assert_uint_lt(check_band(&spot, empty, LARGE_ROWS), 3000);
    af_colour_table_free(table);
    g_free(empty);
    clear();
}
END_TEST

START_TEST(bands_can_be_joined)
{
    draw_band(band, WIDTH, ROWS);
    af_colour_table *table = choose_colours(band, WIDTH * ROWS);
    const af_coding coding = {.colours = table, .width = WIDTH};
    GByteArray *packed = g_byte_array_new(), *expected = list_bytes(&coding, band, ROWS);
    for (int first = 0; first < ROWS; first += 8) {
        code(&coding, band + first * WIDTH, 8, first + 8 == ROWS);
        g_byte_array_append(packed, coder.bytes, (guint)coder.length);
    }
    check_stream(packed, expected);
    g_byte_array_unref(packed);
    g_byte_array_unref(expected);
    af_colour_table_free(table);
    clear();
}
END_TEST

/* Rows that are wider than the window. */
START_TEST(differences_of_wide_rows_have_the_filter_up)
{
    enum { LARGE_WIDTH = 12000, LARGE_ROWS = 5 };
    uint32_t *wide = g_new(uint32_t, LARGE_WIDTH * LARGE_ROWS);
    draw_band(wide, LARGE_WIDTH, LARGE_ROWS);
    check_band(&(af_coding){.width = LARGE_WIDTH, .subtracted = TRUE}, wide, LARGE_ROWS);
    g_free(wide);
    clear();
}
END_TEST

START_TEST(rows_that_repeat_are_one_item)
{
    for (int i = 0; i < WIDTH * ROWS; i++) {
        band[i] = i % WIDTH < 50 ? 0xff0000 : 0x00ff00;
    }
    af_repeats_find(&repeats, band, WIDTH, WIDTH, ROWS, REACH);
    /* filter, red, more of it, green, more of it, all other rows */
    ck_assert_uint_eq(repeats.n, 6);
    ck_assert_uint_eq(repeats.items[0], AF_ITEM_FILTER);
    ck_assert_uint_eq(repeats.items[1], 0xff0000);
    ck_assert_uint_eq(af_item_length(repeats.items[2]), 49);
    ck_assert_uint_eq(af_item_distance(repeats.items[2]), 1);
    ck_assert_uint_eq(af_item_length(repeats.items[5]), (ROWS - 1) * (WIDTH + 1));
    ck_assert_uint_eq(af_item_distance(repeats.items[5]), WIDTH + 1);
    af_repeats_find(&repeats, band, WIDTH, WIDTH, ROWS, WIDTH); /* no row is within reach */
    ck_assert_uint_eq(repeats.n, 5 * ROWS);
    clear();
}
END_TEST

START_TEST(high_bytes_are_ignored)
{
    draw_band(band, WIDTH, ROWS);
    af_repeats_find(&repeats, band, WIDTH, WIDTH, ROWS, REACH);
    const size_t n = repeats.n;
    uint32_t *items = g_memdup2(repeats.items, n * sizeof *items);
    for (int i = 0; i < WIDTH * ROWS; i++) {
        band[i] |= draw_number(256) << 24;
    }
    af_repeats_find(&repeats, band, WIDTH, WIDTH, ROWS, REACH);
    ck_assert_uint_eq(repeats.n, n);
    ck_assert_mem_eq(repeats.items, items, n * sizeof *items);
    g_free(items);
    clear();
}
END_TEST

Suite *af_suite_coder(void)
{
    Suite *suite = suite_create("coder");
    TCase *tests = tcase_create("coder");
    tcase_add_test(tests, bands_are_the_same_after_inflating);
    tcase_add_test(tests, noise_is_the_same_after_inflating);
    tcase_add_test(tests, empty_pictures_take_hardly_any_space);
    tcase_add_test(tests, bands_can_be_joined);
    tcase_add_test(tests, differences_of_wide_rows_have_the_filter_up);
    tcase_add_test(tests, rows_that_repeat_are_one_item);
    tcase_add_test(tests, high_bytes_are_ignored);
    suite_add_tcase(suite, tests);
    return suite;
}
