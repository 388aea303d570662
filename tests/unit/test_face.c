#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "render/face.h"
#include "suite.h"

/* "SIZE TEXT", the width of regular letters */
static char *show_advance(const char *input)
{
    char *text;
    const int32_t size = (int32_t)strtol(input, &text, 10);
    text++;
    return g_strdup_printf("%d%s", af_face_advance(FALSE, size, text, strlen(text)),
                           af_face_is_simple(FALSE, text, strlen(text)) ? "" : " shaped");
}

static char *show_bold(const char *input)
{
    char *text;
    const int32_t size = (int32_t)strtol(input, &text, 10);
    return g_strdup_printf("%d", af_face_advance(TRUE, size, text + 1, strlen(text + 1)));
}

TEST(letters_have_the_widths_of_the_font)
{
    cases_map("widths of letters", show_advance);
    cases_map("widths of bold letters", show_bold);
    ck_assert_int_eq(af_face_advance(FALSE, 1000, "onCreate", 2), 546 + 559);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_REGULAR, 0x2192).glyph, 0);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_FALLBACK, 0x2192).advance, 1544);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_REGULAR, 0x110000).glyph, 0);
    ck_assert_uint_eq(af_face_glyph_at(AF_FACE_REGULAR, UINT32_MAX).glyph, 0);
}

TEST(fonts_are_true_type)
{
    for (int face = 0; face < AF_FACES; face++) {
        size_t length = 0;
        const unsigned char *bytes = af_face_bytes(face, &length);
        ck_assert_uint_gt(length, 500000);
        ck_assert_mem_eq(bytes, "\0\1\0\0", 4);
    }
    ck_assert_str_eq(af_face_family(AF_FACE_REGULAR), "Noto Sans SemiCondensed");
    ck_assert_str_eq(af_face_family(AF_FACE_BOLD), "Noto Sans SemiCondensed");
    ck_assert_str_eq(af_face_family(AF_FACE_FALLBACK), "DejaVu Sans Condensed");
    ck_assert_int_eq(af_face_em(AF_FACE_REGULAR), 1000);
    ck_assert_int_eq(af_face_em(AF_FACE_BOLD), 1000);
    ck_assert_int_eq(af_face_em(AF_FACE_FALLBACK), 2048);
}

TEST(huge_text_does_not_overflow)
{
    const size_t length = 4 * 1024 * 1024;
    g_autofree char *text = g_malloc(length);
    memset(text, 'W', length);
    ck_assert_int_eq(af_face_advance(FALSE, 100000, text, length), INT32_MAX);
}

/* Letters on many pages of the table, which several threads fill at the same time. */
static gpointer measure_everything(gpointer unused)
{
    gint64 sum = 0;
    for (gunichar c = 0x100; c < 0x10000; c++) {
        char text[6];
        if (c < 0xd800 || c > 0xdfff) {
            sum += af_face_advance(c % 2, 1000, text, (size_t)g_unichar_to_utf8(c, text));
        }
    }
    return GSIZE_TO_POINTER((gsize)sum);
}

TEST(threads_measure_the_same_widths)
{
    GThread *threads[8];
    for (int i = 0; i < 8; i++) {
        threads[i] = g_thread_new("measure", measure_everything, NULL);
    }
    gpointer sums[8];
    for (int i = 0; i < 8; i++) {
        sums[i] = g_thread_join(threads[i]);
    }
    gpointer alone = measure_everything(NULL);
    ck_assert_ptr_nonnull(alone);
    for (int i = 0; i < 8; i++) {
        ck_assert_ptr_eq(sums[i], alone);
    }
}
